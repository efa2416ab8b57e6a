/** One list of who is or was here, out of what several processes tell. What they tell is not trusted. */
import { limits } from '../limits.ts';
import { emptyRoll, type Roll, type SeenAgent, type SeenProcess, type SeenTool, type SeenUser } from './roll.ts';

type Entry = Readonly<Record<string, unknown>>;

/** What another process answered as its roll; what is in no right form is left out. */
export function readRoll(value: unknown): Roll {
  if (!value || typeof value !== 'object') return emptyRoll;
  const lists = value as Entry;
  const read = <T>(name: string, texts: readonly string[], statuses: readonly string[]): T[] =>
    (Array.isArray(lists[name]) ? (lists[name] as unknown[]) : []).slice(0, limits.registryEntries).flatMap((one) => {
      const entry = (one ?? {}) as Entry;
      const seenAt = entry['seenAt'];
      const isGood =
        typeof seenAt === 'number' &&
        Number.isFinite(seenAt) &&
        statuses.includes(String(entry['status'])) &&
        texts.every((text) => typeof entry[text] === 'string' && entry[text].length <= 2_000);
      if (!isGood) return [];
      return [Object.fromEntries([...texts, 'status', 'seenAt'].map((text) => [text, entry[text]])) as T];
    });
  const comesAndGoes = ['online', 'offline', 'gone'];
  return {
    v: 1,
    processes: read<SeenProcess>('processes', ['process', 'house', 'since'], ['online', 'offline']),
    agents: read<SeenAgent>('agents', ['id', 'name', 'description', 'house', 'process'], comesAndGoes),
    tools: read<SeenTool>('tools', ['id', 'name', 'purpose', 'channel', 'house', 'process'], comesAndGoes),
    users: read<SeenUser>('users', ['user'], ['here', 'away']),
  };
}

/** The first roll counts for what it knows; of people, who was heard last. Sorted by name. */
export function mergedRoll(own: Roll, others: readonly Roll[]): Roll {
  const all = [own, ...others];
  const first = <T>(lists: readonly (readonly T[])[], key: (entry: T) => string): T[] => {
    const found = new Map<string, T>();
    for (const entry of lists.flat()) if (!found.has(key(entry))) found.set(key(entry), entry);
    return [...found].sort(([a], [b]) => a.localeCompare(b)).map(([, entry]) => entry);
  };
  const users = all.flatMap((roll) => roll.users).sort((a, b) => b.seenAt - a.seenAt);
  return {
    v: 1,
    processes: first(
      all.map((roll) => roll.processes),
      ({ house, process }) => `${house} ${process}`,
    ),
    agents: first(
      all.map((roll) => roll.agents),
      ({ id }) => id,
    ),
    tools: first(
      all.map((roll) => roll.tools),
      ({ id }) => id,
    ),
    users: first([users], ({ user }) => user),
  };
}
