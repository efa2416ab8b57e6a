/**
 * Messages that Node-RED delivers in the next turn. A node that a deploy closes before that doesn't get them, and nobody
 * is told; so whoever sent them sees to it that the node in its place does.
 */
import { onStopping } from './flows-ready.ts';
import type { Red, RedMessage, RedNode, Sent } from './red.ts';
import { isOurs } from './walk.ts';
import { receiveWhenReady } from './when-ready.ts';

interface Sending {
  readonly node: RedNode;
  readonly message: Sent;
}

interface Delivery {
  readonly to: RedNode;
  readonly message: Partial<RedMessage>;
}

const underWay = new WeakMap<Red['events'], Set<Sending>>();

/** Called by every node's module function. */
export function watchSending(RED: Red): void {
  if (underWay.has(RED.events)) return;
  const sending = new Set<Sending>();
  underWay.set(RED.events, sending);
  onStopping(RED, ({ isDeploy }) => {
    if (!isDeploy) return;
    // Now they stand still, and after this turn Node-RED has delivered.
    const deliveries = [...sending].flatMap((one) => deliveriesOf(RED, one));
    setImmediate(() => {
      for (const { to, message } of deliveries) if (isLost(RED, to)) receiveWhenReady(RED, to.id, message);
    });
  });
}

/** Told of each message that a node of ours sends. */
export function sendsNow(RED: Red, node: RedNode, message: Sent): void {
  const sending = underWay.get(RED.events);
  if (!sending || message === null) return;
  const one = { node, message };
  sending.add(one);
  setImmediate(() => sending.delete(one));
}

function deliveriesOf(RED: Red, { node, message }: Sending): Delivery[] {
  const outputs = Array.isArray(message) ? (message as Exclude<Sent, Partial<RedMessage>>) : [message];
  return (outputs ?? []).flatMap((sent, port) => {
    const messages = [sent].flat() as (Partial<RedMessage> | null)[];
    const next = (node.wires?.[port] ?? []).flatMap((id) => RED.nodes.getNode(id) ?? []);
    return messages.flatMap((one) => (one ? next.map((to) => ({ to, message: RED.util.cloneMessage(one) })) : []));
  });
}

/** Ours keep what comes while they close; others that have closed listen no more. */
function isLost(RED: Red, to: RedNode): boolean {
  if (isOurs(to) || RED.nodes.getNode(to.id) === to) return false;
  const { _inputCallback: one, _inputCallbacks: several } = to as RedNode & Readonly<Record<string, unknown>>;
  return !one && !several;
}
