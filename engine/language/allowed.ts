/** What a parameter may be, in words. */
import type { ItemSpec } from './function-spec.ts';
import { allowedValuesOf } from './values.ts';
import { listed, valueForPeople } from './words.ts';

/** For the model: "an integer (5 to 30 degrees)", or the allowed values. */
export function allowedFor(parameter: ItemSpec | undefined): string {
  if (!parameter) return 'nothing';
  const allowed = allowedValuesOf(parameter);
  if (allowed) return allowed.length ? allowed.join(', ') : 'nothing yet, for none is known';
  const range = rangeOf(parameter);
  const type =
    parameter.type === 'datetime'
      ? 'a date and time such as 2026-03-01T07:30'
      : `${article(parameter)} ${parameter.type}`;
  return `${type}${range ? ` (${range}${parameter.unit ? ` ${parameter.unit}` : ''})` : ''}`;
}

/** For people: "5 to 30 degrees", "on or off", "a date and time". */
export function allowedForPeople(parameter: ItemSpec): string {
  const allowed = allowedValuesOf(parameter);
  if (allowed) return listed(allowed.map((value) => valueForPeople(parameter, value))) || 'nothing yet';
  const range = rangeOf(parameter);
  if (range) return `${range}${parameter.unit ? ` ${parameter.unit}` : ''}`;
  const kinds = {
    string: 'text',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'yes or no',
    datetime: 'a date and time',
    list: 'a list',
    object: 'several values',
  };
  return kinds[parameter.type];
}

/** "5 to 30", "at least 5"; nothing without bounds. */
export function rangeOf({ minimum, maximum }: ItemSpec): string | undefined {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  if (minimum !== undefined) return `at least ${minimum}`;
  return maximum === undefined ? undefined : `at most ${maximum}`;
}

const article = ({ type }: ItemSpec): string => (type === 'integer' || type === 'object' ? 'an' : 'a');
