/**
 * Subscriptions that outlive a deploy. Who ends one because somebody comes in its place hands it over: it stays, what comes
 * meanwhile waits in a bounded list, and the next one to subscribe to the same pattern takes both.
 */
import type { Clock, Timer } from '../clock.ts';
import { limits } from '../limits.ts';
import type { Bus, BusMessage, Handover, SubscribeOptions, Subscription } from './bus.ts';
import type { BusMetrics } from './metrics.ts';
import type { Handler } from './subscribers.ts';

export interface HandoverOptions {
  readonly clock: Clock;
  readonly metrics?: Pick<BusMetrics, 'dropped'>;
}

/** One subscription to the bus below, whoever has it. */
interface Line {
  /** Whoever it is takes what waits, and from now on what comes; what is retained is not among it. */
  give(handle: Handler): void;
  hold(handover: Handover, over: () => void): void;
  /** What waits is unheard. */
  close(): Promise<void>;
}

interface Waiting {
  readonly message: BusMessage;
  readonly begun: (work: Promise<void>) => void;
}

/** The bus, with `Subscription.close(handover)`. Closing it closes both, and what waits is unheard. */
export function withHandover(bus: Bus, options: HandoverOptions): Bus {
  const kept = new Map<string, Set<Line>>();
  const drop = (key: string, line: Line) => {
    const lines = kept.get(key);
    lines?.delete(line);
    if (lines?.size === 0) kept.delete(key);
  };
  const keep = (key: string, line: Line, handover: Handover) => {
    kept.set(key, (kept.get(key) ?? new Set()).add(line));
    line.hold(handover, () => drop(key, line));
  };
  const standing = (key: string, line: Line, retained?: Subscription): Subscription => {
    let isClosed = false;
    return {
      async close(handover) {
        if (isClosed) return;
        isClosed = true;
        if (handover) keep(key, line, handover);
        else await line.close();
        await retained?.close();
      },
    };
  };
  const takeOver = async (key: string, line: Line, pattern: string, handle: Handler, share: string | undefined) => {
    drop(key, line);
    line.give(handle);
    if (share !== undefined) return standing(key, line);
    // The broker gives it to who joins; on the line it came already, to the one before.
    const onlyRetained = (message: BusMessage) => (message.retained ? handle(message) : undefined);
    try {
      return standing(key, line, await bus.subscribe(pattern, onlyRetained));
    } catch (error) {
      await line.close();
      throw error;
    }
  };
  return {
    ...bus,
    get state() {
      return bus.state;
    },
    async subscribe(pattern, handle, given = {}) {
      const key = JSON.stringify([pattern, given.share ?? null]);
      const [line] = kept.get(key) ?? [];
      if (line) return takeOver(key, line, pattern, handle, given.share);
      return standing(key, await openLine(bus, pattern, handle, given, options));
    },
    async close() {
      await Promise.allSettled([...kept.values()].flatMap((lines) => [...lines]).map((line) => line.close()));
      await bus.close();
    },
  };
}

async function openLine(
  bus: Bus,
  pattern: string,
  first: Handler,
  given: SubscribeOptions,
  { clock, metrics }: HandoverOptions,
): Promise<Line> {
  let handle = first;
  let waiting: Waiting[] = [];
  let timer: Timer | undefined;
  let giveUp: (message: BusMessage, why: 'nobody' | 'too many') => unknown = () => undefined;
  const inner = await bus.subscribe(pattern, (message) => handle(message), given);

  const end = () => {
    clock.clearTimer(timer);
    return waiting.splice(0);
  };
  const close = async () => {
    const gone = inner.close();
    const told = end().map(({ message, begun }) => {
      const work = (async () => void (await giveUp(message, 'nobody')))();
      begun(work);
      return work;
    });
    await Promise.allSettled([gone, ...told]);
  };
  return {
    close,
    give(next) {
      handle = (message) => (message.retained ? undefined : next(message));
      for (const { message, begun } of end()) begun((async () => next(message))());
    },
    hold({ again = [], unheard }, over) {
      giveUp = (message, why) => {
        metrics?.dropped(message.topic, why === 'nobody' ? 'nobody listens' : 'too many waiting');
        return unheard?.(message, why);
      };
      // The broker was told already that it arrived.
      const begun = (work: Promise<void>) => void work.catch(() => undefined);
      waiting = again.map((message) => ({ message, begun }));
      handle = (message) => {
        if (message.retained) return undefined;
        if (waiting.length >= limits.deployHeld) return void giveUp(message, 'too many');
        return new Promise((resolve) => waiting.push({ message, begun: resolve }));
      };
      timer = clock.setTimer(() => {
        over();
        void close();
      }, limits.deployLingerMs);
    },
  };
}
