/** Houses on one bus, without Node-RED: each with a registry, its cards, and agents that answer as a spec says. */
import assert from 'node:assert/strict';
import type { AgentDefinition } from '../engine/agent/definition.ts';
import type { Bus } from '../engine/bus/bus.ts';
import { withHandover } from '../engine/bus/handover.ts';
import { createInProcessBus } from '../engine/bus/in-process.ts';
import type { Sender } from '../engine/bus/our-properties.ts';
import { fakeClock, type Clock, type FakeClock } from '../engine/clock.ts';
import { limits } from '../engine/limits.ts';
import type { AskAnswer } from '../engine/moot.ts';
import { createAskService, type AskService, type DirectedAsk } from '../engine/registry/ask-service.ts';
import type { Refusal } from '../engine/registry/answering.ts';
import { createCards, type Cards } from '../engine/registry/cards.ts';
import { askDirected, type UncheckedAnswer } from '../engine/registry/directed-ask.ts';
import { createPresence, type Presence, type ProcessIdentity } from '../engine/registry/presence.ts';
import { createRegistry, type Registry } from '../engine/registry/registry.ts';
import { createRegistryService } from '../engine/registry/registry-service.ts';
import { createEmbeddedStore } from '../engine/store/embedded.ts';
import type { Store } from '../engine/store/store.ts';

export const someAgent = (agentId: string, more: Partial<AgentDefinition> = {}): AgentDefinition => ({
  agentId,
  name: agentId,
  description: `does ${agentId}`,
  topics: [],
  parameters: [],
  accepts: [],
  generates: [],
  instructions: 'When it rains: stay inside',
  functions: [],
  ...more,
});

export interface House {
  readonly identity: ProcessIdentity;
  readonly sender: Sender;
  readonly bus: Bus;
  readonly store: Store;
  readonly registry: Registry;
  readonly cards: Cards;
  readonly presence: Presence;
  readonly problems: string[];
  /** Answers asks to this id until the house closes. */
  serve(
    id: string,
    work: (ask: DirectedAsk) => Promise<AskAnswer>,
    refusal?: Refusal,
    rest?: () => string | undefined,
  ): AskService;
  close(): Promise<void>;
}

export async function openHouse(options: {
  readonly bus: Bus;
  readonly house: string;
  readonly process?: string;
  readonly clock: Clock;
  readonly since?: string;
  readonly store?: Store;
  readonly repeatSeconds?: number;
}): Promise<House> {
  const { bus, house, clock, process = `process-of-${house}`, since = new Date(clock.now()).toISOString() } = options;
  const store = options.store ?? createEmbeddedStore({ path: ':memory:', clock });
  const identity = { house, process, since };
  const problems: string[] = [];
  const report = (problem: unknown) => void problems.push(String(problem));
  const registry = createRegistry({ bus, store, house, process, clock, report });
  const presence = createPresence(bus, identity, { clock, report, repeatSeconds: options.repeatSeconds });
  const cards = createCards({ ...identity, bus, registry, clock, report });
  const services: { close(): Promise<void> }[] = [];
  const sender = { house, process };
  const common = { bus, messages: registry.messages, sender, report };
  services.push(createRegistryService({ ...common, process, registry, refusal: () => undefined }));
  await registry.ready;
  return {
    identity,
    sender,
    bus,
    store,
    registry,
    cards,
    presence,
    problems,
    serve(id, work, refusal = () => undefined, rest = () => undefined) {
      const service = createAskService({ ...common, id, refusal, rest, clock, kinds: ['step', 'debate'], work });
      services.push(service);
      return service;
    },
    async close() {
      for (const service of services) await service.close();
      cards.close();
      await presence.close();
      await registry.close();
      if (!options.store) await store.close();
    },
  };
}

export const aBus = (clock: Clock): Bus => withHandover(createInProcessBus({ clock }), { clock });

export const answered = (payload: unknown, more: Partial<AskAnswer> = {}): AskAnswer => ({
  status: 'answered',
  payload,
  mutations: [],
  ...more,
});

/** The house `south` asks the agent `lamp-agent` of the house `north`. Made anew before each test. */
export interface AskedHouse {
  readonly clock: FakeClock;
  readonly bus: Bus;
  readonly north: House;
  readonly south: House;
  /** What the agent was given to do. */
  readonly works: DirectedAsk[];
  /** Lets what is on its way arrive. */
  settle(): Promise<void>;
  serve(answer: (ask: DirectedAsk) => AskAnswer | Promise<AskAnswer>): AskService;
  ask(payload?: unknown, more?: Partial<Parameters<typeof askDirected>[0]>): Promise<UncheckedAnswer>;
}

export const never = (): Promise<AskAnswer> => new Promise<AskAnswer>(() => undefined);

async function openAsked(): Promise<AskedHouse & { close(): Promise<void> }> {
  const clock = fakeClock();
  const bus = aBus(clock);
  const north = await openHouse({ bus, clock, house: 'north' });
  const south = await openHouse({ bus, clock, house: 'south' });
  north.cards.join(someAgent('lamp-agent', { name: 'Lamp' }), () => undefined);
  const works: DirectedAsk[] = [];
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await clock.advance(0);
  };
  await settle();
  return {
    ...{ clock, bus, north, south, works, settle },
    serve: (answer) =>
      north.serve('lamp-agent', async (ask) => {
        works.push(ask);
        return answer(ask);
      }),
    ask: (payload = 'light on', more = {}) =>
      askDirected({
        clock,
        bus,
        registry: south.registry,
        sender: south.sender,
        agentId: 'lamp-agent',
        kind: 'step',
        payload,
        moot: { v: 1, run: 'r1', conversation: 'c1', user: 'anna', depth: 1, ask: { id: 'ask:r1/s1' } },
        deadlineMs: 5_000,
        signal: new AbortController().signal,
        ...more,
      }),
    async close() {
      await north.close();
      await south.close();
      await bus.close();
      await clock.advance(limits.registryReadyMs);
      assert.equal(clock.waiting, 0);
    },
  };
}

/** Arranges both houses for a suite. After each test nothing waits. */
export function askedHouse(): () => AskedHouse {
  let opened: Awaited<ReturnType<typeof openAsked>>;
  beforeEach(async () => {
    opened = await openAsked();
  });
  afterEach(() => opened.close());
  return () => opened;
}
