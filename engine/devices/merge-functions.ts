/** Brings what devices can do into a list of functions that people may have changed. */
import type { FunctionSpec, ParameterSpec } from '../language/function-spec.ts';
import { limits } from '../limits.ts';
import type { Device } from './device.ts';
import { functionsMadeBy } from './functions-of-devices.ts';

/**
 * The list with the functions of the devices: new ones at the end; of those that are there already only what comes from
 * devices is renewed (which ones, ranges, values), and words and sentences stay. What only earlier devices made goes.
 * @param earlier The devices that the list was made with before.
 */
export function withDeviceFunctions(
  functions: readonly FunctionSpec[],
  devices: readonly Device[],
  earlier: readonly Device[] = [],
): readonly FunctionSpec[] {
  const made = new Map(functionsMadeBy(devices).map((spec) => [spec.name.toLowerCase(), spec]));
  const before = new Set(functionsMadeBy(earlier).map(({ name }) => name.toLowerCase()));
  const kept = functions.flatMap((spec) => {
    const renewed = made.get(spec.name.toLowerCase());
    made.delete(spec.name.toLowerCase());
    if (renewed) return [joined(spec, renewed)];
    return before.has(spec.name.toLowerCase()) ? [] : [spec];
  });
  return [...kept, ...made.values()];
}

function joined(own: FunctionSpec, made: FunctionSpec): FunctionSpec {
  const names = new Set(made.parameters.map(({ name }) => name));
  const parameters = made.parameters.map((one) =>
    parameterOf(
      own.parameters.find(({ name }) => name === one.name),
      one,
    ),
  );
  const { requireOneOf: _, ...rest } = own;
  return {
    ...rest,
    risk: made.risk,
    parameters: [...parameters, ...own.parameters.filter(({ name }) => !names.has(name))],
    ...(made.requireOneOf ? { requireOneOf: made.requireOneOf } : {}),
    ...(usable(own, names) ? {} : { sentence: made.sentence ?? '' }),
  };
}

/** A sentence that speaks of what is gone says nothing right any more. */
const usable = ({ sentence = '', parameters }: FunctionSpec, names: ReadonlySet<string>): boolean =>
  sentence !== '' && parameters.every(({ name }) => names.has(name) || !sentence.includes(`{${name}`));

/** Synonyms that people gave are theirs, as long as their value is there. */
function parameterOf(own: ParameterSpec | undefined, made: ParameterSpec): ParameterSpec {
  if (!own) return made;
  const values = new Set(made.allowedValues ?? []);
  const all = new Map(Object.entries(made.synonyms ?? {}));
  for (const [value, words] of Object.entries(own.synonyms ?? {}))
    if (values.has(value))
      all.set(value, [...new Set([...(all.get(value) ?? []), ...words])].slice(0, limits.synonyms));
  const { synonyms: _, ...rest } = made;
  return {
    ...(own.description === undefined ? {} : { description: own.description }),
    ...rest,
    ...(own.label === undefined ? {} : { label: own.label }),
    ...(all.size ? { synonyms: Object.fromEntries(all) } : {}),
  };
}
