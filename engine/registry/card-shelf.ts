/** Agents or tools by their retained cards: what comes on their topics, and what is known of them from earlier. */
import type { BusMessage } from '../bus/bus.ts';
import type { OurMessages } from '../bus/our-message.ts';
import type { CardBody, ToolBody } from '../bus/our-payloads.ts';
import type { Clock } from '../clock.ts';
import { createShelf, seenAgent, seenTool, type HereStatus, type SeenAgent, type SeenTool } from './roll.ts';

interface Bodies {
  readonly card: CardBody;
  readonly tool: ToolBody;
}
interface Entries {
  readonly card: SeenAgent;
  readonly tool: SeenTool;
}

/** With its card; absent for one that is known from earlier only, or has gone. */
export type Known<K extends keyof Bodies> = Entries[K] & { readonly card?: Bodies[K] };

export interface CardShelf<K extends keyof Bodies> {
  readonly receive: (message: BusMessage) => void;
  get(id: string): Known<K> | undefined;
  all(): readonly Known<K>[];
  /** As they are kept: without cards, aged. */
  kept(oldest: number): readonly Entries[K][];
  restore(entries: readonly Entries[K][]): void;
}

export interface CardShelfOptions<K extends keyof Bodies> {
  readonly kind: K;
  readonly messages: OurMessages;
  readonly clock: Clock;
  /** Of a process that has a presence. */
  readonly statusOf: (process: string) => HereStatus | undefined;
  readonly changed: () => void;
}

export function createCardShelf<K extends keyof Bodies>(options: CardShelfOptions<K>): CardShelf<K> {
  const { kind, messages, clock, statusOf, changed } = options;
  const shelf = createShelf<Known<K>>(({ card }) => card !== undefined);

  /** A program without a presence is here as long as its card is; one whose presence was never heard may be. */
  const withStatus = (entry: Known<K>): Known<K> => {
    if (!entry.card) return entry;
    const status = entry.process === '' ? 'online' : (statusOf(entry.process) ?? 'online');
    return { ...entry, status } as Known<K>;
  };

  return {
    receive(message) {
      const id = message.topic.slice(message.topic.lastIndexOf('/') + 1);
      if (message.payload.length === 0) {
        const known = shelf.get(id);
        if (!known) return;
        shelf.set(id, { ...withoutCard(known), status: 'gone', seenAt: clock.now() } as Known<K>);
        return changed();
      }
      const card = messages.read(kind, message) as Bodies[K] | undefined;
      if (!card) return;
      if (!idsOf(card).includes(id)) {
        const detail = `It tells of "${idsOf(card)[0] ?? ''}", which is not what the topic names.`;
        return messages.drop(kind, message, 'wrong topic', detail);
      }
      shelf.set(id, { ...entryOf(id, card, clock.now()), card } as unknown as Known<K>);
      changed();
    },
    get(id) {
      const entry = shelf.get(id);
      return entry && withStatus(entry);
    },
    all: () => shelf.all().map(withStatus),
    kept(oldest) {
      shelf.age(oldest, (entry) => withStatus(entry).status !== 'online');
      return shelf.all().map((entry) => withoutCard(withStatus(entry)));
    },
    restore(entries) {
      for (const entry of entries) {
        if (shelf.get(entry.id)) continue;
        const status = entry.status === 'gone' ? 'gone' : 'offline';
        shelf.set(entry.id, { ...entry, status } as Known<K>);
      }
    },
  };
}

function withoutCard<K extends keyof Bodies>(entry: Known<K>): Entries[K] {
  const { card: _card, ...rest } = entry;
  return rest as unknown as Entries[K];
}

/** What the last level of its topic may be. */
const idsOf = (card: CardBody | ToolBody): readonly string[] =>
  'toolId' in card ? [card.toolId] : [card.agentId, busAgentId(card.house ?? '', card.agentId)];

const entryOf = (id: string, card: CardBody | ToolBody, seenAt: number): SeenAgent | SeenTool =>
  'toolId' in card ? seenTool(card, 'online', seenAt) : seenAgent(id, card, 'online', seenAt);

/** An agent's id on the bus where another house holds its own (contracts.md 5). */
export const busAgentId = (house: string, agentId: string): string =>
  `${house.replace(/[^A-Za-z0-9._-]+/g, '-')}-${agentId}`.slice(0, 128);
