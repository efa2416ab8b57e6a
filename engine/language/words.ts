/** Names and values as people read them. */
import type { ItemSpec, ParameterSpec } from './function-spec.ts';

/** "MowLawn", "mow_lawn" and "mowLawn" are all "mow lawn". */
export const wordsOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[_\s]+/g, ' ')
    .trim()
    .toLowerCase();

/** A parameter as people call it: its label, else the words of its name. */
export const labelOf = ({ label, name }: ParameterSpec): string => label ?? wordsOf(name);

export const capitalised = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** "a, b or c". A long list is cut: "a, b … and 30 more". */
export function listed(values: readonly string[], joint: 'and' | 'or' = 'or', most = 12): string {
  if (values.length > most) return `${values.slice(0, most).join(', ')} … and ${values.length - most} more`;
  const last = values.at(-1) ?? '';
  return values.length < 2 ? last : `${values.slice(0, -1).join(', ')} ${joint} ${last}`;
}

/** Text from a model or a person inside a sentence of ours: on one line, at most 60 characters. */
export function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

/** "cups" for one cup; units that are no English plural ("%", "lx", "celsius") stay as they are. */
export const singular = (unit: string): string =>
  unit.replace(/^[a-z]{3,}s\b/, (word) => {
    if (/(?:ss|us|is)$/.test(word)) return word;
    if (/ies$/.test(word)) return word.replace(/ies$/, 'y');
    return word.replace(/(?<=x|ch|sh|ss)es$|s$/, '');
  });

/** A value with its unit: "40 %", "21 degrees", "living room", "yes", "milk and eggs", "name: Ann, age: 7". */
export function valueForPeople(parameter: ItemSpec | undefined, value: unknown): string {
  if (Array.isArray(value))
    return listed(
      (value as unknown[]).map((item) => valueForPeople(parameter?.items, item)),
      'and',
    );
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, inner]) => {
        const field = parameter?.fields?.find((one) => one.name === name);
        return `${field ? labelOf(field) : wordsOf(name)}: ${valueForPeople(field, inner)}`;
      })
      .join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const allowed = parameter?.allowedValues?.length;
  const text = allowed ? String(value).replace(/_+/g, ' ') : String(value);
  if (!parameter?.unit || typeof value !== 'number') return text;
  return `${text} ${Math.abs(value) === 1 ? singular(parameter.unit) : parameter.unit}`;
}

const unitWords =
  /^(celsius|fahrenheit|kelvin|degrees?|temperature|percent(age)?|seconds?|minutes?|hours?|days?|watts?|lux|lumens?|litres?|liters?|met(er|re)s?|grams?|kilograms?|value|amount|level|position)$/;

/** Whether the parameter's name says no more than its unit does, so that people need not read it. */
export const nameIsUnit = (parameter: ParameterSpec): boolean =>
  unitWords.test(wordsOf(parameter.name)) || wordsOf(parameter.name) === parameter.unit?.toLowerCase();
