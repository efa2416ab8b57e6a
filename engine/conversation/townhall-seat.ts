/**
 * One who takes part in the talk on a stream: speaks when something new was said by others, with the window in view, not
 * more often than its limit and not sooner than its pause; in its fallback line when it has nothing of its own to say.
 */
import { sleep } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { asError } from '../errors.ts';
import { limits } from '../limits.ts';
import { readAllTalk, readTalk, talkText, talkWindow } from './townhall.ts';
import type { RawTalk, TalkEntry } from './townhall.ts';

export interface TalkStream {
  /** The last ones before `id`, oldest first. */
  before(id: string, count: number): Promise<readonly RawTalk[]>;
  /** The first ones after it. */
  after(id: string, count: number): Promise<readonly RawTalk[]>;
  add(entry: { readonly role: string; readonly text: string }): Promise<unknown>;
}

export interface TalkTurn {
  /** The window for whoever speaks: own lines as "You". */
  readonly text: string;
  readonly entries: readonly TalkEntry[];
  /** The last thing that was said. */
  readonly last: TalkEntry;
}

export interface TownhallSeatOptions {
  readonly role: string;
  readonly stream: TalkStream;
  readonly clock: Clock;
  /** What is said now; nothing, blank or a rejection: the fallback line. */
  readonly speak: (turn: TalkTurn) => Promise<string | undefined>;
  /** Blank: then nothing is said. */
  readonly fallback?: string;
  /** Defaults `limits.talkReplies`, `.talkCooldownMs`, `.talkWindow`. */
  readonly replies?: number;
  readonly cooldownMs?: number;
  readonly window?: number;
  /** An entry without role or text. */
  readonly onMalformed?: (entry: RawTalk) => void;
  readonly onProblem: (problem: Error) => void;
  /** It has said all it may. */
  readonly onEnd?: () => void;
}

export interface TownhallSeat {
  /** Resolves when the entry was dealt with: answered, passed over, or seen by one who says nothing any more. */
  take(entry: RawTalk, how?: { readonly isAgain: boolean }): Promise<void>;
  readonly replies: number;
  close(): void;
}

interface Unread {
  readonly entry: TalkEntry;
  readonly isAgain: boolean;
  readonly done: () => void;
}

/** An earlier answer to an entry that comes again is looked for among so many after it. */
const answersSeen = 100;

export function createTownhallSeat(options: TownhallSeatOptions): TownhallSeat {
  const { role, stream, clock } = options;
  const most = options.replies ?? limits.talkReplies;
  const size = options.window ?? limits.talkWindow;
  const closed = new AbortController();
  let unread: Unread[] = [];
  let isBusy = false;
  let replies = 0;

  const words = async (turn: TalkTurn): Promise<string> => {
    try {
      const said = (await options.speak(turn))?.trim();
      if (said) return said;
    } catch (error) {
      options.onProblem(asError(error));
    }
    return options.fallback ?? '';
  };
  /** After a crash: what was said already is not said again. */
  const isAnswered = async (batch: readonly Unread[]): Promise<boolean> => {
    const last = batch.at(-1);
    if (!last?.isAgain) return false;
    return readAllTalk(await stream.after(last.entry.id, answersSeen)).some((entry) => entry.role === role);
  };
  const answer = async (batch: readonly Unread[]): Promise<boolean> => {
    const entries = batch.map(({ entry }) => entry);
    const [first, last] = [entries[0], entries.at(-1)];
    if (!first || !last || last.role === role || (await isAnswered(batch))) return false;
    const missing = size - entries.length;
    const older = missing > 0 ? readAllTalk(await stream.before(first.id, missing)) : [];
    const window = talkWindow(older, entries, size);
    const text = await words({ text: talkText(window, role), entries: window, last });
    if (text === '' || closed.signal.aborted) return false;
    await stream.add({ role, text: text.slice(0, limits.talkChars) });
    return true;
  };

  const turns = async () => {
    // What one reading brings belongs together.
    await Promise.resolve();
    while (unread.length > 0 && !closed.signal.aborted) {
      const batch = unread;
      unread = [];
      const hasSpoken =
        replies < most && (await answer(batch).catch((error: unknown) => options.onProblem(asError(error))));
      if (closed.signal.aborted) return;
      for (const { done } of batch) done();
      if (!hasSpoken) continue;
      replies += 1;
      if (replies === most) options.onEnd?.();
      await sleep(clock, options.cooldownMs ?? limits.talkCooldownMs, closed.signal);
    }
  };
  const wake = () => {
    if (isBusy) return;
    isBusy = true;
    turns()
      // Closed while it paused.
      .catch(() => undefined)
      .finally(() => {
        isBusy = false;
        if (unread.length > 0 && !closed.signal.aborted) wake();
      });
  };

  return {
    take(raw, { isAgain } = { isAgain: false }) {
      const entry = readTalk(raw);
      if (!entry) {
        options.onMalformed?.(raw);
        return Promise.resolve();
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      unread.push({ entry, isAgain, done: resolve });
      wake();
      return promise;
    },
    get replies() {
      return replies;
    },
    // What was not dealt with stays with the stream.
    close: () => closed.abort(),
  };
}
