/** Messages that are sent while a deploy makes nodes anew: Node-RED would drop them, for nobody is there to get them. */
import { afterDeploy, areFlowsReady } from './flows-ready.ts';
import type { Red, Sent } from './red.ts';

interface Waiting {
  readonly id: string;
  readonly message: Sent;
}

const waiting = new WeakMap<Red['events'], Waiting[]>();
/** More are dropped, the oldest first. */
const most = 5_000;

/** Sends it by the node that has this id when all nodes stand. If there is none then, or they are stopped, nobody gets it. */
export function sendWhenReady(RED: Red, id: string, message: Sent): void {
  const found = waiting.get(RED.events);
  const list = found ?? [];
  list.push({ id, message });
  if (list.length > most) list.shift();
  if (found) return;
  waiting.set(RED.events, list);
  afterDeploy(RED, () => {
    waiting.delete(RED.events);
    if (!areFlowsReady(RED)) return;
    for (const one of list) RED.nodes.getNode(one.id)?.send(one.message);
  });
}
