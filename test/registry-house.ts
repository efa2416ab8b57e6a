/** Houses on one bus, without Node-RED: each with a registry, its cards, and agents that answer as a spec says. */
import type { AgentDefinition } from '../engine/agent/definition.ts';
import type { Bus } from '../engine/bus/bus.ts';
import { createInProcessBus } from '../engine/bus/in-process.ts';
import type { Sender } from '../engine/bus/our-properties.ts';
import type { Clock } from '../engine/clock.ts';
import type { AskAnswer } from '../engine/moot.ts';
import { createAskService, type AskService, type DirectedAsk } from '../engine/registry/ask-service.ts';
import type { Refusal } from '../engine/registry/answering.ts';
import { createCards, type Cards } from '../engine/registry/cards.ts';
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
  serve(id: string, work: (ask: DirectedAsk) => Promise<AskAnswer>, refusal?: Refusal): AskService;
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
    serve(id, work, refusal = () => undefined) {
      const service = createAskService({ ...common, id, refusal, clock, kinds: ['step', 'debate'], work });
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

export const aBus = (clock: Clock): Bus => createInProcessBus({ clock });

export const answered = (payload: unknown, more: Partial<AskAnswer> = {}): AskAnswer => ({
  status: 'answered',
  payload,
  mutations: [],
  ...more,
});
