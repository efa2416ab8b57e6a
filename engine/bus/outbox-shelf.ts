/** What waits to leave, kept in the store so that a crash loses none of it: `folkmoot:{<house>}:outbox:<process>:<n>`. */
import { keyPart, tagged } from '../store/keys.ts';
import { scanAll } from '../store/scan-all.ts';
import type { Store } from '../store/store.ts';
import { readVersioned } from '../store/versioned.ts';
import type { Outgoing } from './bus.ts';

export interface KeptMessage {
  /** Told by receivers from another message: the same in each repetition. */
  readonly id: string;
  readonly topic: string;
  readonly message: Outgoing;
  /** When it was given to us; milliseconds since the epoch. */
  readonly at: number;
}

export interface OutboxShelf {
  /** What an earlier process left, oldest first. */
  load(): Promise<readonly KeptMessage[]>;
  put(kept: KeptMessage): Promise<void>;
  drop(id: string): Promise<void>;
}

interface OutboxRecord {
  readonly v: 1;
  readonly id: string;
  readonly topic: string;
  readonly at: number;
  readonly message: Omit<Outgoing, 'payload'>;
  readonly text?: string;
  readonly base64?: string;
}

/** Records of a process that never comes again go away by themselves. */
const expiresInMs = 60 * 24 * 3_600_000;

export function createOutboxShelf(options: {
  readonly store: Store;
  readonly house: string;
  readonly processId: string;
  /** Gets what can't be read; it stays where it is. */
  readonly report: (problem: unknown) => void;
}): OutboxShelf {
  const { store, house } = options;
  const prefix = tagged(house, 'outbox', keyPart(options.processId), '');
  const keys = new Map<string, string>();
  let count = 0;
  return {
    async load() {
      const found: KeptMessage[] = [];
      for await (const record of scanAll<OutboxRecord>(store, prefix)) {
        count = Math.max(count, Number(record.key.slice(prefix.length)));
        try {
          const kept = read(readVersioned(record, 1));
          keys.set(kept.id, record.key);
          found.push(kept);
        } catch (error) {
          options.report(error);
        }
      }
      return found;
    },
    async put(kept) {
      const key = `${prefix}${String(++count).padStart(15, '0')}`;
      keys.set(kept.id, key);
      await store.put(key, written(kept), { expiresInMs });
    },
    async drop(id) {
      const key = keys.get(id);
      keys.delete(id);
      if (key) await store.delete(key);
    },
  };
}

function written({ id, topic, at, message: { payload, ...message } }: KeptMessage): OutboxRecord {
  const body = typeof payload === 'string' ? { text: payload } : { base64: Buffer.from(payload).toString('base64') };
  return { v: 1, id, topic, at, message, ...body };
}

const read = ({ id, topic, at, message, text, base64 = '' }: OutboxRecord): KeptMessage => ({
  id,
  topic,
  at,
  message: { ...message, payload: text ?? Buffer.from(base64, 'base64') },
});
