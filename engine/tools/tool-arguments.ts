/** Checks what a tool is asked with; nothing of it is trusted. */
import { looseAjv } from '../language/ajv.ts';
import type { ErrorObject, ValidateFunction } from '../language/ajv.ts';
import { checkCall } from '../language/check-call.ts';
import type { JsonSchema } from '../language/json-schema.ts';
import { createLanguage } from '../language/language.ts';
import { quoted, wordsOf } from '../language/words.ts';
import { limits } from '../limits.ts';
import { specOfTool } from './tool-card.ts';
import type { ToolCard } from './tool-card.ts';

export type CheckedArguments =
  | { readonly ok: true; readonly arguments: Readonly<Record<string, unknown>> }
  | {
      readonly ok: false;
      /** For the model: names the argument and says what is allowed. */
      readonly finding: string;
      /** For people, in plain words. */
      readonly forPeople: string;
    };

/** Arguments typed and in the spelling of the tool's form; with a schema as they came. */
export function checkArguments(card: ToolCard, given: unknown): CheckedArguments {
  if (!given || typeof given !== 'object' || Array.isArray(given))
    return { ok: false, finding: 'The arguments have to be an object.', forPeople: 'That can’t be asked like this.' };
  const values = given as Readonly<Record<string, unknown>>;
  if (card.schema) return checkSchema(card, card.schema, values);
  const checked = checkCall(createLanguage([specOfTool(card)]), { function: card.name, parameters: values });
  return checked.ok
    ? { ok: true, arguments: checked.parameters }
    : { ok: false, finding: checked.finding, forPeople: checked.forPeople };
}

function checkSchema(
  card: ToolCard,
  schema: NonNullable<ToolCard['schema']>,
  values: Readonly<Record<string, unknown>>,
): CheckedArguments {
  const validate = schemaValidator(schema);
  if (validate(values)) return { ok: true, arguments: values };
  const errors = (validate.errors ?? []).slice(0, limits.findings);
  const finding = errors.map((error) => `${placeOf(error)} ${error.message ?? 'is not valid'}.`).join(' ');
  const missing = errors.find(({ keyword }) => keyword === 'required')?.params as { missingProperty?: string };
  return {
    ok: false,
    finding: `Tool ${card.name}: ${finding}`,
    forPeople: missing?.missingProperty
      ? `For that I have to know: which ${wordsOf(missing.missingProperty)}?`
      : 'One of the values for that is not possible.',
  };
}

const validators = new WeakMap<object, ValidateFunction>();

/** Compiled once for each schema. Throws ajv's own error for what is no schema. */
export function schemaValidator(schema: JsonSchema): ValidateFunction {
  let validate = validators.get(schema);
  if (!validate) {
    validate = looseAjv().compile(schema);
    // ajv keeps every schema that it compiled; tools come and go with each deploy.
    looseAjv().removeSchema(schema);
    validators.set(schema, validate);
  }
  return validate;
}

const placeOf = ({ instancePath }: ErrorObject): string =>
  instancePath ? `Argument ${quoted(instancePath.slice(1).replaceAll('/', '.'))}` : 'The object of arguments';
