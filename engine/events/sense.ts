/** From what sensors send to events for a team: quiet, batched, only news, and told in a rule's words. */
import type { Clock, Timer } from '../clock.ts';
import { limits } from '../limits.ts';
import { createRepeats } from './cool-down.ts';
import { createDebounce } from './debounce.ts';
import { readingsOf } from './reading.ts';
import type { Reading } from './reading.ts';
import type { Evaluate, Rule } from './rule-watch.ts';
import type { SenseMemory } from './sense-memory.ts';
import { createSenseSaver } from './sense-saver.ts';
import { createTeller, type Group, type Incoming, type SenseEvent } from './teller.ts';

export type { Evaluate, Rule } from './rule-watch.ts';
export type { SenseEvent } from './teller.ts';

export interface SenseOptions {
  /** Without rules each batch is an event. */
  readonly rules: readonly Rule[];
  /** Waits for quiet before it takes the last value; milliseconds, 0: at once. */
  readonly debounceMs: number;
  /** Gathers what comes within this time into one batch. */
  readonly coalesceMs: number;
  /** After an event of one rule and source (without rules: of one source and kind) nothing for this long. */
  readonly coolDownMs: number;
  readonly dropUnchanged: boolean;
  readonly ignoreRetained: boolean;
  readonly ignoreFirstMs: number;
  /** Unit by property name. */
  readonly units: Readonly<Record<string, string>>;
}

export interface SensorMessage {
  readonly topic: unknown;
  readonly payload: unknown;
  readonly retained?: boolean;
  /** Unit of a single value. */
  readonly unit?: string;
  /** The same id with the same content is a repeat. */
  readonly id?: string;
  /** Handed back with what becomes of it. */
  readonly origin?: unknown;
}

export interface SensePorts {
  readonly clock: Clock;
  readonly evaluate: Evaluate;
  readonly emit: (event: SenseEvent) => void;
  /** Once for each message of which nothing went on. */
  readonly drop: (reason: string, origin: unknown) => void;
  /** A rule that can't be evaluated: once until it works again. */
  readonly problem: (error: Error, rule: number, origin: unknown) => void;
  /** Whatever could be read, also what is no news or not told. */
  readonly saw?: (readings: readonly Reading[], isRetained: boolean) => void;
  /** What is known over a restart. Absent: nothing. */
  readonly memory?: {
    /** Rejects when there is none. */
    readonly ready: Promise<SenseMemory>;
    /** What is kept of a message that an event is told with: plain JSON. */
    readonly lightOrigin: (origin: unknown) => unknown;
    /** Reading or writing it failed: once until it works again. */
    readonly problem: (error: Error) => void;
  };
}

export interface Sense {
  /** Resolves when it was looked at, which with debounce or coalesce is before it becomes an event. Never rejects. */
  take(message: SensorMessage): Promise<void>;
  /** Resolves when what is to be known after a restart is written. */
  close(): Promise<void>;
}

/** Work one after the other; what waits is counted. */
function createTurns(ended: () => void) {
  let last: Promise<void> = Promise.resolve();
  let isClosed = false;
  const turns = {
    waiting: 0,
    take(work: () => Promise<void> | void): Promise<void> {
      turns.waiting += 1;
      last = last.then(async () => {
        turns.waiting -= 1;
        if (!isClosed) await work();
        if (!isClosed) ended();
      });
      return last;
    },
    close: () => void (isClosed = true),
  };
  return turns;
}

function createBatch(clock: Clock, gatherMs: number, pass: (groups: readonly Group[]) => Promise<void>) {
  let groups: Group[] = [];
  let size = 0;
  let timer: Timer | undefined;
  const clear = () => {
    clock.clearTimer(timer);
    timer = undefined;
    groups = [];
    size = 0;
  };
  const flush = (): Promise<void> => {
    const ready = groups;
    clear();
    return pass(ready);
  };
  return {
    add(group: Group): Promise<void> {
      groups.push(group);
      size += group.readings.length;
      if (gatherMs <= 0 || size >= limits.batchEvents) return flush();
      timer ??= clock.setTimer(() => void flush(), gatherMs);
      return Promise.resolve();
    },
    close: clear,
  };
}

export function createSense(options: SenseOptions, ports: SensePorts): Sense {
  const { clock } = ports;
  const startedAt = clock.now();
  let isClosed = false;
  const isRepeat = createRepeats();
  const saver = ports.memory
    ? createSenseSaver({
        clock,
        memory: ports.memory.ready,
        of: (source) => teller.keep(source),
        problem: ports.memory.problem,
      })
    : undefined;
  const turns = createTurns(() => saver?.turnEnded());
  const dropped = (from: Incoming, readings: number, reason: string) => {
    from.left -= readings;
    if (from.left === 0) ports.drop(reason, from.origin);
  };
  const inTurn = (work: () => void) => void turns.take(work);
  const teller = createTeller({
    ...options,
    ...ports,
    dropped,
    inTurn,
    touched: (source, isUrgent) => saver?.touch(source, isUrgent),
    lightOrigin: ports.memory?.lightOrigin ?? (() => undefined),
  });
  if (saver)
    void turns.take(async () => {
      const kept = await saver.load();
      if (!isClosed) teller.restore(kept, startedAt + options.ignoreFirstMs);
    });
  const batch = createBatch(clock, options.coalesceMs, (groups) => turns.take(() => teller.tell(groups)));
  const accept = (group: Group): Promise<void> => {
    if (turns.waiting < limits.eventQueue) return batch.add(group);
    dropped(group.from, group.readings.length, 'too many at once');
    return Promise.resolve();
  };
  const debounce = createDebounce<Incoming>({
    clock,
    quietMs: options.debounceMs,
    pass: (from, readings) => void accept({ from, source: readings[0]?.source ?? '', readings }),
    drop: (from, reason) => dropped(from, 1, reason),
  });
  const reasonToIgnore = (message: SensorMessage): string | undefined => {
    if (message.retained && options.ignoreRetained) return 'retained';
    return clock.now() - startedAt < options.ignoreFirstMs ? 'just started' : undefined;
  };
  return {
    async take(message) {
      if (isClosed) return;
      const read = readingsOf(message.topic, message.payload, {
        units: options.units,
        ...(message.unit ? { unit: message.unit } : {}),
      });
      if (read.kind === 'dropped') return ports.drop(read.reason, message.origin);
      const { readings } = read;
      ports.saw?.(readings, message.retained === true);
      const reason = reasonToIgnore(message);
      if (reason) {
        ports.drop(reason, message.origin);
        if (turns.waiting < limits.eventQueue) await turns.take(() => teller.overhear(readings, message.origin));
        return;
      }
      if (message.id !== undefined && isRepeat(message.id, readings)) return ports.drop('repeated', message.origin);
      const from: Incoming = { at: clock.now(), origin: message.origin, left: readings.length };
      if (options.debounceMs > 0) return debounce.take(from, readings);
      await accept({ from, source: readings[0]?.source ?? '', readings });
    },
    async close() {
      isClosed = true;
      turns.close();
      batch.close();
      debounce.close();
      const saved = saver?.close();
      teller.close();
      await saved;
    },
  };
}
