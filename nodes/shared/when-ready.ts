/** Messages on their way while a deploy makes nodes anew: Node-RED would drop them, for nobody is there to get them. */
import { afterDeploy, areFlowsReady, isDeploying } from './flows-ready.ts';
import type { Red, RedMessage, RedNode, Sent } from './red.ts';

/** The part of a node's kit that sends. */
interface Sender {
  readonly RED: Red;
  readonly id: string;
  readonly signal: AbortSignal;
  readonly send: (message: Sent) => void;
}

interface Waiting {
  readonly id: string;
  readonly go: (node: RedNode) => void;
}

const waiting = new WeakMap<Red['events'], Waiting[]>();
/** More are dropped, the oldest first. */
const most = 5_000;

/** Sends it by the node that has this id when all nodes stand. If there is none then, or they are stopped, nobody gets it. */
export function sendWhenReady(RED: Red, id: string, message: Sent): void {
  whenReady(RED, { id, go: (node) => node.send(message) });
}

/** Sends what came from outside: what a deploy comes in between leaves through the node in this one's place. */
export function sendAcross({ RED, id, signal, send }: Sender, message: Sent): void {
  if (signal.aborted && isDeploying(RED)) sendWhenReady(RED, id, message);
  else send(message);
}

/** Gives it to the node that has this id when all nodes stand, after all that came to one of them before. */
export function receiveWhenReady(RED: Red, id: string, message: Partial<RedMessage>): void {
  whenReady(RED, { id, go: (node) => node.receive(message) });
}

function whenReady(RED: Red, one: Waiting): void {
  const found = waiting.get(RED.events);
  const list = found ?? [];
  list.push(one);
  if (list.length > most) list.shift();
  if (found) return;
  waiting.set(RED.events, list);
  afterDeploy(RED, () => {
    waiting.delete(RED.events);
    if (!areFlowsReady(RED)) return;
    for (const { id, go } of list) {
      const node = RED.nodes.getNode(id);
      if (node) go(node);
    }
  });
}
