/** Whether what a node sends gets anywhere, right now. */
import type { Red, RedNode } from './red.ts';

function liveNext(RED: Red, node: RedNode, port?: number): readonly RedNode[] {
  const wires = port === undefined ? (node.wires ?? []).flat() : (node.wires?.[port] ?? []);
  return wires.flatMap((id) => RED.nodes.getNode(id) ?? []);
}

/** They only pass on. */
const passing: readonly string[] = ['junction', 'link out', 'link in'];

/** Whether there is a node that does something with what it gets. @param port Default: any output. */
export function reachesAnything(RED: Red, from: RedNode, port?: number): boolean {
  const seen = new Set<RedNode>();
  const queue = [...liveNext(RED, from, port)];
  for (let node = queue.shift(); node; node = queue.shift()) {
    if (seen.has(node)) continue;
    seen.add(node);
    if (!passing.includes(node.type)) return true;
    queue.push(...liveNext(RED, node));
  }
  return false;
}

const repliers = new WeakSet<object>();

/** Told by each node that sends answers to people. */
export const markReplier = (node: RedNode): void => void repliers.add(node);

/** Whether what leaves by an output may come to a node that answers people, by whatever way. */
export function leadsToReply(RED: Red, from: RedNode, port: number): boolean {
  const nodesOf = (ids: readonly string[]) => ids.flatMap((id) => RED.nodes.getNode(id) ?? []);
  const seen = new Set<RedNode>([from]);
  const queue: RedNode[] = nodesOf(from.wires?.[port] ?? []);
  for (let node = queue.shift(); node; node = queue.shift()) {
    if (seen.has(node)) continue;
    seen.add(node);
    if (repliers.has(node)) return true;
    queue.push(...liveNext(RED, node));
  }
  return false;
}
