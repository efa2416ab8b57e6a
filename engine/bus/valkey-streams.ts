/**
 * The bus over one Valkey stream: every message is an entry of it, and every process a consumer group, so that each hears
 * everything, also what came while it was away for a moment. Acknowledged when all handlers of a message are through; a
 * message that a crash interrupted comes again. Those who share work are members of one group. What is retained is kept in
 * a hash beside the stream, since streams are trimmed; a last will there is not.
 */
import type { Redis } from 'ioredis';
import { systemClock } from '../clock.ts';
import { limits } from '../limits.ts';
import type { Bus } from './bus.ts';
import { settledState } from './subscribers.ts';
import { createValkeyBase } from './valkey-base.ts';
import type { ValkeyBusOptions } from './valkey-base.ts';
import { createRetained } from './valkey-retained.ts';
import { busStream, fieldsOf } from './valkey-stream-message.ts';
import { createStreamPatterns } from './valkey-stream-patterns.ts';
import type { StreamPatterns } from './valkey-stream-patterns.ts';

export interface ValkeyStreamsBusOptions extends ValkeyBusOptions {
  /** Defaults `limits.streamEntries`, `.streamAgeMs`, `.streamIdleMs`, `.streamInWork`. */
  readonly entries?: number;
  readonly ageMs?: number;
  readonly idleMs?: number;
  readonly inWork?: number;
}

/** Throws FOLKMOOT_BAD_SETTING for an address that is none. Connects by itself; `onState` tells. */
export function createValkeyStreamsBus(options: ValkeyStreamsBusOptions): Bus {
  const clock = options.clock ?? systemClock;
  const retained = createRetained(clock);
  const most = String(options.entries ?? limits.streamEntries);
  let trimmedAt = -Infinity;
  const trim = async (client: Redis) => {
    const now = clock.now();
    if (now - trimmedAt < trimEveryMs) return;
    trimmedAt = now;
    await client.xtrim(busStream, 'MINID', '~', String(now - (options.ageMs ?? limits.streamAgeMs)));
  };
  const base = createValkeyBase(options, {
    send: async (client, topic, message) => {
      const kept = message.retain ? retained.keep(client, topic, message) : undefined;
      const added = client.xadd(busStream, 'MAXLEN', '~', most, '*', ...fieldsOf(topic, message, clock.now()));
      await Promise.all([kept, added]);
      await trim(client);
    },
    second: {
      connected: (client) => {
        patterns.listening(client);
        return Promise.resolve();
      },
      standing: (client) => patterns.standing(client),
      bothUp: () => patterns.bothUp(),
      disconnected: () => patterns.disconnected(),
    },
  });
  const patterns: StreamPatterns = createStreamPatterns({
    ...options,
    clock,
    clientId: base.clientId,
    problems: base.problems,
    link: {
      get client() {
        return base.state.now === 'up' ? base.client : undefined;
      },
      onState: (listener) => base.state.on((state, reason) => listener(state === 'up', reason)),
    },
    sender: () => base.client,
    ready: () => settledState(base.state),
    retained: (client, pattern) => retained.read(client, pattern),
  });
  return base.bus('valkey-streams', patterns);
}

const trimEveryMs = 60_000;
