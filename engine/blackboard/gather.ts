/**
 * The gathering end of a team: what agents send in a run is kept and told once, when the run ends or its time is over.
 * It does not count parts. Survives a restart: what was gathered is in the store.
 */
import type { Clock, Timer } from '../clock.ts';
import { limits } from '../limits.ts';
import type { Mutation, Outcome } from '../moot.ts';
import { keyPart, tagged } from '../store/keys.ts';
import type { Store } from '../store/store.ts';

export interface Gathered {
  readonly run: string;
  /** In the order in which they came, each once. */
  readonly mutations: readonly Mutation[];
  /** The last message of the run, as far as it is plain JSON. */
  readonly message: Readonly<Record<string, unknown>>;
  /** Absent: its time was over first. */
  readonly outcome?: Outcome;
}

export interface GatherOptions {
  readonly store: Store;
  /** Id of the node. */
  readonly owner: string;
  readonly clock: Clock;
  /** From the first message of a run. */
  readonly deadlineMs: number;
  /** How a run ended, if it has and that is known. */
  readonly outcomeOf: (run: string) => Promise<Outcome | undefined>;
  readonly emit: (gathered: Gathered) => void;
}

export interface Gather {
  /** Resolves when it is kept. What comes after the run was told is left out: gives false. */
  take(run: string, mutations: readonly Mutation[], message: Readonly<Record<string, unknown>>): Promise<boolean>;
  /** A run has ended somewhere in this process. */
  ended(run: string, outcome: Outcome): void;
  /** Takes up what an earlier instance gathered. */
  resume(): Promise<void>;
  readonly open: number;
  /** `removed`: nobody will tell what was gathered. */
  close(removed: boolean): Promise<void>;
}

interface Entry {
  readonly run: string;
  readonly deadlineAt: number;
  mutations: readonly Mutation[];
  message: Readonly<Record<string, unknown>>;
  outcome?: Outcome;
  timer?: Timer | undefined;
}

interface Kept extends Omit<Entry, 'timer' | 'outcome'> {
  readonly v: 1;
}

export function createGather(options: GatherOptions): Gather {
  const { store, clock } = options;
  const entries = new Map<string, Entry>();
  const told = new Set<string>();
  let writes: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  const prefix = `${tagged(options.owner, 'gather')}:`;
  const keyOf = (run: string) => prefix + keyPart(run);

  /** Writes one after the other, so that a later one is never overtaken. */
  const inOrder = (write: () => Promise<unknown>): Promise<unknown> => {
    writes = writes.catch(() => undefined).then(write);
    return writes;
  };
  const keep = ({ run, deadlineAt, mutations, message }: Entry) =>
    inOrder(() =>
      store.put(keyOf(run), { v: 1, run, deadlineAt, mutations, message } satisfies Kept, {
        expiresInMs: Math.max(1, deadlineAt - clock.now()) + limits.runHardEndMs,
      }),
    );
  const tell = (entry: Entry) => {
    if (isClosed || !entries.delete(entry.run)) return;
    clock.clearTimer(entry.timer);
    remember(entry.run);
    const { run, mutations, message, outcome } = entry;
    options.emit({ run, mutations, message, ...(outcome ? { outcome } : {}) });
    inOrder(() => store.delete(keyOf(run))).catch(() => undefined);
  };
  const remember = (run: string) => {
    told.add(run);
    const oldest = told.values().next().value;
    if (told.size > limits.appliedMemory && oldest !== undefined) told.delete(oldest);
  };
  const wait = (entry: Entry, ms: number) => {
    clock.clearTimer(entry.timer);
    entry.timer = clock.setTimer(() => tell(entry), ms);
  };
  const end = (entry: Entry, outcome: Outcome) => {
    entry.outcome ??= outcome;
    // What the agents sent last is still on its way when the run ends.
    wait(entry, limits.gatherGraceMs);
  };
  const begin = (run: string, deadlineAt: number): Entry => {
    const entry: Entry = { run, deadlineAt, mutations: [], message: {} };
    entries.set(run, entry);
    wait(entry, Math.max(0, deadlineAt - clock.now()));
    const [oldest] = entries.values();
    if (entries.size > limits.gatheredRuns && oldest) tell(oldest);
    return entry;
  };
  const endIfOver = async (entry: Entry) => {
    const outcome = await options.outcomeOf(entry.run);
    if (outcome && entries.get(entry.run) === entry && !isClosed) end(entry, outcome);
  };

  return {
    async take(run, mutations, message) {
      if (isClosed || told.has(run)) return false;
      const known = entries.get(run);
      const entry = known ?? begin(run, clock.now() + options.deadlineMs);
      const ids = new Set(entry.mutations.map(({ id }) => id));
      const added = mutations.filter(({ id }) => !ids.has(id) && ids.add(id));
      entry.mutations = [...entry.mutations, ...added].slice(0, limits.boardMutations);
      entry.message = message;
      if (!known) await endIfOver(entry);
      if (entries.get(run) === entry) await keep(entry);
      return true;
    },
    ended(run, outcome) {
      const entry = entries.get(run);
      if (entry && !isClosed) end(entry, outcome);
    },
    async resume() {
      for (const { value } of await store.scan<Kept>(prefix)) {
        if (value.v !== 1 || entries.has(value.run) || isClosed) continue;
        const entry = begin(value.run, value.deadlineAt);
        entry.mutations = value.mutations;
        entry.message = value.message;
        await endIfOver(entry);
      }
    },
    get open() {
      return entries.size;
    },
    async close(removed) {
      isClosed = true;
      for (const { timer } of entries.values()) clock.clearTimer(timer);
      if (removed) for (const run of entries.keys()) void inOrder(() => store.delete(keyOf(run)));
      entries.clear();
      await writes.catch(() => undefined);
    },
  };
}
