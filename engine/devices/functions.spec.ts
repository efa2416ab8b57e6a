/** What a house can do by its devices: as functions, by words and rules, and as messages. */
import assert from 'node:assert/strict';
import { say } from '../../bench/rules.sets.ts';
import { zigbeeHouse } from '../../test/zigbee-house.ts';
import { createLanguage } from '../language/language.ts';
import type { FunctionSpec } from '../language/function-spec.ts';
import { deviceMessages } from './device-messages.ts';
import { functionsMadeBy } from './functions-of-devices.ts';
import { withDeviceFunctions } from './merge-functions.ts';
import { readZigbee2mqtt } from './zigbee2mqtt.ts';

const { devices } = readZigbee2mqtt(zigbeeHouse);
const functions = functionsMadeBy(devices);
const spec = (name: string, list: readonly FunctionSpec[] = functions) => list.find((one) => one.name === name);

describe('functions of devices', () => {
  it('are one for each sort, with ranges and units of all its devices, and are a right language', () => {
    createLanguage(functions);
    assert.deepEqual(
      functions.filter(({ risk }) => risk !== 'read').map(({ name, risk }) => `${name} ${risk}`),
      [
        'SetLight reversible',
        'SwitchDevice reversible',
        'SetBlind reversible',
        'SetGarageDoor critical',
        'SetHeating reversible',
        'SetLock critical',
        'SetAlarm critical',
        'SetValve critical',
      ],
    );
    const temperature = spec('SetHeating')?.parameters.find(({ name }) => name === 'temperature');
    assert.deepEqual([temperature?.minimum, temperature?.maximum, temperature?.unit], [5, 30, '°C']);
  });

  it('read what is told, each with its unit', () => {
    const read = spec('ReadTemperature');
    assert.equal(read?.risk, 'read');
    assert.match(read.description, /temperature .* in °C/);
    assert.deepEqual(read.parameters[0]?.allowedValues, ['bathroom radiator', 'office radiator', 'bath climate']);
  });

  it('understand people without any model', () => {
    const commands: Record<string, string> = {
      'kitchen light on': 'SetLight {"light":"kitchen ceiling","state":"on"}',
      'make the living room lamp red': 'SetLight {"light":"living room lamp","colour":"red"}',
      'dim the kitchen ceiling to 30': 'SetLight {"light":"kitchen ceiling","brightness":30}',
      'close the bedroom blinds': 'SetBlind {"blind":"bedroom blind","state":"close"}',
      'switch the coffee plug off': 'SwitchDevice {"device":"coffee plug","state":"off"}',
      'unlock the front door': 'SetLock {"lock":"front door","state":"unlock"}',
      'set the bathroom heating to 21': 'SetHeating {"heating":"bathroom radiator","temperature":21}',
    };
    const got = Object.keys(commands).map((text) => {
      const { calls } = say(text, functions);
      return [text, calls.map((call) => `${call.function} ${JSON.stringify(call.parameters)}`).join('; ')];
    });
    assert.deepEqual(Object.fromEntries(got), commands);
  });

  it('publish what the one device wants, or say why not', () => {
    const sent = (name: string, parameters: Record<string, string | number>) => {
      const plan = deviceMessages({ function: name, parameters }, devices);
      return 'why' in plan ? plan.why : plan.messages.map(({ topic, payload }) => `${topic} ${payload}`).join('; ');
    };
    assert.deepEqual(
      [
        sent('SetLight', { light: 'kitchen ceiling', state: 'on', brightness: 40 }),
        sent('SetLight', { light: 'kitchen ceiling', brightness: 1 }),
        sent('SetLight', { light: 'kitchen ceiling', brightness: 0 }),
        sent('SetLight', { light: 'kitchen ceiling', colour_temperature: 2700 }),
        sent('SetLight', { light: 'living room lamp', colour: 'red' }),
        sent('SetLight', { light: 'kitchen ceiling', colour: 'red' }),
        sent('SetHeating', { heating: 'office radiator', temperature: 28 }),
        sent('SetAlarm', { alarm: 'attic siren', state: 'on' }),
        sent('SetLight', { light: 'kitchn ceilng', state: 'on' }),
        sent('SetLight', { light: 'kitchen ceiling' }),
        sent('Fly', {}),
      ],
      [
        'zigbee2mqtt/kitchen/ceiling/set {"state":"ON","brightness":102}',
        'zigbee2mqtt/kitchen/ceiling/set {"brightness":3}',
        'zigbee2mqtt/kitchen/ceiling/set {"brightness":0}',
        'zigbee2mqtt/kitchen/ceiling/set {"color_temp":370}',
        'zigbee2mqtt/living_room_lamp/set {"color":{"hex":"#FF0000"}}',
        'The kitchen ceiling has no colour that can be set.',
        'The temperature of the office radiator can be 8 to 25 °C, not 28.',
        'zigbee2mqtt/attic siren/set {"warning":{"mode":"burglar"}}',
        'There is no kitchn ceilng here. Did you mean kitchen ceiling?',
        'It is not said what shall be done with the kitchen ceiling.',
        'None of the devices can do that.',
      ],
    );
  });

  it('are brought into a list without taking away what people wrote', () => {
    const own: FunctionSpec = {
      ...{ name: 'TellPerson', description: 'Tell', category: 'messages', risk: 'reversible', effect: true },
      ...{ repeatable: false, parameters: [{ name: 'text', type: 'string', required: true }] },
    };
    const first = withDeviceFunctions([own], devices);
    assert.equal(first[0], own);
    const changed = first.map((one) =>
      one.name === 'SetLight'
        ? {
            ...one,
            ...{ description: 'My lights', sentence: 'light {light} is {state}' },
            parameters: one.parameters.map((parameter) =>
              parameter.name === 'light' ? { ...parameter, synonyms: { 'kitchen ceiling': ['big one'] } } : parameter,
            ),
          }
        : one,
    );
    const fewer = devices.filter(({ kind, name }) => kind !== 'blind' && name !== 'living room lamp');
    const second = withDeviceFunctions(changed, fewer, devices);
    const light = spec('SetLight', second);
    assert.deepEqual([light?.description, light?.sentence], ['My lights', 'light {light} is {state}']);
    assert.deepEqual(light?.parameters[0]?.allowedValues, ['kitchen ceiling', 'Küche Spüle']);
    assert.deepEqual(light.parameters[0].synonyms?.['kitchen ceiling'], ['kitchen light', 'big one']);
    assert.equal(spec('SetBlind', second), undefined);
    assert.equal(second[0], own);
    createLanguage(second);
  });

  it('are apart for what people marked as critical', () => {
    const freezer = devices.map((one) => (one.name === 'coffee plug' ? { ...one, risk: 'critical' as const } : one));
    const made = functionsMadeBy(freezer);
    assert.deepEqual(
      made.filter(({ name }) => name.startsWith('Switch')).map(({ name, risk }) => `${name} ${risk}`),
      ['SwitchDeviceCritical critical', 'SwitchDevice reversible'],
    );
  });
});
