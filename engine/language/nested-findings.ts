/** What is wrong inside of a list or an object: where, and what may stand there. */
import { allowedFor, allowedForPeople } from './allowed.ts';
import type { ErrorObject } from './ajv.ts';
import type { FunctionSpec, ItemSpec } from './function-spec.ts';
import { capitalised, labelOf, quoted, valueForPeople, wordsOf } from './words.ts';

type Given = Readonly<Record<string, unknown>>;

const pathOf = ({ instancePath }: ErrorObject): string[] =>
  instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'));

/** Whether it lies inside of a parameter's value, and not in the parameter itself. */
export const isNested = (error: ErrorObject): boolean => {
  const depth = pathOf(error).length;
  const isAboutField = error.keyword === 'required' || error.keyword === 'additionalProperties';
  return depth > 1 || (depth === 1 && isAboutField);
};

/** What stands at a path of names and numbers; nothing for one that does not exist. */
function itemAt(spec: FunctionSpec, path: readonly string[]): ItemSpec | undefined {
  const [name, ...rest] = path;
  let item: ItemSpec | undefined = spec.parameters.find((parameter) => parameter.name === name);
  for (const part of rest)
    item = item?.type === 'list' ? (item.items ?? { type: 'string' }) : item?.fields?.find((one) => one.name === part);
  return item;
}

const valueAt = (given: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, part) => (value as Given | undefined)?.[part], given);

/** For the model: "pages.0.title is missing; allowed is a string." */
export function nestedFinding(spec: FunctionSpec, error: ErrorObject, given: Given): string {
  const path = pathOf(error);
  const params = error.params as Record<string, unknown>;
  if (error.keyword === 'required') {
    const missing = [...path, String(params['missingProperty'])];
    return `parameter ${missing.join('.')} is missing; allowed is ${allowedFor(itemAt(spec, missing))}.`;
  }
  if (error.keyword === 'additionalProperties') {
    const names = itemAt(spec, path)?.fields?.map(({ name }) => name) ?? [];
    const stranger = quoted(params['additionalProperty']);
    return `parameter ${path.join('.')}.${stranger} does not exist; allowed are ${names.join(', ') || 'none'}.`;
  }
  const value = quoted(valueAt(given, path));
  return `parameter ${path.join('.')}: ${value} is not allowed; allowed is ${allowedFor(itemAt(spec, path))}.`;
}

/** For people: "Pages 1, title: it is missing." */
export function nestedForPeople(spec: FunctionSpec, error: ErrorObject, given: Given): string {
  const path = pathOf(error);
  const params = error.params as Record<string, unknown>;
  const missing = error.keyword === 'required' ? [String(params['missingProperty'])] : [];
  const place = capitalised(placeFor(spec, [...path, ...missing]));
  if (missing.length) return `${place} is missing.`;
  if (error.keyword === 'additionalProperties')
    return `${place} has no ${wordsOf(quoted(params['additionalProperty']))}.`;
  const item = itemAt(spec, path);
  const value = valueAt(given, path);
  const can = item ? allowedForPeople(item) : 'nothing';
  return `${place} can be ${can}, not ${typeof value === 'number' ? value : valueForPeople(item, quoted(value))}.`;
}

/** "pages 1, title": numbers from 1, as people count. */
function placeFor(spec: FunctionSpec, path: readonly string[]): string {
  return path.reduce((words, part, index) => {
    if (/^\d+$/.test(part)) return `${words} ${Number(part) + 1}`;
    const item = itemAt(spec, path.slice(0, index + 1));
    const name = item && 'name' in item ? labelOf(item as Parameters<typeof labelOf>[0]) : wordsOf(part);
    return words ? `${words}, ${name}` : name;
  }, '');
}
