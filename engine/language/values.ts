/** Values as models and people write them, made into the typed values of the language. */
import type { ItemSpec } from './function-spec.ts';
import { singular } from './words.ts';

const placeholder = /^\{(areas|floors|entities(?::[a-z0-9_]+)?)\}$/;

/** `{areas}`, `{floors}`, `{entities}` or `{entities:light}`: stands for values that are filled in later. */
export const isPlaceholder = (value: string): boolean => placeholder.test(value);

/** Upper and lower case, underscores, hyphens and spaces make no difference. */
export const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();

/** The allowed values that stand in the spec, without placeholders; undefined when any value is allowed. */
export function allowedValuesOf(parameter: ItemSpec): readonly string[] | undefined {
  if (!parameter.allowedValues?.length) return undefined;
  return parameter.allowedValues.filter((value) => !isPlaceholder(value));
}

/** Whether the value was not given: null, empty text. Models fill what they may leave out with these. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/**
 * The value in the spec's type and spelling. What can't be made so is given back as it is, for the check to refuse:
 * nothing is guessed.
 */
export function typedValue(parameter: ItemSpec, given: unknown): unknown {
  const value = typeof given === 'string' ? given.trim() : given;
  const named = nameOf(parameter, value);
  switch (parameter.type) {
    case 'boolean':
      return booleanFrom(named ?? value);
    case 'integer':
    case 'number':
      return numberFrom(named ?? value, parameter.unit);
    case 'datetime':
      return typeof value === 'string' ? value.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T') : value;
    case 'list':
      return listFrom(parameter, value);
    case 'object':
      return objectFrom(parameter, value);
    case 'string':
      return named ?? (typeof value === 'number' ? String(value) : value);
  }
}

/** The one allowed value that the text means, by its spelling or by a synonym; undefined for none or two. */
function nameOf(parameter: ItemSpec, value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value);
  const allowed = allowedValuesOf(parameter) ?? [];
  if (allowed.includes(text)) return text;
  const wanted = folded(text);
  const spelled = allowed.filter((one) => folded(one) === wanted);
  if (spelled.length) return spelled.length === 1 ? spelled[0] : undefined;
  const meant = Object.entries(parameter.synonyms ?? {})
    .filter(([, synonyms]) => synonyms.some((synonym) => folded(synonym) === wanted))
    .map(([name]) => name);
  return meant.length === 1 ? meant[0] : undefined;
}

/** JSON text is read; a single value is a list of one, as models and foreign wires write it. */
function listFrom({ items = { type: 'string' } }: ItemSpec, given: unknown): unknown {
  const value = parsedFrom(given);
  if (isBlank(value)) return [];
  const list = Array.isArray(value) ? (value as unknown[]) : [value];
  return list.map((item) => typedValue(items, item));
}

function objectFrom({ fields = [] }: ItemSpec, given: unknown): unknown {
  const value = parsedFrom(given);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const typed = Object.entries(value as Record<string, unknown>)
    .filter(([, inner]) => !isBlank(inner))
    .map(([name, inner]) => {
      const field = fields.find((one) => one.name === name);
      return [name, field ? typedValue(field, inner) : inner] as const;
    });
  return Object.fromEntries(typed);
}

function parsedFrom(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

function booleanFrom(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = folded(value);
  if (['true', 'yes', 'on'].includes(text)) return true;
  if (['false', 'no', 'off'].includes(text)) return false;
  return value;
}

function numberFrom(value: unknown, unit: string | undefined): unknown {
  if (typeof value !== 'string') return value;
  const match = /^([-+]?\d+(?:[.,]\d+)?(?:e[-+]?\d+)?)\s*(\S.*)?$/i.exec(value);
  if (!match?.[1]) return value;
  const tail = folded(match[2] ?? '');
  const known = [
    '',
    '%',
    'percent',
    '°',
    '°c',
    'degrees',
    'degree',
    ...(unit ? [folded(unit), singular(folded(unit))] : []),
  ];
  return known.includes(tail) ? Number(match[1].replace(',', '.')) : value;
}
