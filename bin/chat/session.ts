/** One talk: questions go out, replies are shown as they come, each in one piece. */
import type { AmicaRequester } from '../../engine/bus/amica-requester.ts';
import type { Clock } from '../../engine/clock.ts';
import { asError, isFolkmootError } from '../../engine/errors.ts';
import { newId } from '../../engine/ids.ts';
import { createFloor } from './floor.ts';
import type { HomesHere } from './homes-here.ts';
import type { Screen } from './screen.ts';
import { plain } from './text.ts';

export interface SessionOptions {
  readonly requester: AmicaRequester;
  readonly clock: Clock;
  readonly screen: Screen;
  readonly userName: string;
  /** Each question is a conversation of its own. */
  readonly isNewEachTime: boolean;
  /** Silence after which it is not waited any more. */
  readonly silenceMs: number;
  /** How long another one may begin after the first whole answer. */
  readonly settleMs: number;
  readonly isVerbose: boolean;
  /** What was typed is shown again above its answer. */
  readonly repeatsQuestions: boolean;
  /** Who is there to answer; absent: that is not known. */
  readonly homes?: Pick<HomesHere, 'isAny' | 'onArrival'>;
  /** What to do about an error, a sentence; blank: nothing is known. */
  readonly hintOf?: (error: unknown) => string;
  /** What to note under a whole answer; blank: nothing. */
  readonly noteUnder?: (answer: string) => string;
}

export interface Answering {
  /** True as soon as one answer is whole; false when it was given up. */
  readonly answered: Promise<boolean>;
  /** Nobody is listened to any more. */
  readonly over: Promise<void>;
}

export interface Session {
  /** All lines belong to it, unless each is a conversation of its own. */
  readonly conversation: string;
  /** The home that answered last; nothing: none that says its name. */
  readonly house: string | undefined;
  /** What came last ended in a question, and nothing was asked since. */
  readonly isAskedBack: boolean;
  /** Neither promise rejects. */
  ask(question: string): Answering;
  /** Ends all that wait. */
  close(): void;
}

interface Asked {
  readonly question: string;
  readonly startedAt: number;
  /** Something of an answer was shown. */
  isShown: boolean;
  isAnswered: boolean;
  /** Something of an answer came. */
  hasBegun: boolean;
}

/** After this time without a word it is said that nobody answered yet. */
const hintMs = 10_000;
/** And after this one that nobody is there. */
const nobodyMs = 3_000;
const endMark = '---';

export function createSession(options: SessionOptions): Session {
  const { clock, screen, requester } = options;
  const conversation = newId();
  const asked = new Map<string, Asked>();
  /** By reply, until its end was shown: a question may be over sooner. */
  const shown = new Map<string, { readonly one: Asked; readonly name: string }>();
  const ended = new AbortController();
  let count = 0;
  let last: string | undefined;
  let lastHouse: string | undefined;
  let isAskedBack = false;

  const showWaiting = () =>
    screen.waiting([...asked.values()].filter((one) => !one.isShown).map(({ question }) => question));
  /** Which question it answers is said where it isn't plain from what stands above. */
  const isPlain = (id: string, one: Asked): boolean => {
    if (options.repeatsQuestions) return one.isShown && last === id;
    return !options.isNewEachTime && id === String(count);
  };
  const begin = (key: string, isGoingOn: boolean) => {
    const [id = ''] = key.split(' ');
    const { one, name } = shown.get(key) ?? {};
    if (!one) return;
    if (isGoingOn) screen.write(`> ${one.question} (goes on)\n`);
    else if (!isPlain(id, one)) screen.write(`> ${one.question}\n`);
    one.isShown = true;
    last = id;
    showWaiting();
    if (name) screen.write(`[${name}]\n`);
  };
  const floor = createFloor({
    clock,
    begin,
    text: (text) => screen.write(text),
    end(key, isOver, note) {
      screen.endLine();
      screen.write(`${isOver ? endMark : '…'}\n`);
      if (note) screen.note(note);
      if (isOver) shown.delete(key);
    },
  });

  const read = async (id: string, one: Asked, onAnswered: () => void): Promise<void> => {
    const parts = requester.ask({
      message: one.question,
      userName: options.userName,
      ...(options.isNewEachTime ? {} : { conversation }),
      silenceMs: options.silenceMs,
      settleMs: options.settleMs,
      signal: ended.signal,
      ...(options.homes ? { again: options.homes.onArrival } : {}),
    });
    const begun = new Map<string, number>();
    const said = new Map<string, string>();
    try {
      for await (const { reply, text, isComplete, agentId = '', house = '' } of parts) {
        const key = `${id} ${reply}`;
        one.hasBegun = true;
        const pieces = (begun.get(key) ?? 0) + 1;
        begun.set(key, pieces);
        const whole = (said.get(key) ?? '') + text;
        said.set(key, whole);
        if (house) lastHouse = house;
        if (isComplete) isAskedBack ||= whole.trimEnd().endsWith('?');
        const name = plain([agentId, house && options.isVerbose ? `of ${house}` : ''].filter(Boolean).join(' '));
        const isNamed = options.isVerbose || reply > 1;
        if (pieces === 1) shown.set(key, { one, name: isNamed ? name || 'another agent' : '' });
        if (isComplete) onAnswered();
        const seconds = ((clock.now() - one.startedAt) / 1000).toFixed(1);
        const counts = options.isVerbose ? `(${pieces} part${pieces === 1 ? '' : 's'}, ${seconds} s)` : '';
        const notes = isComplete ? [options.noteUnder?.(whole) ?? '', counts] : [];
        floor.say(key, plain(text), isComplete, notes.filter(Boolean).join('\n'));
      }
    } finally {
      if (!ended.signal.aborted) for (const key of begun.keys()) floor.giveUp(key, '(its end did not come)');
    }
  };

  const follow = async (id: string, one: Asked, onAnswered: () => void): Promise<void> => {
    const hint = clock.setTimer(() => {
      if (options.repeatsQuestions && !one.isAnswered) screen.note(`(no answer to “${one.question}” yet)`);
    }, hintMs);
    const nobody = clock.setTimer(() => {
      if (options.homes?.isAny === false && !one.isAnswered && !one.hasBegun)
        screen.note(`(no home is here; “${one.question}” is asked again when one comes)`);
    }, nobodyMs);
    try {
      await read(id, one, onAnswered);
    } catch (error) {
      if (!ended.signal.aborted && !one.isAnswered) {
        screen.note(`“${one.question}”: ${[wordsOf(error), options.hintOf?.(error)].filter(Boolean).join(' ')}`);
      }
    } finally {
      clock.clearTimer(hint);
      clock.clearTimer(nobody);
      asked.delete(id);
      if (!ended.signal.aborted) showWaiting();
    }
  };

  return {
    conversation,
    get house() {
      return lastHouse;
    },
    get isAskedBack() {
      return isAskedBack;
    },
    ask(question) {
      isAskedBack = false;
      const isFree = floor.isFree && [...asked.values()].every((other) => other.isAnswered);
      const id = String((count += 1));
      const one: Asked = { question, startedAt: clock.now(), isShown: false, isAnswered: false, hasBegun: false };
      asked.set(id, one);
      if (options.repeatsQuestions && isFree) {
        screen.write(`> ${question}\n`);
        one.isShown = true;
        last = id;
      }
      showWaiting();
      const { promise: answered, resolve } = Promise.withResolvers<boolean>();
      const over = follow(id, one, () => {
        one.isAnswered = true;
        resolve(true);
      });
      void over.then(() => resolve(one.isAnswered));
      return { answered, over };
    },
    close() {
      ended.abort(new Error('The chat ended.'));
      floor.close();
    },
  };
}

/** What an error says, without the advice for who builds flows. */
function wordsOf(error: unknown): string {
  const { message } = asError(error);
  if (isFolkmootError(error, 'FOLKMOOT_DEADLINE')) return message.slice(0, message.indexOf('s.') + 2);
  return message;
}
