/**
 * The one complete reply (contracts.md 3): whoever asked over the bus gets parts in order, the last one complete, then
 * ConversationEnded, and is never left waiting: not by a deadline, nor by a run that ended in silence, nor at closing.
 */
import { lastPartId, writeEnded, writeResponse } from '../bus/amica.ts';
import type { AmicaOutgoing } from '../bus/amica.ts';
import { sleep } from '../clock.ts';
import type { Clock, Timer } from '../clock.ts';
import { folkmootError, isFolkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Outcome } from '../moot.ts';
import { restOf } from './reply-text.ts';
import { forcedWords } from './reply-words.ts';
import type { ForcedCause } from './reply-words.ts';

export interface ExpectedRequest {
  /** The request's MESSAGE_ID. */
  readonly id: string;
  readonly conversation: string;
  readonly user?: string;
  /** What was asked; absent when it was taken up again after a restart. */
  readonly text?: string;
}

export interface ReplyDeskOptions {
  readonly clock: Clock;
  readonly agentId: string;
  /** Resolves when the bus has taken it over. */
  readonly publish: (written: AmicaOutgoing) => Promise<void>;
  /** Keeps what is answered in the conversation, before its end is told. */
  readonly record: (request: ExpectedRequest, text: string) => Promise<void>;
  /** Told at once when a reply is decided; it is published when this has resolved. */
  readonly finished?: (requestId: string, conversation: string, text: string) => Promise<void> | void;
  /** The reply and the end of its conversation were published. */
  readonly told?: (requestId: string) => Promise<void> | void;
  /**
   * A reply that only declines gives others time: true when one of them answered, so that nothing is said. Without it
   * such a reply is sent like any other.
   */
  readonly giveWay?: (requestId: string, signal: AbortSignal) => Promise<boolean>;
  /** Another one answered in place of what was to be said: whoever asks was told nothing. */
  readonly unsaid?: (requestId: string, conversation: string) => Promise<void> | void;
  readonly onProblem: (problem: Error) => void;
}

export interface ExpectOptions {
  readonly deadlineMs: number;
  readonly owner?: string;
  /** Nothing is known to work on it any more: it is told so after `limits.replyGraceMs`, unless something still does. */
  readonly isInterrupted?: boolean;
}

export type ReplyOutcome = 'sent' | 'late' | 'unknown';

export interface ReplyDesk {
  /** Begins to wait. Asked twice, or with too many open, it does nothing and says so by `false`. */
  expect(request: ExpectedRequest, options: ExpectOptions): boolean;
  /** A run took it over: its deadline counts from now on, but no more than what was expected at first. */
  extend(requestId: string, deadlineMs: number): void;
  /** A part before the last. Resolves when it was published. */
  part(requestId: string, text: string): Promise<ReplyOutcome>;
  /**
   * The last part, then the end of the conversation. A second time is counted and `late`.
   * @param options.declines It does nothing and knows nothing, so that another agent's answer would be the better one.
   */
  finish(requestId: string, text: string, options?: { readonly declines?: boolean }): Promise<ReplyOutcome>;
  /** The run that had it ended: what doesn't answer within `limits.replyGraceMs` now never will. */
  runEnded(requestId: string, outcome: Outcome): void;
  /** Its commands are still being carried out: no reply is forced within that time and the grace after it. */
  working(requestId: string, withinMs: number): void;
  /**
   * What worked on requests was made anew by a deploy: those that nothing was heard of are told so, as after a crash.
   * @param except Requests that nothing worked on yet.
   */
  restarted(except: ReadonlySet<string>): void;
  isOpen(requestId: string): boolean;
  readonly counts: { readonly open: number; readonly late: number; readonly forced: number };
  /** Answers what is open, of one owner or of all, in words. Resolves when that was published, within `waitMs`. */
  close(options?: { readonly owner?: string; readonly waitMs?: number }): Promise<void>;
}

interface Entry {
  readonly request: ExpectedRequest;
  readonly owner: string | undefined;
  readonly openedAt: number;
  deadlineMs: number;
  /** A run or a node that can go on after a deploy was heard of. */
  isTaken: boolean;
  /** How its run ended, if it did. */
  ended: Outcome | 'interrupted' | undefined;
  timer: Timer | undefined;
  /** What was published, all parts together. */
  said: string;
  /** Parts published. */
  parts: number;
  /** Parts waiting to be. */
  waiting: number;
  /** Publishing, one after the other. */
  tail: Promise<void>;
  /** Aborts when it can't be waited for others any more. */
  readonly closing: AbortController;
}

/** The last part is tried so often when the queue to the broker is full, once a second. */
const lastTries = 5;

export function createReplyDesk(options: ReplyDeskOptions): ReplyDesk {
  const { clock } = options;
  const open = new Map<string, Entry>();
  /** Still publishing. */
  const ending = new Map<string, Entry>();
  const over = new Set<string>();
  /** Until when the commands of a request may take; also of requests that are expected only after that was said. */
  const busyUntil = new Map<string, number>();
  const counted = { late: 0, forced: 0 };

  /** Deadlines count silence: each part begins them anew. */
  const wait = (entry: Entry) => {
    const { ended = 'timeout', deadlineMs, request } = entry;
    const busyMs = (busyUntil.get(request.id) ?? 0) - clock.now();
    const waitMs = Math.max(entry.ended ? 0 : deadlineMs, busyMs) + limits.replyGraceMs;
    clock.clearTimer(entry.timer);
    entry.timer = clock.setTimer(() => force(entry, ended), waitMs);
  };

  const force = (entry: Entry, cause: ForcedCause) => {
    counted.forced += 1;
    // The other two are no fault of the flow.
    if (cause !== 'closed' && cause !== 'interrupted') {
      const what = `A request of ${entry.request.user ?? 'somebody'} got no answer from the flow (${cause}).`;
      options.onProblem(folkmootError('FOLKMOOT_REPLY_MISSING', what));
    }
    void end(entry, forcedWords(cause));
  };

  const publishPart = async (entry: Entry, text: string, messageId?: string) => {
    const { id: requestId, conversation: conversationId } = entry.request;
    const early = entry.openedAt + limits.replyFirstMs - clock.now();
    if (early > 0) await sleep(clock, early);
    const atMs = clock.now();
    const sequence = entry.parts + 1;
    const last = { isComplete: messageId !== undefined, ...(messageId ? { messageId } : {}) };
    const written = { requestId, conversationId, message: text, sequence, atMs, ...last };
    await options.publish(writeResponse({ ...written, agentId: options.agentId }));
    entry.parts = sequence;
    entry.said += text;
  };

  const publishLast = async (entry: Entry, text: string) => {
    const messageId = lastPartId(options.agentId, entry.request.id, text);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await publishPart(entry, restOf(entry.said, text), messageId);
      } catch (error) {
        if (!isFolkmootError(error, 'FOLKMOOT_BUS_FULL') || attempt >= lastTries) throw error;
        await sleep(clock, 1_000);
      }
    }
  };

  const report = (error: unknown) => options.onProblem(error as Error);
  /** One after the other; a failure is reported and given to who waits, and does not stop the next. */
  const enqueue = (entry: Entry, run: () => Promise<void>): Promise<void> => {
    const done = entry.tail.then(run);
    entry.tail = done.catch(report);
    return done;
  };

  const end = async (entry: Entry, words: string, declines = false): Promise<void> => {
    const { id, conversation } = entry.request;
    const text = words.slice(0, limits.replyChars);
    clock.clearTimer(entry.timer);
    open.delete(id);
    busyUntil.delete(id);
    ending.set(id, entry);
    remember(over, id);
    const kept = Promise.resolve(options.finished?.(id, conversation, text)).catch(report);
    const done = enqueue(entry, async () => {
      await kept;
      // Whoever heard a part of ours hears its end, too.
      const mayGiveWay = declines && entry.parts === 0;
      if (mayGiveWay && (await options.giveWay?.(id, entry.closing.signal))) {
        await options.unsaid?.(id, conversation);
        return options.told?.(id);
      }
      // What can't be kept is no reason to leave somebody without an answer.
      await options.record(entry.request, text).catch(report);
      await publishLast(entry, text);
      await options.publish(writeEnded(conversation));
      await options.told?.(id);
    });
    // Reported already.
    await done.catch(() => undefined);
    ending.delete(id);
  };

  const missing = (requestId: string): ReplyOutcome => {
    if (!over.has(requestId)) return 'unknown';
    counted.late += 1;
    return 'late';
  };

  return {
    expect(request, { deadlineMs, owner, isInterrupted = false }) {
      if (open.has(request.id) || over.has(request.id) || open.size >= limits.repliesOpen) return false;
      const entry: Entry = {
        request,
        owner,
        openedAt: clock.now(),
        deadlineMs,
        isTaken: false,
        ended: isInterrupted ? 'interrupted' : undefined,
        timer: undefined,
        said: '',
        parts: 0,
        waiting: 0,
        tail: Promise.resolve(),
        closing: new AbortController(),
      };
      open.set(request.id, entry);
      wait(entry);
      return true;
    },
    extend(requestId, deadlineMs) {
      const entry = open.get(requestId);
      if (!entry) return;
      entry.deadlineMs = Math.min(deadlineMs, entry.deadlineMs);
      entry.isTaken = true;
      entry.ended = undefined;
      wait(entry);
    },
    async part(requestId, text) {
      const entry = open.get(requestId);
      if (!entry) return missing(requestId);
      wait(entry);
      // The last part says again what is left out here.
      if (text === '' || entry.parts + entry.waiting >= limits.replyParts) return 'sent';
      entry.waiting += 1;
      await enqueue(entry, () => publishPart(entry, text.slice(0, limits.replyChars))).finally(() => {
        entry.waiting -= 1;
      });
      return 'sent';
    },
    async finish(requestId, text, { declines = false } = {}) {
      const entry = open.get(requestId);
      if (!entry) return missing(requestId);
      await end(entry, `${entry.said}${text}`.trim() === '' ? forcedWords('silence') : text, declines);
      return 'sent';
    },
    runEnded(requestId, outcome) {
      const entry = open.get(requestId);
      if (!entry) return;
      entry.isTaken = true;
      entry.ended = outcome;
      wait(entry);
    },
    restarted(except) {
      for (const entry of open.values()) {
        if (entry.isTaken || except.has(entry.request.id)) continue;
        entry.ended = 'interrupted';
        wait(entry);
      }
    },
    working(requestId, withinMs) {
      if (over.has(requestId)) return;
      busyUntil.set(requestId, Math.max(busyUntil.get(requestId) ?? 0, clock.now() + withinMs));
      const oldest = busyUntil.keys().next().value;
      if (busyUntil.size > limits.repliesOpen && oldest !== undefined) busyUntil.delete(oldest);
      const entry = open.get(requestId);
      if (entry) wait(entry);
    },
    isOpen: (requestId) => open.has(requestId),
    get counts() {
      return { open: open.size, ...counted };
    },
    async close({ owner, waitMs = limits.closeWaitMs / 2 } = {}) {
      const mine = (entry: Entry) => owner === undefined || entry.owner === owner;
      for (const entry of [...open.values(), ...ending.values()].filter(mine)) entry.closing.abort();
      for (const entry of [...open.values()].filter(mine)) force(entry, 'closed');
      const stop = new AbortController();
      const published = Promise.all([...ending.values()].filter(mine).map((entry) => entry.tail));
      const waited = sleep(clock, waitMs, stop.signal).catch(() => undefined);
      await Promise.race([published, waited]);
      stop.abort();
    },
  };
}

function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  const oldest = ids.values().next().value;
  if (ids.size > limits.requestIdMemory && oldest !== undefined) ids.delete(oldest);
}
