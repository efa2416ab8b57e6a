/** Brings what changed into sense's memory: at once what a restart must not lose, the rest when some time has passed. */
import { sleep, type Clock, type Timer } from '../clock.ts';
import { asError, folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { KeptSource, KeptSources, SenseMemory } from './sense-memory.ts';

export interface SenseSaverOptions {
  readonly clock: Clock;
  /** Rejects when there is none. */
  readonly memory: Promise<SenseMemory>;
  /** What is to be kept of a source now; nothing: it is forgotten. */
  readonly of: (source: string) => KeptSource | undefined;
  /** Reading or writing failed: once until it works again. */
  readonly problem: (error: Error) => void;
}

export interface SenseSaver {
  /** Never rejects: without a memory nothing is known. Waits `limits.senseLoadMs` at most. */
  load(): Promise<KeptSources>;
  /** Written within `limits.senseSaveMs`, or after this turn if it is urgent. */
  touch(source: string, isUrgent?: boolean): void;
  /** At the end of a turn, when what it did is out. */
  turnEnded(): void;
  /** What is to be kept is taken now; resolves when it is written, or can't be. */
  close(): Promise<void>;
}

export function createSenseSaver({ clock, memory, of, problem }: SenseSaverOptions): SenseSaver {
  const dirty = new Set<string>();
  let isUrgent = false;
  let timer: Timer | undefined;
  let writing: Promise<void> | undefined;
  let isBroken = false;
  let isLoaded = false;
  /** After the close nothing changes any more, and nothing of it can be asked for. */
  let frozen: ReadonlyMap<string, KeptSource | undefined> | undefined;
  const failed = (thrown: unknown) => {
    if (!isBroken) problem(asError(thrown));
    isBroken = true;
  };
  const writeAll = async () => {
    do {
      const changed = new Map([...dirty].map((source) => [source, frozen ? frozen.get(source) : of(source)]));
      dirty.clear();
      try {
        await (await memory).save(changed);
        isBroken = false;
      } catch (thrown) {
        // What changes next is tried again; a store that is down must not be asked in a circle.
        failed(thrown);
        return;
      }
    } while (dirty.size > 0);
  };
  const write = (): Promise<void> => {
    clock.clearTimer(timer);
    timer = undefined;
    isUrgent = false;
    writing ??= writeAll().finally(() => (writing = undefined));
    return writing;
  };
  return {
    async load() {
      const waited = new AbortController();
      const tooLong = sleep(clock, limits.senseLoadMs, waited.signal).then(() => {
        throw folkmootError('FOLKMOOT_STORE_FAILED', 'The store did not answer in time.');
      });
      try {
        const kept = await Promise.race([memory.then((one) => one.load()), tooLong]);
        isLoaded = true;
        return kept;
      } catch (thrown) {
        failed(thrown);
        return { sources: [] };
      } finally {
        waited.abort();
      }
    },
    touch(source, urgent = false) {
      dirty.add(source);
      const [oldest] = dirty;
      if (dirty.size > 2 * limits.eventSources && oldest !== undefined) dirty.delete(oldest);
      isUrgent ||= urgent;
    },
    turnEnded() {
      if (isUrgent) void write();
      else if (dirty.size > 0) timer ??= clock.setTimer(() => void write(), limits.senseSaveMs);
    },
    async close() {
      frozen = new Map([...dirty].map((source) => [source, of(source)]));
      // Also when nothing is new: until when it was there.
      if (isLoaded || dirty.size > 0) await write();
    },
  };
}
