/** Arguments that a model wrote, as the tool's schema wants them, where nothing is lost by that: "40" is 40, "40.6" is no integer. */
import type { JsonSchema } from '../../language/json-schema.ts';
import { schemaValidator } from '../../tools/tool-arguments.ts';

/** Undefined: they do not fit. */
export function fittingArguments(given: unknown, schema: JsonSchema): Readonly<Record<string, unknown>> | undefined {
  const read = typeof given === 'string' ? parsed(given) : (given ?? {});
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined;
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const fitted = Object.fromEntries(
    Object.entries(read).map(([name, value]) => [
      name,
      fitting(value, Object.hasOwn(properties, name) ? properties[name] : undefined),
    ]),
  );
  return schemaValidator(schema)(fitted) ? fitted : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Only what has one meaning. */
export function fitting(value: unknown, schema: JsonSchema | undefined): unknown {
  const type = schema?.['type'];
  if (typeof value === 'string') {
    const text = value.trim();
    if ((type === 'integer' || type === 'number') && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
    if (type === 'boolean' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
    if ((type === 'array' || type === 'object') && /^[[{]/.test(text)) return parsed(text) ?? value;
    const choices = schema?.['enum'];
    if (Array.isArray(choices) && !choices.includes(value)) return choices.find((one) => String(one) === text) ?? value;
    return value;
  }
  if (type === 'string' && typeof value === 'number') return String(value);
  return value;
}
