/** The functions that a house has by its devices: one for each sort and risk, and one for each thing that is told. */
import type { FunctionSpec, ParameterSpec } from '../language/function-spec.ts';
import { limits } from '../limits.ts';
import type { Device, DeviceSetting } from './device.ts';
import { isRepeatable, kindWords, valueSynonyms, type KindWords } from './device-function.ts';
import { plain } from './plain.ts';
import { askedFor } from './reading-words.ts';

/** Name of the function by which a device is set; undefined for one that only tells. */
export function functionOf({ kind, risk, settings }: Pick<Device, 'kind' | 'risk' | 'settings'>): string | undefined {
  if (kind === 'sensor' || settings.length === 0) return undefined;
  const { name } = kindWords[kind];
  // One that people marked as critical, or as harmless, is none of the others.
  const usual = criticalKinds.has(kind) ? 'critical' : 'reversible';
  return risk === usual ? name : `${name}${risk === 'critical' ? 'Critical' : 'Harmless'}`;
}

const criticalKinds = new Set<Device['kind']>(['lock', 'garage door', 'alarm', 'valve']);

/** `soil moisture` → ReadSoilMoisture. */
export const readFunctionOf = (what: string): string =>
  `Read${what
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`;

/** Names of all functions that these devices make. */
export const functionsMadeBy = (devices: readonly Device[]): readonly FunctionSpec[] => [
  ...settingFunctions(devices),
  ...readFunctions(devices),
];

function settingFunctions(devices: readonly Device[]): FunctionSpec[] {
  const groups = Map.groupBy(devices, functionOf);
  return [...groups].flatMap(([name, members]) => {
    const [first] = members;
    if (name === undefined || !first || first.kind === 'sensor') return [];
    return [settingFunction(name, kindWords[first.kind], members, first)];
  });
}

function settingFunction(
  name: string,
  words: KindWords,
  members: readonly Device[],
  { kind, risk }: Device,
): FunctionSpec {
  const settings = members.flatMap((member) => member.settings);
  const whats = [...new Set(settings.map(({ what }) => what))].filter((what) => what !== 'press');
  const isOne = whats.length === 1;
  const parameters = whats.map((what) =>
    settingParameter(
      what,
      settings.filter((one) => one.what === what),
      `${kind} ${what}`,
      isOne,
    ),
  );
  const known = new Set([words.device, ...parameters.map((one) => one.name)]);
  return {
    ...{ name, description: words.description, category: words.category },
    risk: risk === 'critical' ? 'critical' : 'reversible',
    effect: true,
    repeatable: isRepeatable(kind),
    synonyms: words.synonyms,
    parameters: [deviceParameter(words.device, kind, members), ...parameters],
    ...(whats.length > 1 ? { requireOneOf: [parameters.map((one) => one.name)] } : {}),
    sentence: sentenceFor(words.sentence, known, isOne),
  };
}

/** Parts of it that these devices have; a single one is always said. */
function sentenceFor(sentence: string, known: ReadonlySet<string>, isOne: boolean): string {
  const kept = sentence.replace(/\[([^[\]]*)\]/g, (part, inner: string) => {
    const name = /\{([a-z_]+)/.exec(inner)?.[1] ?? '';
    if (!known.has(name)) return '';
    return isOne ? inner : part;
  });
  return kept.replace(/ \{([a-z_]+)[^}]*\}/g, (part, name: string) => (known.has(name) ? part : ''));
}

function deviceParameter(name: string, kind: Device['kind'], members: readonly Device[]): ParameterSpec {
  const synonyms = members.flatMap(({ name: own, aliases }) =>
    aliases.length ? [[own, aliases.slice(0, limits.synonyms)] as const] : [],
  );
  return {
    ...{ name, type: 'string', required: true, allowedValues: members.map((member) => member.name) },
    ...(name === 'garage_door' ? { label: 'garage door' } : {}),
    description: `which ${kind}`,
    ...(synonyms.length ? { synonyms: Object.fromEntries(synonyms) } : {}),
  };
}

export const parameterName = (what: string): string => what.replaceAll(' ', '_');

/** @param all This setting of all devices: the widest range, every value. */
function settingParameter(what: string, all: readonly DeviceSetting[], key: string, required: boolean): ParameterSpec {
  const name = parameterName(what);
  const label = what === name ? {} : { label: what };
  const values = [...new Set(all.flatMap((one) => Object.keys(one.values ?? {})))];
  if (values.length) {
    const synonyms = Object.entries(valueSynonyms[key] ?? {}).filter(([value]) => values.includes(value));
    const free = synonyms.map(([value, words]) => [value, words.filter((word) => !values.includes(word))] as const);
    return {
      ...{ name, ...label, type: 'string', required, allowedValues: values },
      ...(free.length ? { synonyms: Object.fromEntries(free) } : {}),
    };
  }
  const minima = all.flatMap(({ minimum }) => minimum ?? []);
  const maxima = all.flatMap(({ maximum }) => maximum ?? []);
  const unit = all.find((one) => one.unit !== undefined)?.unit;
  const isWhole = unit === '%' || all.every(({ step, isMired }) => isMired === true || (step ?? 0.5) % 1 === 0);
  return {
    ...{ name, ...label, type: isWhole ? 'integer' : 'number', required },
    ...(minima.length === all.length ? { minimum: Math.min(...minima) } : {}),
    ...(maxima.length === all.length ? { maximum: Math.max(...maxima) } : {}),
    ...(unit ? { unit } : {}),
  };
}

function readFunctions(devices: readonly Device[]): FunctionSpec[] {
  const told = devices.flatMap((device) => device.readings.map((reading) => ({ device, reading })));
  const groups = Map.groupBy(told, ({ reading }) => readFunctionOf(reading.what));
  return [...groups].map(([name, all]) => {
    const [first] = all;
    const what = first?.reading.what ?? '';
    const unit = first?.reading.unit;
    return {
      ...{ name, category: 'readings', risk: 'read', effect: false, repeatable: true },
      description: `Tells the ${what} of a device or room${unit ? `, in ${unit}` : ''}`,
      synonyms: [what, ...(askedFor[what] ?? [])].slice(0, limits.synonyms),
      parameters: [deviceParameter('device', 'sensor', withRooms(all.map(({ device }) => device)))],
      sentence: `${what} of the {device}`,
    };
  });
}

/** The only one of a room that tells something is asked for by the room. */
function withRooms(devices: readonly Device[]): readonly Device[] {
  const names = new Set(devices.flatMap(({ name, aliases }) => [name, ...aliases].map(plain)));
  return devices.map((device) => {
    const { room } = device;
    const isOnly = room !== undefined && devices.filter((one) => one.room === room).length === 1;
    return isOnly && !names.has(plain(room)) ? { ...device, aliases: [room, ...device.aliases] } : device;
  });
}
