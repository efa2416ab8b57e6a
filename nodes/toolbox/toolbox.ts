/** Config node: several tools from one place, such as an MCP server. One for all who use it. */
import { folkmootError } from '../../engine/errors.ts';
import type { Toolbox } from '../../engine/tools/toolbox.ts';
import { defineNode, type NodeKit } from '../shared/define-node.ts';
import type { Red } from '../shared/red.ts';
import { createDeviceToolbox } from './device-toolbox.ts';
import { makeToolbox, type ToolboxPorts } from './make-toolbox.ts';
import { toolboxFields } from './toolbox.fields.ts';

const toolboxes = new WeakMap<object, Toolbox>();

/** Throws FOLKMOOT_MISSING_CONFIG. */
export function toolboxOf(RED: Red, id: string): Toolbox {
  const node = id ? RED.nodes.getNode(id) : undefined;
  const found = node ? toolboxes.get(node) : undefined;
  if (!found)
    throw folkmootError('FOLKMOOT_MISSING_CONFIG', 'The toolbox is not chosen, missing, disabled or has an error.');
  return found;
}

const portsOf = (kit: NodeKit<typeof toolboxFields>): ToolboxPorts => ({
  credentials: kit.credentials,
  onProblem: ({ message }) => kit.warn(message),
  onLog: (line) => kit.node.debug(line),
});

export default function toolbox(RED: Red): void {
  defineNode(RED, {
    type: 'folkmoot-toolbox',
    fields: toolboxFields,
    credentials: { headers: { type: 'password' }, environment: { type: 'password' } },
    start(kit) {
      const made = kit.config.kind === 'devices' ? createDeviceToolbox(kit) : makeToolbox(kit.config, portsOf(kit));
      toolboxes.set(kit.node, made);
      return { close: () => made.close() };
    },
  });
}
