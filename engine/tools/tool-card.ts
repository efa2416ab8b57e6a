/** What a tool is, as agents see it: a name, what it is asked with, and what it gives (glossary: tool). */
import { folkmootError } from '../errors.ts';
import type { FunctionSpec, ParameterSpec } from '../language/function-spec.ts';
import type { JsonSchema } from '../language/json-schema.ts';
import { createLanguage } from '../language/language.ts';
import { capitalised, wordsOf } from '../language/words.ts';
import type { Risk } from '../moot.ts';
import { schemaValidator } from './tool-arguments.ts';

/** Names of tools and of their parameters. */
export const toolNamePattern = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** "front door" → "FrontDoor"; what is in the form of a name already stays as it is. */
export const toolNameFrom = (name: string): string =>
  toolNamePattern.test(name)
    ? name
    : wordsOf(name.normalize('NFKD').replace(/[^A-Za-z0-9 _-]/g, ''))
        .split(/[ _-]+/)
        .map(capitalised)
        .join('')
        .slice(0, 64);

export interface ToolSettings {
  readonly name: string;
  readonly description: string;
  /** Parameter specs; not used when there is a `schema`. */
  readonly parameters: readonly ParameterSpec[];
  /** JSON Schema of the arguments, an object. */
  readonly schema?: JsonSchema;
  readonly risk: Risk;
  /** It changes something: done at most once for each time it is asked. */
  readonly effect: boolean;
  /** Other words for it, at most eight. */
  readonly synonyms?: readonly string[];
  /** In words, what it gives: "degrees Celsius". */
  readonly result?: string;
  /** How people are told: text with `{result}`, `{parameter}` or the name of a property of the result. */
  readonly sentence?: string;
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** Of one that only reads: how long its answer is good for, in milliseconds, and how often it is asked again. */
  readonly keptMs?: number;
  readonly retries?: number;
  /** A critical tool runs without asking a person. */
  readonly runWithoutAsking?: boolean;
}

export interface ToolCard extends ToolSettings {
  /** Of the tool node. */
  readonly nodeId: string;
}

/** Checks the settings. Throws FOLKMOOT_BAD_SETTING. */
export function toolCard(nodeId: string, settings: ToolSettings): ToolCard {
  const { name, schema } = settings;
  if (!toolNamePattern.test(name)) {
    const what = `The tool's name "${name}" has to begin with a letter and hold only letters, digits and underscores, at most 64.`;
    throw folkmootError('FOLKMOOT_BAD_SETTING', what);
  }
  const card: ToolCard = { ...settings, nodeId, parameters: schema ? parametersOf(schema) : settings.parameters };
  try {
    if (schema) schemaValidator(schema);
    createLanguage([specOfTool({ ...card, ...(schema ? { parameters: [] } : {}) })]);
  } catch (error) {
    throw folkmootError('FOLKMOOT_BAD_SETTING', `The parameters of the tool "${name}" are not right.`, error);
  }
  return card;
}

/** The tool as a function: how models and `rules` see it. Its sentence is not that of a call, so it is left out. */
export const specOfTool = (
  tool: Pick<ToolSettings, 'name' | 'description' | 'parameters' | 'risk' | 'effect' | 'synonyms'>,
): FunctionSpec => ({
  name: tool.name,
  description: tool.description,
  category: 'tools',
  risk: tool.risk,
  effect: tool.effect,
  repeatable: !tool.effect,
  parameters: tool.parameters,
  ...(tool.synonyms?.length ? { synonyms: tool.synonyms } : {}),
});

/** The arguments of a schema as far as they are plain values; what is more is text for whoever reads words only. */
function parametersOf(schema: JsonSchema): ParameterSpec[] {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!toolNamePattern.test(name) || !property || typeof property !== 'object') return [];
    const values = Array.isArray(property['enum']) ? (property['enum'] as unknown[]).map(String) : [];
    const type = property['type'];
    const description = property['description'];
    return [
      {
        name,
        type: type === 'integer' || type === 'number' || type === 'boolean' ? type : ('string' as const),
        required: required.includes(name),
        ...(typeof description === 'string' ? { description } : {}),
        ...(values.length ? { allowedValues: values } : {}),
        ...(typeof property['minimum'] === 'number' ? { minimum: property['minimum'] } : {}),
        ...(typeof property['maximum'] === 'number' ? { maximum: property['maximum'] } : {}),
      },
    ];
  });
}
