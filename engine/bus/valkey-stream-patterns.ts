/** Who listens to which pattern of the bus's stream: one group for the process, one more for each share of work. */
import type { Redis } from 'ioredis';
import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';
import { createStreamGroup } from '../valkey/stream-group.ts';
import { isLater } from '../valkey/stream-id.ts';
import type { StreamEntry } from '../valkey/stream-entry.ts';
import { openGroup } from '../valkey/streams.ts';
import type { CommandLink, OpenGroup } from '../valkey/streams.ts';
import type { ValkeyServerAddress } from '../valkey/connection.ts';
import type { Bus, BusMessage } from './bus.ts';
import type { BusMetrics } from './metrics.ts';
import { createHeld } from './mqtt-held.ts';
import { callHandler, checkShare } from './subscribers.ts';
import type { Handler, Problems } from './subscribers.ts';
import { checkPattern, topicMatches } from './topics.ts';
import { dropForgotten, patternMemory, processGroup } from './valkey-stream-memory.ts';
import { busStream, messageOf } from './valkey-stream-message.ts';
import { isReply } from './valkey-outbox.ts';

export interface StreamPatternsOptions extends ValkeyServerAddress {
  readonly clock: Clock;
  readonly clientId: string;
  readonly metrics?: BusMetrics | undefined;
  readonly problems: Problems;
  readonly link: CommandLink;
  /** Also while the bus is being closed. */
  readonly sender: () => Redis | undefined;
  /** Resolves when the first try to connect has ended. */
  readonly ready: () => Promise<void>;
  readonly retained: (client: Redis, pattern: string) => Promise<readonly BusMessage[]>;
  readonly idleMs?: number;
  readonly inWork?: number;
}

export interface StreamPatterns {
  readonly subscribe: Bus['subscribe'];
  /** The connection that reads. */
  listening(reader: Redis): void;
  /** The process's group stands and is read. @param client For commands. */
  standing(client: Redis): Promise<void>;
  bothUp(): Promise<void>;
  disconnected(): void;
  /** Takes the process's group away: what comes from now on is for nobody. */
  close(reason: Error): Promise<void>;
}

interface Listener {
  readonly pattern: string;
  readonly handle: Handler;
  /** Entries up to this one were before its time. */
  after: string;
}

export function createStreamPatterns(options: StreamPatternsOptions): StreamPatterns {
  const { clock, problems, link, clientId } = options;
  const listeners = new Set<Listener>();
  const shares = new Set<OpenGroup>();
  const memory = patternMemory(options.sender, clientId, problems.report);
  let reader: Redis | undefined;
  let closed: Error | undefined;
  let wasUp = false;
  /** Patterns of the time before a crash, for which nobody has come yet. */
  let former = new Set<string>();
  const checkOpen = () => {
    if (closed) throw closed;
  };
  const held = createHeld({
    clock,
    ms: limits.streamResumeMs,
    over: () => (former = new Set()),
    unheard: () => undefined,
  });

  const give = ({ handle }: Pick<Listener, 'handle'>, message: BusMessage): Promise<void> | undefined =>
    callHandler(handle, { ...message, payload: Buffer.from(message.payload) }, problems);
  const receive = async ({ id, fields }: StreamEntry): Promise<void> => {
    const message = messageOf(fields, clock.now());
    if (!message) return;
    const found = [...listeners].filter(
      ({ pattern, after }) => topicMatches(pattern, message.topic) && isLater(id, after),
    );
    if (found.length > 0) options.metrics?.countIn(message.topic);
    if (found.length > 0) await Promise.all(found.flatMap((listener) => give(listener, message) ?? []));
    else if ([...former].some((pattern) => topicMatches(pattern, message.topic))) await held.hold(message);
  };
  const group = createStreamGroup({
    ...commonOf(options),
    group: processGroup(clientId),
    handle: receive,
  });

  const share = async (pattern: string, handle: Handler, name: string) => {
    const opened = openGroup(options, link, {
      ...commonOf(options),
      group: `share:${name}:${pattern}`,
      handle: async ({ fields }) => {
        const message = messageOf(fields, clock.now());
        if (message && topicMatches(pattern, message.topic)) await give({ handle }, message);
      },
    });
    shares.add(opened);
    if (link.client) await opened.ready;
    return {
      close: () => {
        shares.delete(opened);
        opened.close();
        return Promise.resolve();
      },
    };
  };
  const save = () => memory.save([...new Set([...former, ...[...listeners].map(({ pattern }) => pattern)])]);
  const giveRetained = async (client: Redis, of: Iterable<Listener>) => {
    for (const listener of of) {
      for (const message of await options.retained(client, listener.pattern)) {
        if (listeners.has(listener)) void give(listener, message);
      }
    }
  };

  return {
    async subscribe(pattern, handle, { share: name } = {}) {
      checkOpen();
      checkPattern(pattern);
      if (name !== undefined) checkShare(name);
      await options.ready();
      checkOpen();
      if (name !== undefined) return share(pattern, handle, name);
      const { client } = link;
      const isFormer = former.has(pattern);
      const listener = { pattern, handle, after: client && !isFormer ? await lastId(client) : '0-0' };
      listeners.add(listener);
      held.take(pattern, (message) => give(listener, message));
      save();
      if (client) await giveRetained(client, [listener]);
      return {
        close: () => {
          if (listeners.delete(listener)) save();
          return Promise.resolve();
        },
      };
    },
    listening: (own) => (reader = own),
    async standing(client) {
      if (!wasUp) {
        former = new Set(await memory.load());
        if (former.size > 0) held.begin();
        await dropForgotten(client, clientId);
      }
      if (reader) await group.connected(reader, client);
      wasUp = true;
    },
    async bothUp() {
      const { client } = link;
      if (client) await giveRetained(client, [...listeners]);
    },
    disconnected() {
      group.disconnected();
    },
    async close(reason) {
      closed = reason;
      listeners.clear();
      held.close();
      group.close();
      for (const opened of shares) opened.close();
      await memory.forget();
    },
  };
}

const commonOf = ({ clock, problems, clientId, idleMs, inWork }: StreamPatternsOptions) => ({
  key: busStream,
  consumer: clientId,
  clock,
  onProblem: problems.report,
  ...(idleMs === undefined ? {} : { idleMs }),
  ...(inWork === undefined ? {} : { inWork }),
});

/** Of the newest entry that there is; a handler hears what comes after it. */
async function lastId(client: Redis): Promise<string> {
  try {
    const [newest] = await client.xrevrange(busStream, '+', '-', 'COUNT', 1);
    return newest?.[0] ?? '0-0';
  } catch (error) {
    // Lost just now: whatever comes after the next connect is new.
    if (isReply(error)) throw error;
    return '0-0';
  }
}
