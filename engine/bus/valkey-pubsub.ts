/**
 * The bus over Valkey's channels. A.M.I.C.A.'s topics (with `/` in front) have its framing (amica-frame.ts) and names with
 * dots; all others have ours (valkey-frame.ts). What of the bus contract channels can't do, all in one place:
 * - What is published while this process has no connection is lost for it: channels keep nothing. Use streams where that
 *   matters. What is retained is kept in a hash beside them and given again after each connect.
 * - A subscription can't be shared, and there is no last will.
 * - A message on one of A.M.I.C.A.'s topics needs its three properties and has no response topic, and is not retained.
 */
import { systemClock } from '../clock.ts';
import { folkmootError } from '../errors.ts';
import { amicaChannel, isAmicaTopic, writeAmicaFrame } from './amica-frame.ts';
import type { Bus, Outgoing } from './bus.ts';
import { settledState } from './subscribers.ts';
import { createValkeyBase } from './valkey-base.ts';
import type { ValkeyBusOptions } from './valkey-base.ts';
import { writeFrame } from './valkey-frame.ts';
import { createChannelPatterns } from './valkey-patterns.ts';
import type { ChannelPatterns } from './valkey-patterns.ts';
import { createRetained } from './valkey-retained.ts';

/** Throws FOLKMOOT_BAD_SETTING for an address that is none. Connects by itself; `onState` tells. */
export function createValkeyPubsubBus(options: ValkeyBusOptions): Bus {
  const clock = options.clock ?? systemClock;
  const retained = createRetained(clock);
  const base = createValkeyBase(options, {
    check: (topic, message) => void (isAmicaTopic(topic) && checkAmica(topic, message)),
    send: async (client, topic, message) => {
      if (isAmicaTopic(topic)) return void (await client.publish(amicaChannel(topic), writeAmicaFrame(topic, message)));
      const kept = message.retain ? retained.keep(client, topic, message) : undefined;
      await Promise.all([kept, client.publish(topic, writeFrame(message, clock.now()))]);
    },
    second: {
      connected: (client) => patterns.connected(client),
      bothUp: () => patterns.giveRetained(),
      disconnected: () => patterns.disconnected(),
    },
  });
  const patterns: ChannelPatterns = createChannelPatterns({
    problems: base.problems,
    clock,
    metrics: options.metrics,
    ready: () => settledState(base.state),
    retained: async (pattern) => (base.client && base.state.now === 'up' ? retained.read(base.client, pattern) : []),
  });
  return base.bus('valkey-pubsub', patterns);
}

function checkAmica(topic: string, message: Outgoing): void {
  if (message.retain) {
    throw folkmootError('FOLKMOOT_MESSAGE_INVALID', `Nothing is retained on "${topic}", which others share.`);
  }
  writeAmicaFrame(topic, message);
}
