/** What of a process outlives it on the server: its group, and the patterns that it listened to. */
import type { Redis } from 'ioredis';
import { limits } from '../limits.ts';
import { busStream } from './valkey-stream-message.ts';

export const processGroup = (clientId: string): string => `process:${clientId}`;
const patternsKey = (clientId: string): string => `folkmoot:{bus}:patterns:${clientId}`;

export interface StreamPatternMemory {
  /** Of the time before the last start, if it ended by a crash. */
  load(): Promise<readonly string[]>;
  save(patterns: readonly string[]): void;
  /** At an end on purpose: nothing waits for this process any more. */
  forget(): Promise<void>;
}

export function patternMemory(
  client: () => Redis | undefined,
  clientId: string,
  report: (problem: unknown) => void,
): StreamPatternMemory {
  const key = patternsKey(clientId);
  return {
    async load() {
      const text = await client()?.get(key);
      if (!text) return [];
      const read = JSON.parse(text) as unknown;
      return Array.isArray(read) ? read.filter((pattern) => typeof pattern === 'string') : [];
    },
    save(patterns) {
      const written = client()?.set(key, JSON.stringify(patterns), 'PX', limits.streamGroupExpiryMs);
      written?.catch((error: unknown) => {
        if (error instanceof Error && error.name === 'ReplyError') report(error);
      });
    },
    async forget() {
      const own = client();
      await own?.xgroup('DESTROY', busStream, processGroup(clientId)).catch(() => undefined);
      await own?.del(key).catch(() => undefined);
    },
  };
}

/** Groups of processes that crashed and never came back would keep their pending entries for ever. */
export async function dropForgotten(client: Redis, clientId: string): Promise<void> {
  const groups = await rowsOf(client, 'GROUPS', busStream);
  const names = groups.map((row) => String(row['name']));
  for (const name of names.filter((own) => own.startsWith('process:') && own !== processGroup(clientId))) {
    const members = await rowsOf(client, 'CONSUMERS', busStream, name);
    const isForgotten = members.every((row) => Number(row['idle']) > limits.streamGroupExpiryMs);
    if (isForgotten && members.length > 0) await client.xgroup('DESTROY', busStream, name);
  }
}

/** XINFO's rows as objects; none while there is no stream. */
async function rowsOf(client: Redis, ...words: readonly string[]): Promise<Record<string, unknown>[]> {
  const rows = (await client.call('XINFO', ...words).catch(() => [])) as readonly (readonly unknown[])[];
  return rows.map((row) =>
    Object.fromEntries(row.flatMap((name, at) => (at % 2 === 0 ? [[String(name), row[at + 1]] as const] : []))),
  );
}
