/** Whom a node may ask: found by following its live wires at the moment of asking; nothing is kept (asks.md 2). */
import type { AskKind } from '../../engine/moot.ts';
import type { Red, RedNode } from './red.ts';

/** What a node of ours answers, with what it shows of itself. */
export interface Role<Card = unknown> {
  readonly kinds: readonly AskKind[];
  /** Nothing: it can't be asked now, for a reason that it tells itself. */
  readonly card: () => Card | undefined;
}

const roles = new WeakMap<object, Role>();
const ours = new WeakSet<object>();

/** Told in each constructor: the walk stops at our nodes. */
export function markOurs(node: RedNode, role?: Role): void {
  ours.add(node);
  if (role) roles.set(node, role);
}

export const isOurs = (node: object): boolean => ours.has(node);

/** Nodes behind this output that answer this kind of ask, in order of discovery, by node id. */
export function reach<Card>(RED: Red, asker: RedNode, port: number, kind: AskKind): Map<string, Card> {
  const found = new Map<string, Card>();
  for (const [id, node] of oursBehind(RED, asker, port)) {
    const role = roles.get(node);
    const card = role?.kinds.includes(kind) ? role.card() : undefined;
    if (card !== undefined) found.set(id, card as Card);
  }
  return found;
}

/** Our nodes behind an output, whatever they answer: the walk ends at each. */
function* oursBehind(RED: Red, from: RedNode, port: number): Generator<readonly [string, object]> {
  const seen = new Set<string>([from.id]);
  const queue = [...(from.wires?.[port] ?? [])];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    if (!id || seen.has(id)) continue;
    seen.add(id);
    const node = RED.nodes.getNode(id);
    if (!node || !Array.isArray(node.wires)) continue;
    if (ours.has(node)) yield [id, node];
    else for (const output of node.wires as readonly (readonly string[])[]) queue.push(...output);
  }
}

/** Live nodes with an asks output, and which of their outputs it is. */
const askers = new Map<RedNode, number>();

/** Told in the constructor of each node that asks. */
export function markAsker(node: RedNode, port: number): void {
  askers.set(node, port);
  node.on('close', () => askers.delete(node));
}

/** Whether any asks output leads to this node right now. */
export function isAsked(RED: Red, nodeId: string): boolean {
  for (const [asker, port] of askers) {
    if (RED.nodes.getNode(asker.id) !== asker) continue;
    for (const [id] of oursBehind(RED, asker, port)) if (id === nodeId) return true;
  }
  return false;
}
