/** Takes in what people ask over the bus, or what comes on a topic of it. */
import type { BusState } from '../../engine/bus/bus.ts';
import { checkPattern } from '../../engine/bus/topics.ts';
import { folkmootError } from '../../engine/errors.ts';
import { leaseBackbone, type Backbone } from '../backbone/lease.ts';
import { defineNode, type NodeKit } from '../shared/define-node.ts';
import { isDeploying } from '../shared/flows-ready.ts';
import type { Red } from '../shared/red.ts';
import { busInFields } from './bus-in.fields.ts';
import { takeCounters } from './counters.ts';
import { takeEvents } from './events.ts';
import { takeRequests } from './requests.ts';
import { checkStream, takeStream } from './stream.ts';
import { takeTopic } from './topic.ts';

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
      if (config.mode === 'stream') checkStream(config);
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
  stream: takeStream,
  counters: takeCounters,
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
    closers.push(showState(kit, backbone));
    return stop;
  } catch (error) {
    await stop(false);
    throw error;
  }
}

/** Both connections have to stand: without its memory the house can only say that it has none. */
function showState(kit: BusInKit, { bus, store }: Backbone): () => void {
  const show = () => {
    const states = [bus.state, store.link?.state ?? 'up'];
    if (states.includes('closed')) return;
    kit.status(states.includes('down') ? 'disconnected' : states.includes('connecting') ? 'connecting' : 'connected');
  };
  const stops = ([bus, store.link] as const).map((connection) =>
    connection?.onState((state: BusState, reason?: string) => {
      show();
      if (state === 'down') kit.warn(`No connection: ${reason ?? 'it was lost'}. It is tried again.`);
    }),
  );
  return () => stops.forEach((stop) => stop?.());
}
