/** A tool's card from its settings: those of the form, or those of a tool that needs no wire. */
import { folkmootError } from '../../engine/errors.ts';
import type { ParameterSpec } from '../../engine/language/function-spec.ts';
import type { JsonSchema } from '../../engine/language/json-schema.ts';
import { localSystemTools, type BuiltInTool } from '../../engine/tools/packs/local-system.ts';
import { toolCard, toolNameFrom, type ToolCard } from '../../engine/tools/tool-card.ts';
import type { ConfigOf } from '../shared/fields.ts';
import type { toolFields } from './tool.fields.ts';

type Settings = ConfigOf<typeof toolFields>;

export interface MadeTool {
  readonly card: ToolCard;
  /** Absent: what is wired behind it does the work. */
  readonly builtIn?: BuiltInTool;
}

/** Throws FOLKMOOT_BAD_SETTING. */
export function makeTool(nodeId: string, config: Settings): MadeTool {
  const builtIn = config.builtIn ? localSystemTools()[config.builtIn] : undefined;
  const timeoutMs = config.timeLimitSeconds * 1000;
  if (builtIn) {
    const { settings } = builtIn;
    const card = toolCard(nodeId, {
      ...settings,
      name: config.name ? toolNameFrom(config.name) : settings.name,
      description: config.description || settings.description,
      timeoutMs,
      ...carefulness(config),
    });
    return { card, builtIn };
  }
  const isSchema = config.parametersBy === 'schema' && config.schema.trim() !== '';
  const card = toolCard(nodeId, {
    name: toolNameFrom(config.name),
    description: config.description,
    parameters: config.parameters as readonly ParameterSpec[],
    ...(isSchema ? { schema: schemaOf(config.schema) } : {}),
    risk: config.risk,
    effect: config.effect,
    synonyms: config.synonyms,
    ...(config.result ? { result: config.result } : {}),
    ...(config.sentence ? { sentence: config.sentence } : {}),
    timeoutMs,
    ...carefulness(config),
    runWithoutAsking: config.runWithoutAsking,
  });
  return { card };
}

const carefulness = ({ keepSeconds, retries }: Settings) => ({
  ...(keepSeconds > 0 ? { keptMs: keepSeconds * 1000 } : {}),
  ...(retries > 0 ? { retries } : {}),
});

function schemaOf(text: string): JsonSchema {
  try {
    const schema: unknown = JSON.parse(text);
    if (schema && typeof schema === 'object' && !Array.isArray(schema)) return schema as JsonSchema;
  } catch (error) {
    throw folkmootError('FOLKMOOT_BAD_SETTING', 'The JSON Schema of the tool is not readable.', error);
  }
  throw folkmootError('FOLKMOOT_BAD_SETTING', 'The JSON Schema of the tool has to be an object.');
}
