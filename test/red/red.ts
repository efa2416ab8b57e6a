/** A real Node-RED for node specs: load flows, wait for what arrives, change them, and leave nothing behind. */
import { readJson } from '../structure/sources.ts';
import { createRequire } from 'node:module';
import helper from 'node-red-node-test-helper';
import type { RedMessage, RedNode } from '../../nodes/shared/red.ts';

const require = createRequire(import.meta.url);

type NodeModule = (RED: never) => unknown;

const corePaths = {
  function: 'core/function/10-function.js',
  switch: 'core/function/10-switch.js',
  change: 'core/function/15-change.js',
  delay: 'core/function/89-delay.js',
  debug: 'core/common/21-debug.js',
  inject: 'core/common/20-inject.js',
  catch: 'core/common/25-catch.js',
  complete: 'core/common/24-complete.js',
  status: 'core/common/25-status.js',
  link: 'core/common/60-link.js',
  junction: 'core/common/05-junction.js',
  mqtt: 'core/network/10-mqtt.js',
} as const;

/** Node-RED's own nodes by short name. Junctions and subflows need none. */
export function core(...names: (keyof typeof corePaths)[]): NodeModule[] {
  return names.map((name) => require(`@node-red/nodes/${corePaths[name]}`) as NodeModule);
}

helper.init(require.resolve('node-red'));

export const startServer = (): Promise<void> => new Promise((resolve) => void helper.startServer(() => resolve()));
export const stopServer = (): Promise<void> => new Promise((resolve) => void helper.stopServer(() => resolve()));
export const unload = async (): Promise<void> => void (await helper.unload());

export type FlowNode = { readonly id: string; readonly type: string } & Record<string, unknown>;

/** A tab with nodes on it; every node without `z` is put on tab `f`. */
export const onTab = (nodes: readonly FlowNode[], tab = 'f'): FlowNode[] => [
  { id: tab, type: 'tab', label: tab },
  ...nodes.map((node) => ('z' in node || node.type === 'tab' ? node : { ...node, z: tab })),
];

/** Node-RED takes a node without a place for a config node, which has no live wires. */
const placed = (flow: readonly FlowNode[]): FlowNode[] =>
  flow.map((n, i) => ('wires' in n && !('x' in n) ? { ...n, x: 100, y: 40 * i } : n));

export async function load(
  modules: readonly NodeModule[],
  flow: readonly FlowNode[],
  credentials?: object,
): Promise<void> {
  await helper.load(modules, placed(flow), credentials ?? {});
}

/** Deploys as the editor does: `full`, `nodes` or `flows`. */
export async function deploy(flow: readonly FlowNode[], kind: 'full' | 'nodes' | 'flows'): Promise<void> {
  await helper.setFlows(placed(flow), kind);
}

export function node(id: string): RedNode {
  const found = helper.getNode(id) as RedNode | null;
  if (!found) throw new Error(`no node ${id} in the running flow`);
  return found;
}

/** Everything that arrives at a `helper` node, from now on. */
export function arrivals(id: string): RedMessage[] {
  const messages: RedMessage[] = [];
  node(id).on('input', (message: RedMessage) => messages.push(message));
  return messages;
}

/** The next message at a `helper` node. Rejects after `ms` of real time, which a passing spec never waits. */
export function nextAt(id: string, ms = 5000): Promise<RedMessage> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`nothing arrived at ${id} within ${ms} ms`)), ms);
    const target = node(id);
    const once = (message: RedMessage) => {
      clearTimeout(timer);
      // Removed in a later turn: Node-RED calls an empty slot when a listener goes while it delivers.
      setImmediate(() => target.off('input', once));
      resolve(message);
    };
    target.on('input', once);
  });
}

/** Lets everything that is already on its way arrive. */
export async function settle(turns = 20): Promise<void> {
  for (let i = 0; i < turns; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits for a condition, turn by turn. */
export async function until(holds: () => boolean, ms = 5000): Promise<void> {
  const end = Date.now() + ms;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`did not come true within ${ms} ms: ${String(holds)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** What an admin endpoint of the loaded modules answers, as JSON. */
export async function adminGet<T>(path: string): Promise<T> {
  const { body } = await (helper.request() as { get(path: string): PromiseLike<{ body: T }> }).get(path);
  return body;
}

/** The same for what is sent to it, with the status. */
export async function adminPost<T>(path: string, sent: object): Promise<{ readonly status: number; readonly body: T }> {
  interface Agent {
    post(path: string): { send(body: object): PromiseLike<{ status: number; body: T }> };
  }
  const { status, body } = await (helper.request() as Agent).post(path).send(sent);
  return { status, body };
}

/** An example as it is imported, with helpers in the place of its debug nodes, and its nodes' ids by name. */
export function exampleFlow(title: string): { readonly flow: FlowNode[]; named(name: string): string } {
  const flow = (readJson(`examples/${title}.json`) as FlowNode[])
    .filter(({ type }) => type !== 'comment')
    .map((one) => (one.type === 'debug' ? { ...one, type: 'helper' } : one));
  return {
    flow,
    named(name) {
      const found = flow.find((one) => one['name'] === name);
      if (!found) throw new Error(`The example "${title}" has no node "${name}".`);
      return found.id;
    },
  };
}
