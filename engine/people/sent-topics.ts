/** Which topics the messages that come to a node of a flow have, as far as the nodes before it say so. */
import { text, type RunningNode } from './running-nodes.ts';

export interface SentTopics {
  /** Patterns: `+` for a level that is made of a value. */
  readonly topics: readonly string[];
  /** All of them are known. */
  readonly areAll: boolean;
}

/** Nodes that leave the topic as it is. */
const passing = new Set(['junction', 'switch', 'delay', 'rbe', 'trigger', 'link in', 'link out']);

export function sentTopics(node: RunningNode, nodes: readonly RunningNode[]): SentTopics {
  const topics = new Set<string>();
  const seen = new Set([node.id]);
  let areAll = true;
  const look = (at: RunningNode) => {
    const before = nodes.filter((other) => other.place === at.place && leadsTo(other, at));
    if (before.length === 0) areAll = false;
    for (const other of before) {
      if (seen.has(other.id)) continue;
      seen.add(other.id);
      const made = topicMade(other);
      if (made === 'as it was') look(other);
      else if (made === undefined) areAll = false;
      else topics.add(made);
    }
  };
  look(node);
  return { topics: [...topics].sort(), areAll };
}

function leadsTo(from: RunningNode, to: RunningNode): boolean {
  const wires = Array.isArray(from['wires']) ? (from['wires'] as readonly unknown[]).flat() : [];
  const links = from.type === 'link out' && Array.isArray(from['links']) ? (from['links'] as readonly unknown[]) : [];
  return wires.includes(to.id) || links.includes(to.id);
}

/** The topic of what leaves it; nothing when that can't be read. */
function topicMade(node: RunningNode): string | undefined {
  if (passing.has(node.type)) return 'as it was';
  switch (node.type) {
    case 'change':
      return changed(node);
    case 'function':
      return /\btopic\b/.test(text(node['func'])) ? undefined : 'as it was';
    case 'inject':
    case 'mqtt in':
    case 'folkmoot-bus-in':
      return /^[^+#$]+$/.exec(text(node['topic']))?.[0];
    default:
      return undefined;
  }
}

function changed(node: RunningNode): string | undefined {
  const rules = Array.isArray(node['rules']) ? (node['rules'] as readonly Record<string, unknown>[]) : [];
  const last = rules.findLast((rule) => isTopic(rule['p'], rule['pt']) || isTopic(rule['to'], rule['tot'], rule['t']));
  if (!last) return 'as it was';
  if (last['t'] !== 'set' || !isTopic(last['p'], last['pt'])) return undefined;
  if (last['tot'] === 'str') return /^[^+#]+$/.exec(text(last['to']))?.[0];
  return last['tot'] === 'jsonata' ? joined(text(last['to'])) : undefined;
}

/** Of a rule that moves something, also where to. */
const isTopic = (property: unknown, kind: unknown, moved: unknown = 'move'): boolean =>
  moved === 'move' && property === 'topic' && kind === 'msg';

/** `"home/" & payload.room & "_light/set"` → `home/+/set`: a value counts as one level, or a part of one. */
function joined(expression: string): string | undefined {
  const part = /\s*(?:"([^"\\]*)"|'([^'\\]*)'|(\$?[\w.]+))\s*(?:&|$)/y;
  let topic = '';
  while (part.lastIndex < expression.length) {
    const found = part.exec(expression);
    if (!found) return undefined;
    topic += found[3] === undefined ? (found[1] ?? found[2] ?? '') : '\u0000';
  }
  const levels = topic.split('/').map((level) => (level.includes('\u0000') ? '+' : level));
  return levels.every((level) => level === '+') ? undefined : levels.join('/');
}
