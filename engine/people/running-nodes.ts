/**
 * The nodes of a flow file that run: none that is disabled or on a disabled tab, those of a subflow once for each
 * instance, with environment variables filled in where a whole setting is `${NAME}`, as Node-RED does.
 */

/** A node as a flow file holds it. */
export type FlowNode = Readonly<Record<string, unknown>> & { readonly type: string };

export interface RunningNode extends Readonly<Record<string, unknown>> {
  readonly type: string;
  readonly id: string;
  /** Which instance of a subflow it is in; blank: none. Wires stay within one place. */
  readonly place: string;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Variables = (name: string) => string | undefined;

/** Subflows within subflows; deeper ones Node-RED refuses as a loop. */
const deepest = 10;

export const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

export function runningNodes(nodes: readonly FlowNode[], env: Environment): RunningNode[] {
  const byId = new Map(nodes.map((node) => [text(node['id']), node]));
  const globals = variablesOf(
    nodes.find(({ type }) => type === 'global-config'),
    (name) => env[name],
  );
  const within = (z: string, outer: Variables, place: string, depth: number): RunningNode[] =>
    nodes
      .filter((node) => text(node['z']) === z && node['d'] !== true && !containers.test(node.type))
      .flatMap((node) => {
        const variables = groupVariables(node, byId, outer);
        const own = { ...(filled(node, variables) as FlowNode), id: text(node['id']), place };
        const template = byId.get(/^subflow:(.+)$/.exec(node.type)?.[1] ?? '');
        if (!template || depth >= deepest) return [own];
        const inside = variablesOf(own, variablesOf(template, variables));
        return [own, ...within(text(template['id']), inside, `${place}/${own.id}`, depth + 1)];
      });
  const tabs = nodes.filter((node) => node.type === 'tab' && node['disabled'] !== true);
  const known = new Set(nodes.flatMap((node) => (containers.test(node.type) ? [text(node['id'])] : [])));
  // What is on no tab: settings that nodes share, and parts of a flow that were saved by themselves.
  const loose = [...new Set(nodes.map((node) => text(node['z'])))].filter((z) => !known.has(z));
  return [
    ...loose.flatMap((z) => within(z, globals, '', 0)),
    ...tabs.flatMap((tab) => within(text(tab['id']), variablesOf(tab, globals), '', 0)),
  ];
}

const containers = /^(tab|subflow|group|global-config)$/;

/** Those that a tab, group, subflow or instance sets, before those around it. */
function variablesOf(node: FlowNode | undefined, outer: Variables): Variables {
  const given = Array.isArray(node?.['env']) ? (node['env'] as readonly Record<string, unknown>[]) : [];
  return (name) => {
    const found = given.find((one) => one['name'] === name);
    if (!found) return outer(name);
    if (found['type'] === 'env') return outer(text(found['value']));
    return ['str', 'num', 'bool'].includes(String(found['type'])) ? String(found['value']) : undefined;
  };
}

function groupVariables(node: FlowNode, byId: ReadonlyMap<string, FlowNode>, outer: Variables, depth = 0): Variables {
  const group = byId.get(text(node['g']));
  if (!group || depth >= deepest) return outer;
  return variablesOf(group, groupVariables(group, byId, outer, depth + 1));
}

function filled(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') {
    const name = /^\$(?:\{(\S+)\}|\((\S+)\))$/.exec(value);
    return name ? (variables(name[1] ?? name[2] ?? '') ?? value) : value;
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, variables)]));
}
