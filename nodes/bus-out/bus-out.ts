/** Sends the answer to the person who asked, or publishes on a topic of the bus. */
import { checkOwnTopic } from '../../engine/bus/topics.ts';
import { whenUp } from '../../engine/bus/when-up.ts';
import { isDecline } from '../../engine/conversation/foreign-responders.ts';
import { folkmootError } from '../../engine/errors.ts';
import { limits } from '../../engine/limits.ts';
import { isAmicaRequest, type Moot, type RequestInfo } from '../../engine/moot.ts';
import { leaseBackbone, type Backbone } from '../backbone/lease.ts';
import { doorOf } from '../bus-in/door.ts';
import { markReplier } from '../shared/next-nodes.ts';
import { defineNode, type NodeKit } from '../shared/define-node.ts';
import { mootOf } from '../shared/message.ts';
import { askRegistry, processClock } from '../shared/process.ts';
import type { Red, RedMessage } from '../shared/red.ts';
import { busOutFields } from './bus-out.fields.ts';
import { tellEnded } from './ended.ts';
import { asPublished, wordsOf } from './out-payload.ts';
import { showWaiting } from './show-waiting.ts';
import { aborted, whileReached } from './while-reached.ts';
import { answerStream, sendToStream } from './stream.ts';

export type BusOutKit = NodeKit<typeof busOutFields>;

export default function busOut(RED: Red): void {
  defineNode(RED, {
    type: 'folkmoot-bus-out',
    fields: busOutFields,
    start(kit) {
      const lease = leaseBackbone(RED, kit.config.backbone);
      if (kit.config.mode === 'reply') markReplier(kit.node);
      // What keeps it from opening is told to each input.
      const showing = lease.ready
        .then((backbone) => showWaiting(backbone, (state, text) => kit.status(state, text)))
        .catch(() => undefined);
      return {
        async input(message, context) {
          if (askRegistry.take(message, kit.id).kind === 'pass') return context.passOver();
          const backbone = await lease.ready;
          if (kit.config.mode === 'topic') await publish(kit, backbone, message, context.signal);
          else if (kit.config.mode === 'events') await tellEnded(backbone, message);
          else if (kit.config.mode === 'stream') await sendToStream(kit, backbone, message);
          else await whileReached(reply(kit, backbone, message), backbone, context.signal);
        },
        async close() {
          void showing.then((stop) => stop?.());
          await lease.release();
        },
      };
    },
  });
}

async function publish(kit: BusOutKit, { bus }: Backbone, message: RedMessage, signal: AbortSignal): Promise<void> {
  const topic = kit.config.topic || (typeof message.topic === 'string' ? message.topic : '');
  if (topic === '') {
    throw folkmootError('FOLKMOOT_BAD_INPUT', 'There is no topic, neither in the node nor in msg.topic.');
  }
  checkOwnTopic(topic);
  const payload = asPublished(message.payload);
  const onlyNow = kit.config.whenDown === 'fail';
  const retain = message['retain'] === true;
  if (onlyNow) {
    // The first connection of a start is on its way; one that was lost is not waited for.
    if (bus.state === 'connecting') {
      await whenUp(bus, { clock: processClock, timeoutMs: limits.busConnectTimeoutMs, signal });
    }
    return bus.publish(topic, { payload, retain, onlyNow, keep: 'store' }, signal);
  }
  const published = bus.publish(topic, { payload, retain, keep: 'store' });
  // What waits for the broker leaves also when this node was closed meanwhile: the connection outlives a deploy.
  published.catch(() => undefined);
  await Promise.race([published, aborted(signal)]);
}

async function reply(kit: BusOutKit, backbone: Backbone, message: RedMessage): Promise<void> {
  const moot = mootOf(message);
  const { request } = moot;
  if (!request) {
    // A run of the flow's own, such as one that a sensor began: nobody waits for words.
    if (moot.run) return;
    throw folkmootError('FOLKMOOT_BAD_INPUT', 'The message belongs to no request, so there is nobody to answer.');
  }
  if (request.via === 'stream') return void answerStream(kit, backbone, message);
  if (!isAmicaRequest(request) || moot.late) return;
  if (backbone.bus.kind === 'in-process') {
    throw folkmootError(
      'FOLKMOOT_BUS_NEEDS_BROKER',
      'People’s requests are answered over an MQTT broker, and none is named.',
    );
  }
  const words = wordsOf(message.payload);
  if (words === undefined) return;
  await answer(kit, backbone, moot, request, words);
}

async function answer(
  kit: BusOutKit,
  backbone: Backbone,
  moot: Moot,
  request: RequestInfo,
  words: string,
): Promise<void> {
  const { desk, wasAnswered } = doorOf(kit.RED, backbone);
  const isLast = moot.outcome !== undefined || moot.report !== undefined;
  const send = () =>
    isLast ? desk.finish(request.id, words, { declines: isDecline(moot) }) : desk.part(request.id, words);
  if ((await send()) !== 'unknown' || !moot.conversation || (await wasAnswered(request.id))) return;
  // Asked before the last start: whoever waits still gets the answer of the run that went on.
  const expected = { id: request.id, conversation: moot.conversation, ...(moot.user ? { user: moot.user } : {}) };
  if (desk.expect(expected, { deadlineMs: limits.runDeadlineMs })) await send();
}
