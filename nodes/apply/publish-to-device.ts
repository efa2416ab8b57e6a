/** What a device row sends leaves over the bus of this node, at once or not at all: a door is not opened an hour later. */
import type { Order } from '../../engine/apply/decide.ts';
import { whenUp } from '../../engine/bus/when-up.ts';
import { sleep } from '../../engine/clock.ts';
import type { DeviceMessage } from '../../engine/devices/device.ts';
import { folkmootError } from '../../engine/errors.ts';
import { limits } from '../../engine/limits.ts';
import type { Backbone } from '../backbone/lease.ts';
import { processClock } from '../shared/process.ts';
import type { ApplyKit } from './apply-engine.ts';

/**
 * Resolves when the broker has acknowledged all, in their order. Rejects with FOLKMOOT_BUS_LOST when it isn't there, and
 * with FOLKMOOT_DEADLINE when it says nothing for the time of the row.
 */
export async function publishToDevice(
  { signal }: Pick<ApplyKit, 'signal'>,
  { bus }: Pick<Backbone, 'bus'>,
  { messages = [], place }: Order,
  told: (published: readonly DeviceMessage[]) => void,
): Promise<void> {
  if (bus.state === 'connecting')
    await whenUp(bus, { clock: processClock, timeoutMs: limits.busConnectTimeoutMs, signal });
  const over = new AbortController();
  const late = sleep(processClock, place.row.waitMs, AbortSignal.any([signal, over.signal])).then(() => {
    throw folkmootError('FOLKMOOT_DEADLINE', 'The broker did not confirm it.');
  });
  try {
    for (const { topic, payload, retain = false } of messages)
      await Promise.race([late, bus.publish(topic, { payload, retain, onlyNow: true }, signal)]);
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
  told(messages);
}
