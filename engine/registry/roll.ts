/** Lists of who is or was here: capped, aged, plain data. What the registry keeps and shows. */
import type { CardBody, PresenceBody, ToolBody } from '../bus/our-payloads.ts';
import { limits } from '../limits.ts';

/** `offline`: its process is, or it was never heard since this one began. `gone`: it took its card away. */
export type HereStatus = 'online' | 'offline' | 'gone';

export interface SeenProcess {
  readonly process: string;
  readonly house: string;
  readonly status: 'online' | 'offline';
  /** ISO 8601. */
  readonly since: string;
  /** Milliseconds since the epoch of what was last heard of it. */
  readonly seenAt: number;
}

export interface SeenAgent {
  /** On the bus: the agentId, with its house in front where another house holds that id. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly house: string;
  readonly process: string;
  readonly status: HereStatus;
  readonly seenAt: number;
}

export interface SeenTool {
  readonly id: string;
  readonly name: string;
  readonly purpose: string;
  readonly channel: string;
  readonly house: string;
  readonly process: string;
  readonly status: HereStatus;
  readonly seenAt: number;
}

export interface SeenUser {
  readonly user: string;
  /** `here`: heard within `limits.userHereMs`. */
  readonly status: 'here' | 'away';
  readonly seenAt: number;
}

/** What the registry shows, and what is kept in the store. */
export interface Roll {
  readonly v: 1;
  readonly processes: readonly SeenProcess[];
  readonly agents: readonly SeenAgent[];
  readonly tools: readonly SeenTool[];
  readonly users: readonly SeenUser[];
}

export const emptyRoll: Roll = { v: 1, processes: [], agents: [], tools: [], users: [] };

/** A list by key that holds at most `limits.registryEntries`: the one that was heard least lately makes room. */
export interface Shelf<T extends { readonly seenAt: number }> {
  readonly get: (key: string) => T | undefined;
  readonly set: (key: string, entry: T) => void;
  readonly all: () => T[];
  /** Takes out what was last heard before this time and may go. */
  readonly age: (before: number, mayGo: (entry: T) => boolean) => void;
}

/** @param isDear An entry that is kept while there is another one: somebody who is here. */
export function createShelf<T extends { readonly seenAt: number }>(isDear: (entry: T) => boolean): Shelf<T> {
  const entries = new Map<string, T>();
  const makeRoom = () => {
    const [first, ...others] = [...entries];
    if (!first || entries.size <= limits.registryEntries) return;
    const rank = (entry: T) => (isDear(entry) ? 1 : 0);
    const least = others.reduce((one, other) => {
      const by = rank(other[1]) - rank(one[1]) || other[1].seenAt - one[1].seenAt;
      return by < 0 ? other : one;
    }, first);
    entries.delete(least[0]);
  };
  return {
    get: (key) => entries.get(key),
    set(key, entry) {
      entries.set(key, entry);
      makeRoom();
    },
    all: () => [...entries.values()],
    age(before, mayGo) {
      for (const [key, entry] of entries) if (entry.seenAt < before && mayGo(entry)) entries.delete(key);
    },
  };
}

export const seenProcess = ({ process, house, status, since }: PresenceBody, seenAt: number): SeenProcess => ({
  process,
  house,
  status,
  since,
  seenAt,
});

export const seenAgent = (id: string, card: CardBody, status: HereStatus, seenAt: number): SeenAgent => ({
  id,
  name: card.name,
  description: card.description ?? '',
  house: card.house ?? '',
  process: card.process ?? '',
  status,
  seenAt,
});

export const seenTool = (card: ToolBody, status: HereStatus, seenAt: number): SeenTool => ({
  id: card.toolId,
  name: card.name,
  purpose: card.purpose,
  channel: card.channel,
  house: card.house ?? '',
  process: card.process ?? '',
  status,
  seenAt,
});
