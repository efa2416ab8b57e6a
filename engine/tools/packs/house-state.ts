/** The tool that tells what the house is like: the last value, its unit and how old it is (row P7). */
import type { SeenValue } from '../../events/house-state.ts';
import type { ParameterSpec } from '../../language/function-spec.ts';
import { wordsOf } from '../../language/words.ts';
import { limits } from '../../limits.ts';
import type { Parameters } from '../../moot.ts';
import type { ToolSettings } from '../tool-card.ts';
import { measures, type Measure } from './measures.ts';

export interface HouseStateTool {
  readonly settings: Omit<ToolSettings, 'timeoutMs'>;
  /** What it answers now. */
  run(given: Parameters): HouseAnswer;
}

export interface HouseAnswer {
  /** For people. */
  readonly text: string;
  readonly values: readonly {
    readonly place: string;
    readonly what: string;
    readonly value: SeenValue['value'];
    readonly unit?: string;
    readonly ageSeconds: number;
  }[];
}

/** "bedroom_climate" → bedroom climate. */
const placeOf = (source: string): string => wordsOf(source.replaceAll('/', ' ')).trim();

/** "bedroom climate" and what may stand for it: bedroom. */
const namesOf = (place: string): string[] => {
  const words = place.split(' ');
  return words.map((_word, index) => words.slice(0, words.length - index).join(' '));
};

/**
 * @param seen What is known at this moment.
 * @param only Names or properties of what may be told; empty: all.
 */
export function houseStateTool(
  seen: readonly SeenValue[],
  nowMs: number,
  only: readonly string[] = [],
): HouseStateTool {
  const offered = measures.filter(({ name, kinds }) =>
    only.length === 0 ? true : only.includes(name) || kinds.some((kind) => only.includes(kind)),
  );
  const told = seen.filter(({ kind }) => offered.some(({ kinds }) => kinds.includes(kind)));
  const places = [...new Set(told.flatMap(({ source }) => namesOf(placeOf(source))))].slice(-limits.allowedValues);
  return {
    settings: {
      name: 'HouseState',
      description:
        'Tells what was measured in the house: what it is like in a room, what a device (machine) uses, takes or draws',
      risk: 'read',
      effect: false,
      parameters: [whatOf(offered), whereOf(places)],
      result: 'the last value, its unit and how old it is',
      sentence: '{text}',
    },
    run: ({ what, where }) =>
      answer(offered, told, nowMs, String(what), where === undefined ? undefined : String(where)),
  };
}

const whatOf = (offered: readonly Measure[]): ParameterSpec => ({
  name: 'what',
  description: 'what was measured',
  label: 'value',
  type: 'string',
  required: true,
  allowedValues: offered.map(({ name }) => name),
  synonyms: Object.fromEntries(offered.map(({ name, synonyms }) => [name, [...synonyms]])),
});

const whereOf = (places: readonly string[]): ParameterSpec => ({
  name: 'where',
  description: 'the room, place or device',
  label: 'room or device',
  type: 'string',
  required: true,
  ...(places.length ? { allowedValues: places } : {}),
});

function answer(
  offered: readonly Measure[],
  told: readonly SeenValue[],
  nowMs: number,
  what: string,
  where = '',
): HouseAnswer {
  const measure = offered.find(({ name }) => name === what);
  const found = told.filter(
    ({ source, kind }) => measure?.kinds.includes(kind) && namesOf(placeOf(source)).includes(where),
  );
  if (!measure || found.length === 0) {
    const asked = measure?.about?.(where) ?? `the ${what} of the ${where}`;
    return { text: `I don’t know ${asked}: nothing has told it yet`, values: [] };
  }
  const values = found.map(({ source, value, unit = measure.unit, at }) => ({
    place: placeOf(source),
    what,
    value,
    ...(unit && typeof value === 'number' ? { unit } : {}),
    ageSeconds: Math.max(0, Math.round((nowMs - at) / 1000)),
  }));
  const several = values.length > 1;
  const said = values.map((one) => sentence(measure, one, several ? one.place : where));
  return { text: said.join('; '), values };
}

function sentence(measure: Measure, { value, unit, ageSeconds }: HouseAnswer['values'][number], place: string): string {
  const plain = `the ${measure.name} of the ${place} is ${rounded(value)}${unit ? ` ${unit}` : ''}`;
  return `${measure.said?.(value, place) ?? plain}, told ${age(ageSeconds)}`;
}

const rounded = (value: SeenValue['value']): string =>
  typeof value === 'number' ? String(Math.round(value * 100) / 100) : String(value);

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'} ago`;

/** "just now", "5 minutes ago", "2 days ago". */
export function age(seconds: number): string {
  if (seconds < 5) return 'just now';
  if (seconds < 60) return counted(seconds, 'second');
  if (seconds < 3_600) return counted(Math.floor(seconds / 60), 'minute');
  if (seconds < 86_400) return counted(Math.floor(seconds / 3_600), 'hour');
  return counted(Math.floor(seconds / 86_400), 'day');
}
