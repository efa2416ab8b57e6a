/**
 * The answerer's side of directed asks (contracts.md 5): what comes to `agents/<agentId>/ask` becomes the agent's own work.
 * The same ask again gives the same answer; what is cancelled or past its deadline is stopped.
 */
import { ourTopics } from '../bus/topics.ts';
import type { AskBody } from '../bus/our-payloads.ts';
import type { Clock } from '../clock.ts';
import { asError } from '../errors.ts';
import { askId, hash } from '../ids.ts';
import { limits } from '../limits.ts';
import type { AskAnswer, AskKind, Moot } from '../moot.ts';
import { createAnswering, refusedAnswer, tooMany, type AnsweringOptions, type Asked } from './answering.ts';

export interface DirectedAsk {
  /** Of the form of an ask here: of asker and ask, so that no stranger can name one of ours. */
  readonly id: string;
  readonly run: string;
  readonly step: string;
  readonly kind: AskKind;
  readonly payload: unknown;
  /** Without an ask. */
  readonly moot: Moot;
  /** Aborts when it is cancelled or its deadline is over. */
  readonly signal: AbortSignal;
}

export interface AskServiceOptions extends AnsweringOptions {
  /** The agent's id on the bus. */
  readonly id: string;
  readonly kinds: readonly AskKind[];
  readonly clock: Clock;
  /** Why nothing is begun at the moment, in words; nothing when it is. Asked for each new ask. */
  readonly rest?: () => string | undefined;
  /** May reject: that is a failed answer. */
  readonly work: (ask: DirectedAsk) => Promise<AskAnswer>;
}

interface Entry {
  readonly abort: AbortController;
  readonly answer: Promise<AskAnswer>;
  /** Who waits for it: the same may be asked more than once. */
  readonly askers: Asked<'ask'>[];
  isOpen: boolean;
}

export interface AskService {
  /** Asks in work. */
  readonly open: number;
  /** `returns`: the agent is only made anew by a deploy, and the one in its place begins with what is in work. */
  close(options?: { readonly returns?: boolean }): Promise<void>;
}

export function createAskService(options: AskServiceOptions): AskService {
  const { clock } = options;
  const entries = new Map<string, Entry>();
  let open = 0;

  const begin = (key: string, asked: Asked<'ask'>): Entry => {
    const abort = new AbortController();
    const ask = directedAsk(key, asked.body, abort.signal);
    const end = () => abort.abort(new DOMException('the asker waits no longer', 'AbortError'));
    const timer = clock.setTimer(end, asked.body.deadline ?? limits.stepDeadlineMs);
    open += 1;
    const answer = untilAborted(work(options, ask), abort.signal);
    const entry: Entry = { abort, isOpen: true, answer, askers: [] };
    entries.set(key, entry);
    void answer.then((given) => {
      clock.clearTimer(timer);
      open -= 1;
      entry.isOpen = false;
      for (const asked of entry.askers.splice(0)) void asked.answer(answerBody(given));
      makeRoom(entries);
    });
    return entry;
  };

  const handle = (asked: Asked<'ask'>) => {
    const { kind, moot } = asked.body;
    const key = hash('directed', asked.asker, moot?.ask?.id ?? asked.correlation);
    const known = entries.get(key);
    if (kind === 'cancel') {
      // Cut off in the middle it has no answer that could be given again.
      if (known?.isOpen) entries.delete(key);
      known?.abort.abort(new DOMException('the asker has cancelled it', 'AbortError'));
      return void asked.answer(answerBody(cancelled));
    }
    const rests = known ? undefined : options.rest?.();
    if (rests !== undefined) return void asked.answer(answerBody(refusedAnswer(rests)));
    const refused = known ? undefined : refusalOf(asked.body, options.kinds, open);
    if (refused) return void asked.answer(answerBody(refused));
    const { isOpen, askers, answer } = known ?? begin(key, asked);
    if (isOpen) askers.push(asked);
    else void answer.then((given) => asked.answer(answerBody(given)));
  };

  const answering = createAnswering({ ...options, topic: ourTopics.agentAsk(options.id), kind: 'ask' }, handle);
  return {
    get open() {
      return open;
    },
    async close({ returns = false } = {}) {
      const inWork = [...entries.values()].flatMap(({ askers }) => (returns ? askers.splice(0) : []));
      for (const { abort } of entries.values()) abort.abort(new DOMException('the agent was closed', 'AbortError'));
      entries.clear();
      await answering.close(returns ? inWork.map(({ message }) => message) : undefined);
    },
  };
}

const answerBody = (answer: AskAnswer) => ({ v: 1, ...answer });

function refusalOf({ kind, moot, payload }: AskBody, kinds: readonly AskKind[], open: number): AskAnswer | undefined {
  if (!kinds.includes(kind as AskKind)) return refusedAnswer('I do not answer such questions.');
  if (kind === 'step' && (typeof payload !== 'string' || payload.trim() === '')) {
    return refusedAnswer('There were no words in it.');
  }
  if (typeof payload === 'string' && payload.length > limits.promptChars) return refusedAnswer('That was too long.');
  if ((moot?.depth ?? 0) > limits.runDepth) return refusedAnswer('That goes round in circles.', 'FOLKMOOT_LIMIT');
  if (open >= limits.directedAsksOpen) return refusedAnswer(tooMany, 'FOLKMOOT_LIMIT');
  return undefined;
}

/** Run and step are made anew: ids of others must not become keys of what acts here. */
function directedAsk(key: string, { kind, payload, moot }: AskBody, signal: AbortSignal): DirectedAsk {
  const run = hash('run of', key);
  const { ask: _ask, run: _run, parent: _parent, request: _request, ...kept } = (moot ?? {}) as Moot;
  const step = 'request';
  return {
    id: askId(run, step),
    run,
    step,
    kind: kind as AskKind,
    payload,
    moot: { ...kept, v: 1, run, step, depth: (kept.depth ?? 0) + 1 },
    signal,
  };
}

async function work({ work: carryOut, report }: AskServiceOptions, ask: DirectedAsk): Promise<AskAnswer> {
  try {
    return await carryOut(ask);
  } catch (thrown) {
    report(thrown);
    const { message } = asError(thrown);
    const error = { code: 'FOLKMOOT_RUN_FAILED', message };
    return { status: 'failed', payload: 'Something went wrong here.', mutations: [], error };
  }
}

const cancelled: AskAnswer = { status: 'cancelled', payload: null, mutations: [] };

/** Work that doesn't heed its signal must not hold a place. */
const untilAborted = (answer: Promise<AskAnswer>, signal: AbortSignal): Promise<AskAnswer> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(cancelled), { once: true });
    void answer.then(resolve);
  });

/** The oldest that are answered go first. */
function makeRoom(entries: Map<string, Entry>): void {
  for (const [key, { isOpen }] of entries) {
    if (entries.size <= limits.directedAnswers) return;
    if (!isOpen) entries.delete(key);
  }
}
