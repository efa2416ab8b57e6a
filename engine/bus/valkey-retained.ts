/** What is retained on a Valkey bus: one hash, topic by topic, since channels and streams keep nothing of the kind. */
import type { Redis } from 'ioredis';
import type { Clock } from '../clock.ts';
import { folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { BusMessage, Outgoing } from './bus.ts';
import { topicMatches } from './topics.ts';
import { readFrame, writeFrame } from './valkey-frame.ts';

const key = 'folkmoot:{bus}:retained';

export interface Retained {
  /** An empty payload takes it away. Throws FOLKMOOT_BUS_FULL. */
  keep(client: Redis, topic: string, message: Outgoing): Promise<void>;
  /** Those that match, marked as retained. */
  read(client: Redis, pattern: string): Promise<BusMessage[]>;
}

export function createRetained(clock: Clock): Retained {
  const stillGood = async (client: Redis, topic: string, bytes: Buffer): Promise<BusMessage[]> => {
    const { message, untilMs } = readFrame(topic, bytes, true);
    if (untilMs > clock.now()) return [message];
    await client.hdel(key, topic);
    return [];
  };
  return {
    async keep(client, topic, message) {
      // Sent off before anything is awaited: what one sender publishes keeps its order.
      if (message.payload.length === 0) return void (await client.hdel(key, topic));
      const written = client.hset(key, topic, writeFrame(message, clock.now()));
      const [isNew, count] = await Promise.all([written, client.hlen(key)]);
      if (isNew === 0 || count <= limits.busRetained) return;
      await client.hdel(key, topic);
      throw folkmootError('FOLKMOOT_BUS_FULL', `${count} retained messages are kept on this server already.`);
    },
    async read(client, pattern) {
      if (!/[+#]/.test(pattern)) {
        const bytes = await client.hgetBuffer(key, pattern);
        return bytes ? stillGood(client, pattern, bytes) : [];
      }
      const all = await client.hgetallBuffer(key);
      const found = Object.entries(all).filter(([topic]) => topicMatches(pattern, topic));
      const read = await Promise.all(found.map(([topic, bytes]) => stillGood(client, topic, bytes)));
      return read.flat();
    },
  };
}
