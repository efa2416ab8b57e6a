/** Passes what comes on a topic on to what bus in is wired to. */
import type { BusMessage } from '../../engine/bus/bus.ts';
import { createBadReports } from '../../engine/conversation/intake-reports.ts';
import type { Backbone } from '../backbone/lease.ts';
import { processClock } from '../shared/process.ts';
import { sendAcross } from '../shared/when-ready.ts';
import type { BusInKit } from './bus-in.ts';
import { payloadOf } from './topic-payload.ts';

/** Gives what ends it. */
export async function takeTopic(
  kit: BusInKit,
  { bus, metrics }: Backbone,
): Promise<(returns: boolean) => Promise<void>> {
  const reports = createBadReports({ clock: processClock, metrics, report: (problem) => kit.warn(problem.message) });
  const { topic, shareWork, shareName } = kit.config;
  const take = (message: BusMessage) => {
    const read = payloadOf(message.payload);
    if ('fault' in read) {
      const { topic, payload } = message;
      return reports.count({ topic, reason: read.fault, detail: read.detail, payload });
    }
    sendAcross(kit, {
      payload: read.payload,
      topic: message.topic,
      ...(message.retained ? { retain: true } : {}),
      ...(Object.keys(message.properties).length > 0 ? { userProperties: { ...message.properties } } : {}),
      ...(message.responseTopic ? { responseTopic: message.responseTopic } : {}),
    });
  };
  const subscription = await bus.subscribe(topic, take, shareWork ? { share: shareName } : {});
  return async (returns) => {
    reports.close();
    await subscription.close(returns ? {} : undefined);
  };
}
