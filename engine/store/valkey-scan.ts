/** Scans of the Valkey store: by an owner's index, or, for prefixes that name no owner, through all indexes. */
import type { Redis } from 'ioredis';
import { afterPrefix } from './keys.ts';
import type { StoreRecord } from './store.ts';
import { evaluate, type ValkeyCalls } from './valkey-calls.ts';
import type { Owner, ValkeyKeys } from './valkey-keys.ts';
import { scanScript } from './valkey-scripts.ts';

export interface Scan {
  readonly prefix: string;
  /** Keys greater than this one. */
  readonly after: string;
  readonly limit: number;
}

/** Order by code points, which is that of the bytes in UTF-8. */
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

export async function scanRecords<T>(calls: ValkeyCalls, keys: ValkeyKeys, scan: Scan): Promise<StoreRecord<T>[]> {
  if (scan.limit <= 0) return calls.run(async () => []);
  const owner = keys.ownerOfPrefix(scan.prefix);
  return calls.run((client) => (owner ? scanOwner<T>(client, owner, scan) : scanAll<T>(client, keys, scan)));
}

async function scanOwner<T>(client: Redis, owner: Owner, { prefix, after, limit }: Scan): Promise<StoreRecord<T>[]> {
  const { head, index, records } = owner;
  const own = prefix.startsWith(head) ? prefix.slice(head.length) : '';
  const isInside = after.startsWith(head) && compare(after, prefix) >= 0;
  if (!isInside && compare(after, head) > 0 && compare(after, prefix) > 0) return [];
  const below = afterPrefix(own);
  const from = isInside && after !== '' ? `(${after.slice(head.length)}` : `[${own}`;
  const to = own === '' || below === undefined ? '+' : `(${below}`;
  const found = (await evaluate(client, scanScript, [index], [records, from, to, String(limit)])) as string[];
  const list: StoreRecord<T>[] = [];
  for (let n = 0; n + 1 < found.length; n += 2) list.push(recordOf<T>(head + (found[n] ?? ''), found[n + 1] ?? ''));
  return list;
}

/** For looking around: reads the names of all indexes. Owners come one after the other, so it ends when enough is found. */
async function scanAll<T>(client: Redis, keys: ValkeyKeys, scan: Scan): Promise<StoreRecord<T>[]> {
  const owners = (await indexesOf(client, keys.indexes)).map(keys.ownerOfIndex);
  const mayHold = ({ head }: Owner) => head === '' || head.startsWith(scan.prefix) || scan.prefix.startsWith(head);
  const found: StoreRecord<T>[] = [];
  let ordered = 0;
  for (const owner of owners.filter(mayHold).sort((a, b) => compare(a.head, b.head))) {
    if (ordered >= scan.limit) break;
    const records = await scanOwner<T>(client, owner, scan);
    if (owner.head !== '') ordered += records.length;
    found.push(...records);
  }
  return found.sort((a, b) => compare(a.key, b.key)).slice(0, scan.limit);
}

async function indexesOf(client: Redis, pattern: string): Promise<string[]> {
  const found = new Set<string>();
  let cursor = '0';
  do {
    const [next, names] = await client.scan(cursor, 'MATCH', pattern, 'COUNT', 1_000);
    for (const name of names) found.add(name);
    cursor = next;
  } while (cursor !== '0');
  return [...found];
}

/** A record as it lies in Valkey: revision, expiry, JSON. */
export function recordOf<T>(key: string, text: string): StoreRecord<T> {
  const first = text.indexOf(':');
  const second = text.indexOf(':', first + 1);
  const expiry = text.slice(first + 1, second);
  const record = { key, value: JSON.parse(text.slice(second + 1)) as T, revision: Number(text.slice(0, first)) };
  return expiry === '' ? record : { ...record, expiresAt: Number(expiry) };
}
