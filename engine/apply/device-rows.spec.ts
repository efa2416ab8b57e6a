/** Rows that apply publishes itself: confirmed by the broker, refused where the device can't, never done late. */
import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import type { DeviceMessage } from '../devices/device.ts';
import { functionsMadeBy } from '../devices/functions-of-devices.ts';
import { readZigbee2mqtt } from '../devices/zigbee2mqtt.ts';
import { folkmootError } from '../errors.ts';
import { createLanguage } from '../language/language.ts';
import type { Mutation } from '../moot.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import { zigbeeHouse } from '../../test/zigbee-house.ts';
import { aLedger } from '../../test/red/apply-house.ts';
import { createApply, type ApplyOptions } from './apply.ts';
import { checkedRows, goneRows, rowFor } from './rows.ts';

const { devices } = readZigbee2mqtt(zigbeeHouse);
const language = { ...createLanguage(functionsMadeBy(devices)), devices };
const command = (id: string, name: string, parameters: Mutation['parameters']): Mutation => ({
  ...{ id, function: name, parameters, risk: 'reversible' },
});
const light = (id: string, name = 'kitchen ceiling', more: Mutation['parameters'] = { state: 'on' }) =>
  command(id, 'SetLight', { light: name, ...more });

function aHouse(publish: NonNullable<ApplyOptions['publish']>, saved: readonly unknown[] = [{ kind: 'device' }]) {
  const clock = fakeClock();
  const ledger = aLedger();
  const apply = createApply({
    ...{ language: () => language, rows: checkedRows(saved), effects: ledger.effects, owner: 'apply1', clock },
    store: createEmbeddedStore({ path: ':memory:', clock }),
    signal: new AbortController().signal,
    isConnected: () => false,
    send: () => assert.fail('nothing is wired'),
    publish,
  });
  const report = async (mutations: readonly Mutation[]) => {
    const moot = { v: 1 as const, run: 'r1', mutations };
    return apply.take({ payload: 'x', moot, plain: { moot }, origin: undefined });
  };
  return { clock, ledger, report };
}

describe('a device row of apply', () => {
  it('publishes what the device wants, and is confirmed by the broker', async () => {
    const published: DeviceMessage[] = [];
    const { report, ledger, clock } = aHouse(async ({ messages = [] }) => void published.push(...messages));
    const { payload, lines } = await report([light('a', 'kitchen light', { state: 'on', brightness: 40 })]);
    assert.deepEqual(published, [
      { topic: 'zigbee2mqtt/kitchen/ceiling/set', payload: '{"state":"ON","brightness":102}' },
    ]);
    assert.equal(payload, 'Kitchen ceiling on at 40 %.');
    assert.deepEqual([lines[0]?.state, ledger.known.get('a')?.state], ['applied', 'confirmed']);
    assert.equal(clock.waiting, 0);
  });

  it('refuses with the reason what this device can’t do, and publishes nothing for it', async () => {
    const { report, ledger } = aHouse(() => assert.fail('published'));
    const { payload } = await report([
      light('a', 'kitchen ceiling', { colour: 'red' }),
      command('b', 'SetHeating', { heating: 'office radiator', temperature: 28 }),
      command('c', 'SetLock', { lock: 'front door', state: 'unlock' }),
    ]);
    assert.match(String(payload), /no colour that can be set\.\n.*can be 8 to 25 °C, not 28\.\n.*consent of a person/);
    assert.equal(ledger.known.size, 0);
  });

  it('says that a device can’t be reached when the broker is away', async () => {
    const { report, ledger } = aHouse(() => Promise.reject(folkmootError('FOLKMOOT_BUS_LOST', 'Down.')));
    const { payload } = await report([light('a')]);
    assert.match(String(payload), /The device can’t be reached at the moment\./);
    assert.equal(ledger.known.get('a')?.state, 'failed');
  });

  it('does a critical command only when its row says so', async () => {
    const topics: string[] = [];
    const { report } = aHouse(
      async ({ messages = [] }) => void topics.push(...messages.map(({ topic }) => topic)),
      [{ kind: 'device', runWithoutAsking: true }],
    );
    await report([command('c', 'SetLock', { lock: 'front door', state: 'unlock' })]);
    assert.deepEqual(topics, ['zigbee2mqtt/front door/set']);
  });

  it('stands behind rows for a function and a category, and before anything else', () => {
    const spec = language.find('SetLight');
    assert.ok(spec);
    const rows = checkedRows([{ kind: 'else' }, { kind: 'device' }, { kind: 'category', target: 'lights' }]);
    assert.equal(rowFor(rows, spec, devices)?.index, 2);
    assert.equal(rowFor(rows.slice(0, 2), spec, devices)?.index, 1);
    assert.equal(rowFor(rows.slice(0, 2), { ...spec, name: 'MowLawn' }, devices)?.index, 0);
    assert.equal(rowFor(rows.slice(0, 2), spec)?.index, 0);
    assert.throws(() => checkedRows([{ kind: 'device' }, { kind: 'device' }]), /two rows for my devices/);
    assert.equal(goneRows(rows.slice(1, 2), createLanguage([])).length, 1);
  });
});
