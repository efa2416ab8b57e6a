/** Passes what happens on the connections on to what bus in is wired to. */
import { hearSystemEvents, type SystemEventKind } from '../../engine/events/system-events.ts';
import type { Backbone } from '../backbone/lease.ts';
import { processClock } from '../shared/process.ts';
import { sendAcross } from '../shared/when-ready.ts';
import type { BusInKit } from './bus-in.ts';

/** Gives what ends it. */
export async function takeEvents(
  kit: BusInKit,
  { bus }: Backbone,
  kind: SystemEventKind,
): Promise<(returns: boolean) => Promise<void>> {
  const subscription = await hearSystemEvents({
    bus,
    clock: processClock,
    kinds: [kind],
    hear: ({ record, payload, topic, isRetained }) =>
      sendAcross(kit, {
        _msgid: kit.RED.util.generateId(),
        payload,
        topic,
        ...(isRetained ? { retain: true } : {}),
        moot: { v: 1, event: [record] },
      }),
    report: (problem) => kit.warn(problem.message),
  });
  return (returns) => subscription.close(returns ? {} : undefined);
}
