/** The subscriptions of one connection to Valkey's channels: counted per channel, made again after each connect. */
import type { Redis } from 'ioredis';
import type { Clock } from '../clock.ts';
import { asError, folkmootError } from '../errors.ts';
import type { Bus, BusMessage } from './bus.ts';
import type { BusMetrics } from './metrics.ts';
import { callHandler } from './subscribers.ts';
import type { Problems } from './subscribers.ts';
import { checkPattern } from './topics.ts';
import { isAmicaTopic } from './amica-frame.ts';
import { channelOf, readChannel } from './valkey-channels.ts';
import type { Channel } from './valkey-channels.ts';
import { createListeners } from './valkey-listeners.ts';
import type { ListenedPattern, Listener } from './valkey-listeners.ts';
import { isReply } from './valkey-outbox.ts';

export interface ChannelPatternsOptions {
  readonly problems: Problems;
  readonly clock: Clock;
  readonly metrics?: BusMetrics | undefined;
  /** Resolves when the first try to connect has ended. */
  readonly ready: () => Promise<void>;
  readonly retained: (pattern: string) => Promise<readonly BusMessage[]>;
}

export interface ChannelPatterns {
  readonly subscribe: Bus['subscribe'];
  /** Resolves when all subscriptions stand or were refused. */
  connected(client: Redis): Promise<void>;
  /** Everything that is retained, to everybody: what changed meanwhile was missed. */
  giveRetained(): Promise<void>;
  disconnected(): void;
  close(reason: Error): void;
}

export function createChannelPatterns(options: ChannelPatternsOptions): ChannelPatterns {
  const { problems, clock } = options;
  const listeners = createListeners();
  const heard = new WeakSet<Redis>();
  let client: Redis | undefined;
  let closed: Error | undefined;
  const checkOpen = () => {
    if (closed) throw closed;
  };

  const give = (entry: ListenedPattern, message: BusMessage, only?: Listener) => {
    for (const listener of only ? [only] : [...entry.handlers]) {
      if (!entry.handlers.has(listener)) continue;
      void callHandler(listener.handle, { ...message, payload: Buffer.from(message.payload) }, problems);
    }
  };
  const receive = (from: Channel, channel: string, bytes: Buffer) => {
    for (const entry of [...listeners.all]) {
      const own = channelOf(entry.pattern);
      if (own.isGlob !== from.isGlob || own.name !== from.name) continue;
      const read = readChannel(entry.pattern, channel, bytes);
      if (!read) continue;
      if ('fault' in read) {
        options.metrics?.dropped(read.topic, 'no frame of five parts');
        problems.report(
          folkmootError('FOLKMOOT_MESSAGE_INVALID', `A message on "${read.topic}" was dropped: ${read.fault}`),
        );
      } else if (read.untilMs > clock.now()) {
        options.metrics?.countIn(read.message.topic);
        give(entry, read.message);
      }
    }
  };
  const hear = (own: Redis) => {
    if (heard.has(own)) return;
    heard.add(own);
    own.on('messageBuffer', (channel: Buffer, bytes: Buffer) => {
      const name = channel.toString();
      receive({ isGlob: false, name }, name, bytes);
    });
    own.on('pmessageBuffer', (glob: string | Buffer, channel: Buffer, bytes: Buffer) =>
      receive({ isGlob: true, name: glob.toString() }, channel.toString(), bytes),
    );
  };

  /** Rejects only when the server refuses; a lost connection subscribes again by itself. */
  const make = async (pattern: string) => {
    const { isGlob, name } = channelOf(pattern);
    try {
      if (isGlob) await client?.psubscribe(name);
      else await client?.subscribe(name);
    } catch (error) {
      if (isReply(error)) throw refused(pattern, error);
    }
  };
  const drop = async ({ pattern }: ListenedPattern) => {
    const { isGlob, name } = channelOf(pattern);
    const isShared = [...listeners.all].some((other) => {
      const own = channelOf(other.pattern);
      return own.isGlob === isGlob && own.name === name;
    });
    if (isShared) return;
    // A connection that is lost takes its subscriptions with it.
    await (isGlob ? client?.punsubscribe(name) : client?.unsubscribe(name))?.catch(() => undefined);
  };
  const giveRetained = async (entry: ListenedPattern, only?: Listener) => {
    // Nothing is retained there, so that rights to the channels are all that it takes.
    if (isAmicaTopic(entry.pattern)) return;
    for (const message of await options.retained(entry.pattern)) give(entry, message, only);
  };

  return {
    async subscribe(pattern, handle, { share } = {}) {
      checkOpen();
      checkPattern(pattern);
      channelOf(pattern);
      if (share) {
        const what = 'Channels of Valkey give every message to everybody, so that the work can not be shared.';
        throw folkmootError('FOLKMOOT_BAD_SETTING', what);
      }
      await options.ready();
      checkOpen();
      const { entry, listener } = listeners.add(pattern, handle);
      try {
        await make(pattern);
        // One that was lost meanwhile gives it after the next connect.
        await giveRetained(entry, listener).catch((error: unknown) => {
          if (isReply(error)) throw refused(pattern, error);
        });
      } catch (error) {
        listeners.remove(entry, listener);
        throw error;
      }
      return {
        async close() {
          if (listeners.remove(entry, listener) === 'last' && !closed) await drop(entry);
        },
      };
    },
    async connected(own) {
      client = own;
      hear(own);
      const all = [...listeners.all];
      await Promise.all(all.map(({ pattern }) => make(pattern).catch((error: unknown) => problems.report(error))));
    },
    async giveRetained() {
      for (const entry of [...listeners.all]) await giveRetained(entry);
    },
    disconnected: () => (client = undefined),
    close(reason) {
      closed = reason;
      client = undefined;
      listeners.clear();
    },
  };
}

const refused = (pattern: string, error: unknown): Error => {
  const what = `The server refused to subscribe to "${pattern}": ${asError(error).message}.`;
  return folkmootError('FOLKMOOT_BUS_REFUSED', what, error);
};
