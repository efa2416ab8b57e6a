/** What *my devices* told last, as tools: one for each thing that is told, by the name of its function (issue "my devices"). */
import type { Clock } from '../../clock.ts';
import type { Device, DeviceReading } from '../../devices/device.ts';
import { findDevice } from '../../devices/find-device.ts';
import { functionsMadeBy, readFunctionOf } from '../../devices/functions-of-devices.ts';
import { toldValue } from '../../devices/told-value.ts';
import type { HouseState, SeenValue } from '../../events/house-state.ts';
import { listed } from '../../language/words.ts';
import type { BuiltInTool } from './local-system.ts';
import { age } from './house-state.ts';

/** Topics on which these devices tell something. */
export const topicsOf = (devices: readonly Device[]): readonly string[] => [
  ...new Set(devices.flatMap(({ readings }) => readings.map(({ topic }) => topic))),
];

/** Takes down what was told on a topic. */
export function takeDown(
  state: Pick<HouseState, 'saw'>,
  devices: readonly Device[],
  told: { readonly topic: string; readonly payload: string; readonly retained: boolean },
): void {
  for (const { id, readings } of devices)
    for (const reading of readings.filter(({ topic }) => topic === told.topic)) {
      const value = toldValue(reading, told.payload);
      if (value === undefined) continue;
      state.saw(
        [{ source: id, kind: reading.what, value, ...(reading.unit ? { unit: reading.unit } : {}) }],
        told.retained,
      );
    }
}

export interface DeviceReadingsPorts {
  /** What they told last, by their ids. */
  readonly seen: () => readonly SeenValue[];
  readonly clock: Clock;
}

export function deviceReadings(devices: readonly Device[], ports: DeviceReadingsPorts): readonly BuiltInTool[] {
  return functionsMadeBy(devices)
    .filter(({ risk }) => risk === 'read')
    .map(({ name, description, parameters, synonyms }) => ({
      settings: {
        ...{ name, description, parameters, risk: 'read', effect: false, timeoutMs: 5_000 },
        ...(synonyms ? { synonyms } : {}),
        result: 'the last value, its unit and how old it is',
        sentence: '{text}',
      },
      run: (given) => Promise.resolve(answer(name, String(given['device'] ?? ''), devices, ports)),
    }));
}

function answer(name: string, said: string, devices: readonly Device[], { seen, clock }: DeviceReadingsPorts) {
  const able = devices.filter(({ readings }) => readings.some(({ what }) => readFunctionOf(what) === name));
  const found = findDevice(said, able);
  if (found.kind === 'tie') return { text: `There are several: ${listed(found.devices.map((one) => one.name))}` };
  if (found.kind !== 'found') {
    const nearest = found.nearest.map((one) => one.name);
    return { text: `There is no ${said} that tells this${nearest.length ? `. There is ${listed(nearest)}` : ''}` };
  }
  const { device } = found;
  const reading = device.readings.find(({ what }) => readFunctionOf(what) === name);
  const last = reading && seen().find(({ source, kind }) => source === device.id && kind === reading.what);
  if (!reading || !last) return { text: `The ${device.name} has not told its ${reading?.what ?? 'value'} yet` };
  const ageSeconds = Math.max(0, Math.round((clock.now() - last.at) / 1000));
  return {
    text: `${sentence(device, reading, last)}, told ${age(ageSeconds)}`,
    ...{ device: device.name, value: last.value, ...(last.unit ? { unit: last.unit } : {}), ageSeconds },
  };
}

function sentence({ name }: Device, { what, words }: DeviceReading, { value, unit }: SeenValue): string {
  if (what === 'contact') return `The ${name} is ${String(value)}`;
  if (words && !['on', 'off'].includes(String(value))) return `The ${name} tells: ${String(value)}`;
  const shown = typeof value === 'number' ? String(Math.round(value * 100) / 100) : String(value);
  return `The ${what} of the ${name} is ${shown}${unit ? ` ${unit}` : ''}`;
}
