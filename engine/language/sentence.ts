/** How people are told of a call. */
import type { Parameters } from '../moot.ts';
import type { FunctionSpec } from './function-spec.ts';
import { fillOptional, fillSlots, parameterAt, valueAt, wordsFor } from './sentence-template.ts';
import { capitalised, listed, singular, valueForPeople, wordsOf } from './words.ts';

/**
 * The spec's sentence with its values, units and a capital: "Kitchen light on at 40 %". A part in square brackets is left
 * out when one of its parameters is missing; `{position:0=closed|at # open}` has words for single values. No full stop at the end unless the spec has one.
 * Without a sentence in the spec: the words of the name and the values, "Mow lawn: front".
 */
export function sentenceOf(spec: FunctionSpec, parameters: Parameters): string {
  const isThere = (name: string) => valueAt(parameters, name) !== undefined;
  const value = (name: string) =>
    isThere(name) ? valueForPeople(parameterAt(spec.parameters, name), valueAt(parameters, name)) : '';
  if (!spec.sentence) {
    const values = spec.parameters.map((parameter) => value(parameter.name)).filter((text) => text !== '');
    return capitalised(`${wordsOf(spec.name)}${values.length ? `: ${listed(values, 'and')}` : ''}`);
  }
  const parts = fillOptional(spec.sentence, isThere, (inner) => inner);
  const text = fillSlots(forOne(parts, parameters), (slot) =>
    isThere(slot.name) ? wordsFor(slot, valueAt(parameters, slot.name), value(slot.name)) : '',
  );
  return capitalised(
    text
      .replace(/\s+/g, ' ')
      .replace(/ ([,.;:!?])/g, '$1')
      .trim(),
  );
}

/** "{cups} cups" reads "1 cup": where the parameter's own name stands behind a value of one. */
const forOne = (template: string, parameters: Parameters): string =>
  template.replace(/(\{([A-Za-z]\w*)\} )([a-z]+)\b/g, (whole, slot: string, name: string, word: string) =>
    parameters[name] === 1 && wordsOf(name) === word ? slot + singular(word) : whole,
  );
