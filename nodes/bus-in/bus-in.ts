/** Takes in what people ask over the bus, or what comes on a topic of it. */
import type { Bus } from '../../engine/bus/bus.ts';
import { checkPattern } from '../../engine/bus/topics.ts';
import { createBadReports } from '../../engine/conversation/intake-reports.ts';
import { folkmootError } from '../../engine/errors.ts';
import { leaseBackbone, type Backbone } from '../backbone/lease.ts';
import { defineNode, type NodeKit } from '../shared/define-node.ts';
import { processClock } from '../shared/process.ts';
import { isDeploying } from '../shared/flows-ready.ts';
import type { Red } from '../shared/red.ts';
import { busInFields } from './bus-in.fields.ts';
import { takeEvents } from './events.ts';
import { takeRequests } from './requests.ts';
import { payloadOf } from './topic-payload.ts';

export type BusInKit = NodeKit<typeof busInFields>;

export default function busIn(RED: Red): void {
  defineNode(RED, {
    type: 'folkmoot-bus-in',
    fields: busInFields,
    start(kit) {
      const { config } = kit;
      if (config.mode === 'topic' && config.topic === '') {
        throw folkmootError('FOLKMOOT_BAD_SETTING', `The topic of "${kit.node.name ?? kit.node.type}" is blank.`);
      }
      if (config.mode === 'topic') checkPattern(config.topic);
      const lease = leaseBackbone(RED, config.backbone);
      const listening = lease.ready.then((backbone) => listen(kit, backbone));
      listening.catch((error: unknown) => {
        if (kit.signal.aborted) return;
        kit.status('failed');
        kit.error(error);
      });
      return {
        async close() {
          const returns = isDeploying(RED);
          const stop = await listening.catch(() => undefined);
          await stop?.(returns);
          await lease.release();
        },
      };
    },
  });
}

/** `returns`: it is only made anew by a deploy. */
type Stop = (returns: boolean) => Promise<void> | void;

const takers: Readonly<Record<BusInKit['config']['mode'], (kit: BusInKit, backbone: Backbone) => Promise<Stop>>> = {
  requests: takeRequests,
  topic: takeTopic,
  events: (kit, backbone) => takeEvents(kit, backbone, 'ConversationEnded'),
  presence: (kit, backbone) => takeEvents(kit, backbone, 'Presence'),
};

/** Gives what ends it. */
async function listen(kit: BusInKit, backbone: Backbone): Promise<Stop> {
  const closers: Stop[] = [];
  const stop: Stop = async (returns) => {
    for (const close of closers.splice(0)) await close(returns);
  };
  try {
    kit.status('connecting');
    closers.push(await takers[kit.config.mode](kit, backbone));
    // Only now: "connected" says that what people ask is heard.
    closers.push(showState(kit, backbone.bus));
    return stop;
  } catch (error) {
    await stop(false);
    throw error;
  }
}

function showState(kit: BusInKit, bus: Bus): () => void {
  return bus.onState((state, reason) => {
    if (state === 'closed') return;
    kit.status(state === 'up' ? 'connected' : state === 'down' ? 'disconnected' : 'connecting');
    if (state === 'down') kit.warn(`No connection: ${reason ?? 'it was lost'}. It is tried again.`);
  });
}

async function takeTopic(kit: BusInKit, { bus, metrics }: Backbone): Promise<() => Promise<void>> {
  const reports = createBadReports({ clock: processClock, metrics, report: (problem) => kit.warn(problem.message) });
  const subscription = await bus.subscribe(kit.config.topic, (message) => {
    const read = payloadOf(message.payload);
    if ('fault' in read) {
      const { topic, payload } = message;
      return reports.count({ topic, reason: read.fault, detail: read.detail, payload });
    }
    kit.send({
      payload: read.payload,
      topic: message.topic,
      ...(message.retained ? { retain: true } : {}),
      ...(Object.keys(message.properties).length > 0 ? { userProperties: { ...message.properties } } : {}),
      ...(message.responseTopic ? { responseTopic: message.responseTopic } : {}),
    });
  });
  return async () => {
    reports.close();
    await subscription.close();
  };
}
