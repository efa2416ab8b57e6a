/**
 * Who is or was here (P9): processes by their presence, agents and tools by their cards, people by what they ask. An agent
 * is offline when its process is. Kept in the store under `folkmoot:{<house>}:agents`, capped and aged.
 */
import type { Bus, BusMessage, Subscription } from '../bus/bus.ts';
import { createOurMessages, type OurMessages } from '../bus/our-message.ts';
import { ourPatterns, ourTopics } from '../bus/topics.ts';
import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';
import type { Store } from '../store/store.ts';
import { createAbsences, type Absences } from './absences.ts';
import { createCardShelf, type CardShelf, type Known } from './card-shelf.ts';
import { retainedCame } from './fence.ts';
import { watchOutages } from './outage.ts';
import { createRollStore } from './roll-store.ts';
import { createShelf, seenProcess, type Roll, type SeenProcess, type Shelf } from './roll.ts';

export type KnownAgent = Known<'card'>;
export type KnownTool = Known<'tool'>;

export interface Registry {
  readonly messages: OurMessages;
  /** Resolves when what the broker has retained has come, or can't be had now. */
  readonly ready: Promise<void>;
  agent(id: string): KnownAgent | undefined;
  agents(): readonly KnownAgent[];
  tool(id: string): KnownTool | undefined;
  tools(): readonly KnownTool[];
  process(id: string): SeenProcess | undefined;
  /**
   * Milliseconds until what is known of others can be relied on: more than 0 while the connection is lost (`Infinity`)
   * and until others had their time to come back. `onChange` tells when that is over.
   */
  readonly unsureMs: number;
  /** A person asked something. */
  heardUser(user: string): void;
  roll(): Roll;
  /** Called after each change. Gives what ends it. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface RegistryOptions {
  readonly bus: Bus;
  readonly store: Store;
  readonly house: string;
  readonly process: string;
  readonly clock: Clock;
  /** Gets what is wrong with messages of others, at most once a minute for each kind. */
  readonly report: (problem: Error) => void;
}

interface Heard {
  readonly processes: Shelf<SeenProcess>;
  readonly agents: CardShelf<'card'>;
  readonly tools: CardShelf<'tool'>;
  readonly users: Shelf<{ readonly user: string; readonly seenAt: number }>;
}

export function createRegistry(options: RegistryOptions): Registry {
  const { clock } = options;
  const messages = createOurMessages(options);
  const listeners = new Set<() => void>();
  const kept = createRollStore(options, () => rollOf(heard, clock));
  const changed = () => {
    kept.save();
    for (const listener of [...listeners]) listener();
  };
  const processes = createShelf<SeenProcess>(({ status }) => status === 'online');
  const shelves = { messages, clock, changed, statusOf: (process: string) => processes.get(process)?.status };
  const heard: Heard = {
    processes,
    agents: createCardShelf({ ...shelves, kind: 'card' }),
    tools: createCardShelf({ ...shelves, kind: 'tool' }),
    users: createShelf(() => false),
  };
  const absences = createAbsences(clock, (process) => {
    const known = processes.get(process);
    if (known) processes.set(process, { ...known, status: 'offline' });
    changed();
  });
  const outage = watchOutages(options.bus, clock, (forgotAt = -Infinity) => {
    for (const one of processes.all()) {
      const isGone = one.status === 'online' && one.seenAt <= forgotAt;
      if (isGone) processes.set(one.process, { ...one, status: 'offline' });
    }
    changed();
  });
  const subscriptions = listen(options, heard, presenceReader(heard, messages, absences, clock, changed));
  subscriptions.catch((error: Error) => options.report(error));
  const begin = async () => {
    restore(heard, await kept.load());
    await subscriptions.catch(() => undefined);
    const fence = ourTopics.answers(`${options.process}-fence`);
    await retainedCame(options.bus, fence, clock).catch(() => undefined);
    changed();
  };
  return {
    messages,
    ready: begin(),
    agent: (id) => heard.agents.get(id),
    agents: () => heard.agents.all(),
    tool: (id) => heard.tools.get(id),
    tools: () => heard.tools.all(),
    process: (id) => processes.get(id),
    get unsureMs() {
      return outage.unsureMs;
    },
    heardUser(given) {
      const user = given.trim().slice(0, limits.registryNameChars);
      if (user === '') return;
      heard.users.set(user, { user, seenAt: clock.now() });
      changed();
    },
    roll: () => rollOf(heard, clock),
    onChange(listener) {
      const own = () => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    async close() {
      listeners.clear();
      absences.close();
      outage.close();
      messages.close();
      await kept.close();
      const made = await subscriptions.catch((): Subscription[] => []);
      await Promise.allSettled(made.map((one) => one.close()));
    },
  };
}

const listen = ({ bus }: RegistryOptions, { agents, tools }: Heard, onPresence: (message: BusMessage) => void) =>
  Promise.all([
    bus.subscribe(ourPatterns.presence, onPresence),
    bus.subscribe(ourPatterns.agents, agents.receive),
    bus.subscribe(ourPatterns.tools, tools.receive),
  ]);

const presenceReader =
  ({ processes }: Heard, messages: OurMessages, absences: Absences, clock: Clock, changed: () => void) =>
  (message: BusMessage): void => {
    if (message.payload.length === 0) return;
    const body = messages.read('presence', message);
    if (!body) return;
    if (message.topic !== ourTopics.presence(body.process)) {
      const detail = `It tells of "${body.process}", which is not what the topic names.`;
      return messages.drop('presence', message, 'wrong topic', detail);
    }
    processes.set(body.process, seenProcess(body, clock.now()));
    absences.heard(body);
    changed();
  };

/** What was heard meanwhile is newer than what was kept. */
function restore({ processes, agents, tools, users }: Heard, roll: Roll): void {
  for (const one of roll.processes) {
    if (!processes.get(one.process)) processes.set(one.process, { ...one, status: 'offline' });
  }
  agents.restore(roll.agents);
  tools.restore(roll.tools);
  for (const { user, seenAt } of roll.users) if (!users.get(user)) users.set(user, { user, seenAt });
}

function rollOf({ processes, agents, tools, users }: Heard, clock: Clock): Roll {
  const oldest = clock.now() - limits.registryAgeMs;
  const here = clock.now() - limits.userHereMs;
  processes.age(oldest, ({ status }) => status === 'offline');
  users.age(oldest, () => true);
  return {
    v: 1,
    processes: processes.all(),
    agents: agents.kept(oldest),
    tools: tools.kept(oldest),
    users: users.all().map(({ user, seenAt }) => ({ user, status: seenAt >= here ? 'here' : 'away', seenAt })),
  };
}
