/** Passes people's requests on to what bus in is wired to, none of them into nodes that a deploy is closing. */
import type { AmicaRequest } from '../../engine/bus/amica.ts';
import { amicaTopics } from '../../engine/bus/topics.ts';
import type { AmicaDoor } from '../../engine/conversation/amica-door.ts';
import type { Backbone } from '../backbone/lease.ts';
import { onStopping } from '../shared/flows-ready.ts';
import type { RedMessage, RedNode } from '../shared/red.ts';
import { isOurs } from '../shared/walk.ts';
import type { BusInKit } from './bus-in.ts';
import { doorOf } from './door.ts';
import { liveNext, reachesAnything } from './next-nodes.ts';

/** Gives what ends it. */
export async function takeRequests(kit: BusInKit, backbone: Backbone): Promise<(returns: boolean) => Promise<void>> {
  const door = doorOf(kit.RED, backbone);
  const handover = createHandover(kit, door);
  const taken = await door.take({
    owner: kit.id,
    deadlineMs: kit.config.replySeconds * 1000,
    accept: handover.pass,
  });
  if (!taken.isFirst) {
    kit.warn('Another bus in node takes the requests of these connections already; this one gets none.');
  }
  return async (returns) => {
    handover.close();
    await taken.leave({ returns });
  };
}

interface Handover {
  readonly pass: (request: AmicaRequest) => void;
  close(): void;
}

function createHandover(kit: BusInKit, door: AmicaDoor): Handover {
  /** Node-RED delivers in the next turn; until then the message is with nobody. */
  const onTheWay = new Map<AmicaRequest, readonly RedNode[]>();
  let isAlone = false;
  const giveBackLost = (request: AmicaRequest, next: readonly RedNode[]) => {
    // Ours take messages also while they close; others that were closed never saw it.
    if (!next.some((node) => isOurs(node) || kit.RED.nodes.getNode(node.id) === node)) door.giveBack(request);
  };
  const forget = onStopping(kit.RED, ({ isDeploy }) => {
    if (!isDeploy) return;
    for (const [request, next] of onTheWay) setImmediate(giveBackLost, request, next);
  });
  return {
    pass(request) {
      const wasAlone = isAlone;
      isAlone = !reachesAnything(kit.RED, kit.node);
      if (isAlone) {
        if (!wasAlone) kit.warn('Nobody gets what people ask: what this node is wired to is not there or disabled.');
        return door.nobody(request);
      }
      const next = liveNext(kit.RED, kit.node);
      kit.send(requestMessage(kit, request));
      onTheWay.set(request, next);
      setImmediate(() => onTheWay.delete(request));
    },
    close: forget,
  };
}

function requestMessage(kit: BusInKit, request: AmicaRequest): RedMessage {
  const { messageId: id, conversationId: conversation, userName: user, message } = request;
  return {
    _msgid: kit.RED.util.generateId(),
    payload: message,
    topic: amicaTopics.requests,
    moot: {
      v: 1,
      conversation,
      ...(user ? { user } : {}),
      request: { id, via: 'amica', replyTo: amicaTopics.replies(id) },
    },
  };
}
