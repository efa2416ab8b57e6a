/**
 * The authority on open asks (asks.md 3): what a message shows is only a copy. An ask ends exactly once; later ends are
 * counted and dropped.
 */
import type { Clock, Timer } from '../../engine/clock.ts';
import { isAskId } from '../../engine/ids.ts';
import type { AskAnswer, AskInfo } from '../../engine/moot.ts';
import type { RedMessage } from './red.ts';

/** How an ask ended for its asker; `restarted` when the asked node was made anew by a deploy. */
export type AskEnd = AskAnswer | { readonly status: 'restarted' };

export interface OpenAsk {
  readonly info: AskInfo;
  /** Silence of this long ends it as `timeout`; every touch starts the time anew. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
  /** Words of the answer as they come. */
  readonly onText?: (text: string) => void;
}

/** What the asked node holds while it works. */
export interface TakenAsk {
  readonly info: AskInfo;
  /** Aborts when the ask ends for whatever reason. */
  readonly signal: AbortSignal;
  /** Sign of life: starts the deadline anew and passes words on. */
  touch(text?: string): void;
  /** True if this end was the one that counted. */
  end(end: AskEnd): boolean;
}

/** What a node is to do with a message (the table in asks.md 3). */
export type Taken =
  { readonly kind: 'ordinary' } | { readonly kind: 'pass' } | { readonly kind: 'ask'; readonly ask: TakenAsk };

/** How what a node still works on ends at its close: begun anew by the node in its place, or not at all. */
export const endAtClose = (removed: boolean): AskEnd =>
  removed ? { status: 'cancelled', payload: null, mutations: [] } : { status: 'restarted' };

export interface AskRegistry {
  open(ask: OpenAsk): Promise<AskEnd>;
  take(message: Partial<RedMessage>, nodeId: string): Taken;
  isTaken(id: string): boolean;
  /** Ends whatever this node still works on: at its close. */
  endTakenBy(nodeId: string, end: AskEnd): void;
  readonly pending: number;
  /** Messages with the form of an ask that no longer or never was open: late, second path, forged. */
  readonly stale: number;
  readonly lateEnds: number;
}

interface Entry {
  readonly ask: OpenAsk;
  readonly abort: AbortController;
  readonly settle: (end: AskEnd) => void;
  taken: boolean;
  timer: Timer | undefined;
}

const nothing = { payload: null, mutations: [] } as const;

export function createAskRegistry(clock: Clock): AskRegistry {
  const entries = new Map<string, Entry>();
  let stale = 0;
  let lateEnds = 0;

  function end(id: string, entry: Entry, how: AskEnd): boolean {
    // Removed first, so that an end that comes while this one is told is only counted.
    if (entries.get(id) !== entry) {
      lateEnds += 1;
      return false;
    }
    entries.delete(id);
    clock.clearTimer(entry.timer);
    entry.settle(how);
    entry.abort.abort(new DOMException('the ask has ended', 'AbortError'));
    return true;
  }

  function startClock(id: string, entry: Entry): void {
    clock.clearTimer(entry.timer);
    const seconds = Math.round(entry.ask.deadlineMs / 1000);
    const message = `No answer within ${seconds} seconds.`;
    entry.timer = clock.setTimer(
      () => end(id, entry, { status: 'timeout', ...nothing, error: { code: 'FOLKMOOT_DEADLINE', message } }),
      entry.ask.deadlineMs,
    );
  }

  function takenAsk(id: string, entry: Entry): TakenAsk {
    return {
      info: entry.ask.info,
      signal: entry.abort.signal,
      touch(text) {
        if (entries.get(id) !== entry) return;
        startClock(id, entry);
        if (text !== undefined) entry.ask.onText?.(text);
      },
      end: (how) => end(id, entry, how),
    };
  }

  return {
    open(ask) {
      const { id } = ask.info;
      return new Promise<AskEnd>((resolve, reject) => {
        if (entries.has(id)) return reject(new Error(`ask ${id} is open already`));
        const onAbort = () => end(id, entry, { status: 'cancelled', ...nothing });
        const entry: Entry = {
          ask,
          abort: new AbortController(),
          taken: false,
          timer: undefined,
          settle: (how) => {
            ask.signal?.removeEventListener('abort', onAbort);
            resolve(how);
          },
        };
        entries.set(id, entry);
        startClock(id, entry);
        if (ask.signal?.aborted) onAbort();
        else ask.signal?.addEventListener('abort', onAbort, { once: true });
      });
    },
    take(message, nodeId) {
      const shown: unknown = message.moot?.ask?.id;
      const id = typeof shown === 'string' ? shown : message._msgid;
      if (typeof shown !== 'string' && !isAskId(id)) return { kind: 'ordinary' };
      const entry = entries.get(id as string);
      if (!entry) {
        stale += 1;
        return { kind: 'pass' };
      }
      if (entry.ask.info.to !== nodeId || entry.taken) return { kind: 'pass' };
      entry.taken = true;
      return { kind: 'ask', ask: takenAsk(id as string, entry) };
    },
    isTaken: (id) => entries.get(id)?.taken ?? true,
    endTakenBy(nodeId, how) {
      for (const [id, entry] of [...entries]) if (entry.ask.info.to === nodeId) end(id, entry, how);
    },
    get pending() {
      return entries.size;
    },
    get stale() {
      return stale;
    },
    get lateEnds() {
      return lateEnds;
    },
  };
}
