/** Who carries commands out behind a node, as far as its wires tell at this moment. */
import type { Red, RedNode } from './red.ts';

/** Whether a node carries a function out; told by each that does. */
type Carries = (name: string) => boolean;

const carriers = new WeakMap<object, Carries>();

export const markCarrier = (node: RedNode, carries: Carries): void => void carriers.set(node, carries);

/** They pass commands on, or do nothing with them. Whatever else stands on the way may carry them out by itself. */
const harmless = /^(?:junction|link (?:in|out|call)|debug|comment|delay|catch|complete|status|folkmoot-.+)$/;

/**
 * Whether something behind an output carries a function out. Undefined when that is not known: there is no apply node, or
 * another node on the way might do it.
 */
export function carriedOutBehind(RED: Red, from: RedNode, port: number, name: string): boolean | undefined {
  let found: boolean | undefined;
  for (const { node, carries } of behind(RED, from, port)) {
    if (carries?.(name)) return true;
    if (carries) found = false;
    else if (!harmless.test(node.type)) return undefined;
  }
  return found;
}

/** Whether one of these functions may come to who carries it out, whatever stands on the way. */
export const mayReachCarrier = (RED: Red, from: RedNode, port: number, names: readonly string[]): boolean =>
  [...behind(RED, from, port)].some(({ carries }) => carries && names.some(carries));

function* behind(
  RED: Red,
  from: RedNode,
  port: number,
): Generator<{ readonly node: RedNode; readonly carries?: Carries }> {
  const seen = new Set<string>([from.id]);
  const queue = [...(from.wires?.[port] ?? [])];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const node = RED.nodes.getNode(id);
    if (!node) continue;
    const carries = carriers.get(node);
    yield { node, ...(carries ? { carries } : {}) };
    // What an apply node passes on is a report, no longer a command.
    if (!carries) queue.push(...nextOf(node));
  }
}

function nextOf(node: RedNode): readonly string[] {
  const links = (node as RedNode & { readonly links?: unknown }).links;
  return node.type === 'link out' && Array.isArray(links) ? (links as string[]) : (node.wires ?? []).flat();
}
