/** What of a toolbox is offered on the wire, as cards; made anew only when the toolbox changed. */
import { asError } from '../../engine/errors.ts';
import { toolCard, type ToolCard } from '../../engine/tools/tool-card.ts';
import type { Toolbox } from '../../engine/tools/toolbox.ts';
import type { NodeKit } from '../shared/define-node.ts';
import type { toolsFields } from './tools.fields.ts';

export type ToolsKit = NodeKit<typeof toolsFields>;

export function createOffered(kit: ToolsKit): (box: Toolbox) => readonly ToolCard[] {
  const { config } = kit;
  const only = new Set(config.only.map((name) => name.toLowerCase()));
  const shared = {
    timeoutMs: config.timeLimitSeconds * 1000,
    ...(config.keepSeconds > 0 ? { keptMs: config.keepSeconds * 1000 } : {}),
    ...(config.retries > 0 ? { retries: config.retries } : {}),
    ...(config.runWithoutAsking ? { runWithoutAsking: true } : {}),
  };
  let known = { key: '', cards: [] as readonly ToolCard[] };
  return (box) => {
    const tools = box.tools().filter(({ name }) => only.size === 0 || only.has(name.toLowerCase()));
    const key = JSON.stringify(tools);
    if (key !== known.key) known = { key, cards: tools.flatMap((tool) => cardOf(kit, { ...tool, ...shared })) };
    return known.cards;
  };
}

/** A tool whose schema can't be read is left out, and said so. */
function cardOf(kit: ToolsKit, settings: Parameters<typeof toolCard>[1]): ToolCard[] {
  try {
    return [toolCard(kit.id, settings)];
  } catch (thrown) {
    kit.warn(asError(thrown).message);
    return [];
  }
}
