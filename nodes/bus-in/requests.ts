/** Passes people's requests on to what bus in is wired to. */
import type { AmicaRequest } from '../../engine/bus/amica.ts';
import { amicaTopics } from '../../engine/bus/topics.ts';
import type { Backbone } from '../backbone/lease.ts';
import type { Red, RedMessage } from '../shared/red.ts';
import type { BusInKit } from './bus-in.ts';
import { doorOf } from './door.ts';
import { reachesAnything } from '../shared/next-nodes.ts';
import { refusePaused, tellPaused } from './paused.ts';

/** Gives what ends it. */
export async function takeRequests(kit: BusInKit, backbone: Backbone): Promise<(returns: boolean) => Promise<void>> {
  const door = doorOf(kit.RED, backbone);
  let isAlone = false;
  const accept = (request: AmicaRequest) => {
    if (refusePaused(backbone, door, request)) return;
    const wasAlone = isAlone;
    isAlone = !reachesAnything(kit.RED, kit.node);
    if (!isAlone) return kit.send(requestMessage(kit.RED, backbone, request));
    if (!wasAlone) kit.warn('Nobody gets what people ask: what this node is wired to is not there or disabled.');
    door.nobody(request);
  };
  const taken = await door.take({ owner: kit.id, deadlineMs: kit.config.replySeconds * 1000, accept });
  if (!taken.isFirst) {
    kit.warn('Another bus in node takes the requests of these connections already; this one gets none.');
  }
  const stopTelling = tellPaused(backbone, (text) => kit.warn(text));
  return (returns) => {
    stopTelling();
    return taken.leave({ returns });
  };
}

/** What a person asks, as a message that begins a run. */
export function requestMessage(RED: Red, { bus }: Pick<Backbone, 'bus'>, request: AmicaRequest): RedMessage {
  const { messageId: id, conversationId: conversation, userName: user, message, depth, arrivedAt: at } = request;
  const via = bus.kind.startsWith('valkey-') ? 'amica-valkey' : 'amica';
  return {
    _msgid: RED.util.generateId(),
    payload: message,
    topic: amicaTopics.requests,
    moot: {
      v: 1,
      conversation,
      ...(user ? { user } : {}),
      ...(depth ? { depth } : {}),
      request: { id, via, replyTo: amicaTopics.replies(id), ...(at === undefined ? {} : { at }) },
    },
  };
}
