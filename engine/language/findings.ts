/** What is wrong with a call, once for the model (names, all that is allowed) and once for people (plain words). */
import type { ErrorObject } from './ajv.ts';
import type { FunctionSpec, ParameterSpec } from './function-spec.ts';
import { allowedFor, allowedForPeople, rangeOf } from './allowed.ts';
import { isNested, nestedFinding, nestedForPeople } from './nested-findings.ts';
import { allowedValuesOf, folded } from './values.ts';
import { capitalised, labelOf, listed, nameIsUnit, quoted, valueForPeople, wordsOf } from './words.ts';

type Given = Readonly<Record<string, unknown>>;

/** "Function SetTemperature, parameter celsius: 90 is not allowed; allowed are 5 to 30 degrees." */
export function findingFor(spec: FunctionSpec, error: ErrorObject, given: Given): string {
  const at = `Function ${spec.name}`;
  const params = error.params as Record<string, unknown>;
  if (isNested(error)) return `${at}, ${nestedFinding(spec, error, given)}`;
  if (error.keyword === 'additionalProperties') {
    const names = spec.parameters.map((parameter) => parameter.name).join(', ') || 'none';
    return `${at}, parameter ${quoted(params['additionalProperty'])} does not exist; allowed are ${names}.`;
  }
  if (error.keyword === 'required') {
    const parameter = parameterOf(spec, String(params['missingProperty']));
    return `${at}, parameter ${parameter?.name ?? ''} is missing; allowed is ${allowedFor(parameter)}.`;
  }
  const parameter = parameterOf(spec, error.instancePath.slice(1));
  if (!parameter) return `${at}: at least one of ${groupOf(spec, error).join(', ')} has to be given.`;
  return `${at}, parameter ${parameter.name}: ${quoted(given[parameter.name])} is not allowed; allowed is ${allowedFor(parameter)}.`;
}

/** "The bedroom can be set to 5 to 30 degrees, not 90." */
export function forPeople(spec: FunctionSpec, errors: readonly ErrorObject[], given: Given): string {
  const texts = errors.map((error) => sentenceFor(spec, error, given));
  return [...new Set(texts)].slice(0, 3).join(' ');
}

function sentenceFor(spec: FunctionSpec, error: ErrorObject, given: Given): string {
  if (isNested(error)) return nestedForPeople(spec, error, given);
  if (error.keyword === 'required') {
    const missing = String((error.params as { missingProperty: string }).missingProperty);
    return questionFor(spec, [missing]);
  }
  if (error.keyword === 'additionalProperties') {
    const name = quoted((error.params as { additionalProperty: string }).additionalProperty);
    const known = listed(spec.parameters.map(labelOf), 'and');
    return `There is no ${wordsOf(name)} to set${known ? `, only ${known}` : ''}.`;
  }
  const parameter = parameterOf(spec, error.instancePath.slice(1));
  if (!parameter) return questionFor(spec, groupOf(spec, error));
  const value = given[parameter.name];
  const about = subjectOf(spec, parameter, given);
  const can = allowedForPeople(parameter);
  const not = `not ${typeof value === 'number' ? value : valueForPeople(parameter, quoted(value))}`;
  if (nameIsUnit(parameter)) return about ? `The ${about} can be set to ${can}, ${not}.` : `It can be ${can}, ${not}.`;
  return `The ${labelOf(parameter)}${about ? ` for the ${about}` : ''} can be ${can}, ${not}.`;
}

/** What the call is about, from its other values: the room of a temperature, the area of a lawn. */
function subjectOf(spec: FunctionSpec, but: ParameterSpec, given: Given): string | undefined {
  const places = spec.parameters.filter(
    (one) =>
      one !== but && one.required && one.type === 'string' && allowedValuesOf(one)?.includes(String(given[one.name])),
  );
  const first = places[0];
  return first && valueForPeople(first, given[first.name]);
}

/** A question that asks a person for what lacks: "Which room: kitchen, living room, bedroom or hall?" */
export function questionFor(spec: FunctionSpec, missing: readonly string[]): string {
  const groups = (spec.requireOneOf ?? []).filter((group) => group.every((name) => missing.includes(name)));
  const grouped = groups.flat();
  const single = missing.filter((name) => !grouped.includes(name) || parameterOf(spec, name)?.required);
  const questions = [
    ...single.flatMap((name) => questionAbout(parameterOf(spec, name)) ?? []),
    ...groups.map((group) => `What should be set: ${choicesOf(spec, group)}?`),
  ];
  return questions.join(' ') || 'What exactly should be done?';
}

/** "on or off, or the brightness (0 to 100 %)" */
function choicesOf(spec: FunctionSpec, group: readonly string[]): string {
  const choices = group.flatMap((name) => {
    const parameter = parameterOf(spec, name);
    if (!parameter) return [];
    const isShort = parameter.type !== 'boolean' && (allowedValuesOf(parameter)?.length ?? 9) <= 4;
    const range = rangeOf(parameter);
    if (isShort) return [allowedForPeople(parameter)];
    return [`the ${labelOf(parameter)}${range ? ` (${allowedForPeople(parameter)})` : ''}`];
  });
  return choices.join(', or ');
}

function questionAbout(parameter: ParameterSpec | undefined): string | undefined {
  if (!parameter) return undefined;
  const name = labelOf(parameter);
  const allowed = allowedValuesOf(parameter)?.map((value) => valueForPeople(parameter, value));
  if (allowed?.length) return `Which ${name}${allowed.length <= 8 ? `: ${listed(allowed)}` : ''}?`;
  if (parameter.type === 'integer' || parameter.type === 'number') {
    const what = parameter.unit ? `How many ${folded(parameter.unit)}` : `What ${name}`;
    const range = rangeOf(parameter);
    return `${what}${range ? ` (${range})` : ''}?`;
  }
  if (parameter.type === 'boolean') return `${capitalised(name)}: yes or no?`;
  return parameter.type === 'datetime' ? `When (${name})?` : `What ${name}?`;
}

const parameterOf = (spec: FunctionSpec, name: string): ParameterSpec | undefined =>
  spec.parameters.find((parameter) => parameter.name === name);

function groupOf(spec: FunctionSpec, error: ErrorObject): readonly string[] {
  const index = /\/allOf\/(\d+)\//.exec(error.schemaPath)?.[1];
  return (index === undefined ? undefined : spec.requireOneOf?.[Number(index)]) ?? [];
}
