/** What devices told, asked for by name, by room and by words. */
import assert from 'node:assert/strict';
import { zigbeeHouse } from '../../../test/zigbee-house.ts';
import { fakeClock } from '../../clock.ts';
import { functionsMadeBy } from '../../devices/functions-of-devices.ts';
import { readZigbee2mqtt } from '../../devices/zigbee2mqtt.ts';
import { createHouseState } from '../../events/house-state.ts';
import { createEmbeddedStore } from '../../store/embedded.ts';
import { deviceReadings, takeDown, topicsOf } from './device-readings.ts';

const { devices } = readZigbee2mqtt(zigbeeHouse);

function house() {
  const clock = fakeClock();
  const store = createEmbeddedStore({ path: ':memory:', clock });
  const state = createHouseState({ store, house: 'h:devices', clock, problem: assert.fail });
  const tools = deviceReadings(devices, { seen: () => state.all(), clock });
  const ask = async (name: string, device: string) => {
    const tool = tools.find(({ settings }) => settings.name === name);
    return (await tool?.run({ device })) as { text: string; value?: unknown; unit?: string; ageSeconds?: number };
  };
  const tell = (topic: string, payload: object, retained = false) =>
    takeDown(state, devices, { topic, payload: JSON.stringify(payload), retained });
  return { clock, state, tools, ask, tell };
}

describe('what my devices tell', () => {
  it('is a tool for each thing that is told, named as its function, which only looks', () => {
    const { tools } = house();
    const made = functionsMadeBy(devices).filter(({ risk }) => risk === 'read');
    assert.deepEqual(
      tools.map(({ settings }) => settings.name),
      made.map(({ name }) => name),
    );
    assert.ok(tools.every(({ settings }) => settings.risk === 'read' && !settings.effect));
    assert.ok(topicsOf(devices).includes('zigbee2mqtt/bathroom radiator'));
  });

  it('is the last value with its unit and age', async () => {
    const { clock, ask, tell, state } = house();
    tell('zigbee2mqtt/bathroom radiator', { local_temperature: 18.456, battery: 80 });
    await clock.advance(300_000);
    const answer = await ask('ReadTemperature', 'bathroom radiator');
    assert.deepEqual([answer.value, answer.unit, answer.ageSeconds], [18.456, '°C', 300]);
    assert.equal(answer.text, 'The temperature of the bathroom radiator is 18.46 °C, told 5 minutes ago');
    await state.close();
  });

  it('says what is not known yet, and which names there are', async () => {
    const { ask } = house();
    assert.match(
      (await ask('ReadTemperature', 'office radiator')).text,
      /office radiator has not told its temperature/,
    );
    assert.match((await ask('ReadTemperature', 'offce radiator')).text, /office radiator/);
  });

  it('passes over what is told on other topics, and what is no value', async () => {
    const { ask, tell, state } = house();
    tell('zigbee2mqtt/elsewhere', { local_temperature: 99 });
    tell('zigbee2mqtt/office radiator', { local_temperature: null });
    assert.deepEqual(state.all(), []);
    assert.equal((await ask('ReadTemperature', 'office radiator')).value, undefined);
  });
});
