/**
 * The cards of this process's agents: retained, published again after each connect, taken away when an agent is deleted.
 * Where another house holds an agent's id, ours takes its house's name in front (contracts.md 5).
 */
import type { AgentDefinition } from '../agent/definition.ts';
import type { Bus } from '../bus/bus.ts';
import type { CardBody } from '../bus/our-payloads.ts';
import { senderProperties } from '../bus/our-properties.ts';
import { createRetained } from '../bus/retained.ts';
import { ourTopics } from '../bus/topics.ts';
import type { Clock } from '../clock.ts';
import { folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { ProcessIdentity } from './presence.ts';
import { busAgentId } from './card-shelf.ts';
import type { KnownAgent, Registry } from './registry.ts';

export interface Card {
  /** Publishes it anew when it has changed. */
  update(agent: AgentDefinition): void;
  /** The agent was deleted: its card is taken away. */
  remove(): void;
  /** The agent is made anew or the process ends: the card stays, and its process's presence tells. */
  close(): void;
}

export interface Cards {
  /**
   * An agent that is here from now on.
   * @param onId Its id on the bus, when it is known and whenever it changes.
   */
  join(agent: AgentDefinition, onId: (id: string) => void): Card;
  /** Resolves when the broker has what was published so far. */
  settled(): Promise<void>;
  close(): void;
}

export interface CardsOptions extends ProcessIdentity {
  readonly bus: Bus;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly report: (problem: unknown) => void;
}

interface Member {
  agent: AgentDefinition;
  readonly onId: (id: string) => void;
  id: string | undefined;
  contests: number;
}

export function createCards(options: CardsOptions): Cards {
  const { bus, registry, clock, house, process, report } = options;
  const retained = createRetained(bus, report);
  const members = new Set<Member>();
  let isWarned = false;

  const publish = ({ id, agent }: Member) => {
    if (id === undefined) return;
    const properties = senderProperties({ agentId: agent.agentId, house, process });
    retained.set(ourTopics.agent(id), JSON.stringify(cardOf(agent, options)), properties);
  };

  const isRival = (known: KnownAgent | undefined): known is KnownAgent & { readonly card: CardBody } =>
    known?.card !== undefined && known.card.house !== house;

  const take = (member: Member, id: string) => {
    if (member.id === id || !members.has(member)) return;
    member.id = id;
    publish(member);
    member.onId(id);
  };

  const choose = (member: Member) => {
    const { agentId } = member.agent;
    const own = busAgentId(house, agentId);
    if (isRival(registry.agent(agentId))) return take(member, own);
    // From a time when another house held the id.
    if (registry.agent(own)?.card?.house === house) retained.remove(ourTopics.agent(own));
    take(member, agentId);
  };

  /** Both began at once: the older card stays, and where that can't be told, that of the house first by name. */
  const isOlder = ({ card }: KnownAgent & { readonly card: CardBody }): boolean => {
    const [theirs, ours] = [card.since ?? '', options.since];
    return theirs === ours ? (card.house ?? '') < house : theirs < ours;
  };

  const contest = (member: Member) => {
    const { id, agent } = member;
    if (id !== agent.agentId) return;
    const known = registry.agent(id);
    if (isRival(known)) {
      if (isOlder(known) || ++member.contests > limits.cardContests) take(member, busAgentId(house, agent.agentId));
      else retained.again(ourTopics.agent(id));
    } else if (known?.card && known.process !== process && registry.process(known.process)?.status === 'online') {
      warnOnce(agent.agentId);
    }
  };

  /** Once for all agents: who starts the same home twice has each of them twice. */
  const warnOnce = (agentId: string) => {
    if (isWarned) return;
    isWarned = true;
    const what =
      `Another Node-RED on this broker says that it is the house "${house}" too, and has an agent "${agentId}" as this one, so both are asked. ` +
      `Give one of the two another name: "House" in its connections, or FOLKMOOT_HOUSE where that sets it.`;
    report(folkmootError('FOLKMOOT_BAD_SETTING', what));
  };

  const unwatch = registry.onChange(() => members.forEach(contest));

  /** Cards of agents that were deleted while this process was not running, or that have another id since a deploy. */
  const sweep = () => {
    const held = new Set([...members].map(({ id }) => id));
    for (const { id, card } of registry.agents()) {
      if (card?.process === process && !held.has(id)) retained.remove(ourTopics.agent(id));
    }
  };
  let timer = clock.setTimer(sweep, limits.deployLingerMs);
  let isClosed = false;
  const sweepLater = () => {
    if (isClosed) return;
    clock.clearTimer(timer);
    timer = clock.setTimer(sweep, limits.deployLingerMs);
  };

  return {
    join(agent, onId) {
      const member: Member = { agent, onId, id: undefined, contests: 0 };
      members.add(member);
      void registry.ready.then(() => choose(member));
      return {
        update(changed) {
          member.agent = changed;
          publish(member);
        },
        remove() {
          members.delete(member);
          if (member.id !== undefined) retained.remove(ourTopics.agent(member.id));
        },
        close() {
          members.delete(member);
          sweepLater();
        },
      };
    },
    settled: async () => {
      await registry.ready;
      await retained.settled();
    },
    close() {
      isClosed = true;
      clock.clearTimer(timer);
      unwatch();
      members.clear();
      retained.close();
    },
  };
}

function cardOf(agent: AgentDefinition, { process, house, since }: ProcessIdentity): CardBody {
  const { agentId, name, description, topics, parameters, accepts, generates, functions } = agent;
  const body = { v: 1 as const, agentId, name, description, topics, parameters, accepts, generates };
  return { ...body, functions, process, house, since };
}
