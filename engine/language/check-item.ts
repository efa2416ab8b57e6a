/** Whether a parameter, the items of a list and the fields of an object are well described, at every depth. */
import { folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { ajv } from './ajv.ts';
import type { ItemSpec } from './function-spec.ts';
import { itemSchema, parameterSchema } from './spec-schema.ts';
import { schemaWords } from './schema-words.ts';
import { allowedValuesOf, isPlaceholder } from './values.ts';

const invalid = (what: string) => folkmootError('FOLKMOOT_LANGUAGE_INVALID', what);

/**
 * Its own shape is checked already.
 * @param where Begins the sentence of an error: "Function SetLight, parameter room".
 * Throws FOLKMOOT_LANGUAGE_INVALID.
 */
export function checkItem(where: string, item: ItemSpec, depth = 0): void {
  const { minimum, maximum, allowedValues = [] } = item;
  const numeric = item.type === 'integer' || item.type === 'number';
  const counted = numeric || item.type === 'list';
  if (!counted && (minimum !== undefined || maximum !== undefined))
    throw invalid(`${where}: minimum and maximum are only for integer, number and list.`);
  if (minimum !== undefined && maximum !== undefined && minimum > maximum)
    throw invalid(`${where}: minimum ${minimum} is greater than maximum ${maximum}.`);
  const wrong = numeric
    ? allowedValues.find((value) => !isPlaceholder(value) && !Number.isFinite(Number(value)))
    : undefined;
  if (wrong !== undefined) throw invalid(`${where}: the allowed value "${wrong}" has to be a number.`);
  checkInner(where, item, depth + 1);
  const allowed = allowedValuesOf(item);
  if (!allowed || allowed.length < allowedValues.length) return;
  const stranger = Object.keys(item.synonyms ?? {}).find((value) => !allowed.includes(value));
  if (stranger !== undefined)
    throw invalid(`${where}: synonyms for "${stranger}", which is not an allowed value (${allowed.join(', ')}).`);
}

/** Items of a list and fields of an object, and that nothing else has them. */
function checkInner(where: string, { type, items, fields, allowedValues }: ItemSpec, depth: number): void {
  if (items && type !== 'list') throw invalid(`${where}: only a list has items.`);
  if (fields && type !== 'object') throw invalid(`${where}: only an object has fields.`);
  if (allowedValues?.length && (type === 'list' || type === 'object'))
    throw invalid(`${where}: allowed values belong to the items of a list or the fields of an object.`);
  if (type === 'object' && !fields?.length) throw invalid(`${where}: an object has at least one field.`);
  if ((items ?? fields) && depth > limits.parameterDepth)
    throw invalid(`${where}: lists and objects may be nested ${limits.parameterDepth} deep.`);
  if (items) {
    checkShape(`${where}, items`, items, itemSchema);
    checkItem(`${where}, items`, items, depth);
  }
  const seen = new Set<string>();
  fields?.forEach((field, index) => {
    checkShape(`${where}, field ${index + 1}`, field, parameterSchema);
    if (seen.has(field.name)) throw invalid(`${where}, field ${field.name} is there twice; each may be there once.`);
    seen.add(field.name);
    checkItem(`${where}, field ${field.name}`, field, depth);
  });
}

function checkShape(where: string, given: unknown, schema: object): void {
  const validate = ajv().compile(schema);
  if (validate(given)) return;
  const [error] = validate.errors ?? [];
  throw invalid(`${where}: ${error ? schemaWords(error) : 'is not readable'}.`);
}
