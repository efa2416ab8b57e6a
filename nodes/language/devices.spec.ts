/** Devices of a real broker: found for the dialog, and set by the apply node itself. */
import assert from 'node:assert/strict';
import mqtt, { type MqttClient } from 'mqtt';
import type { Device } from '../../engine/devices/device.ts';
import type { Found } from '../../engine/devices/look-around.ts';
import type { FunctionSpec } from '../../engine/language/function-spec.ts';
import type { Mutation } from '../../engine/moot.ts';
import type { TestBroker } from '../../test/broker.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { adminPost, arrivals, load, node, onTab, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import { zigbeeHouse } from '../../test/zigbee-house.ts';
import apply from '../apply/apply.ts';
import backbone from '../backbone/backbone.ts';
import language from './language.ts';

const modules = [apply, backbone, language] as never[];

describe('my devices', function () {
  this.timeout(30_000);
  let broker: TestBroker;
  let client: MqttClient;
  const sent: string[] = [];
  before(async () => {
    broker = await startMosquitto();
    client = await mqtt.connectAsync(broker.url);
    client.on('message', (topic, payload) => void sent.push(`${topic} ${payload.toString()}`));
    await client.subscribeAsync(['zigbee2mqtt/+/set', 'zigbee2mqtt/+/+/set']);
    await startServer();
  });
  after(async () => {
    await stopServer();
    await client.endAsync();
    await broker.stop();
  });
  beforeEach(() => void (sent.length = 0));
  afterEach(unload);

  const tell = (topic: string, payload: unknown) =>
    client.publishAsync(topic, typeof payload === 'string' ? payload : JSON.stringify(payload), {
      retain: true,
      qos: 1,
    });
  const bus = () => ({ id: 'b', type: 'folkmoot-backbone', bus: 'mqtt', busUrl: broker.url, storePath: ':memory:' });
  type Answer = Partial<Found> & { readonly fault?: string; readonly functions?: readonly FunctionSpec[] };
  const ask = async (what: string, body: object): Promise<Answer> =>
    (await adminPost<Answer>(`/folkmoot-admin/devices/${what}`, body)).body;

  it('are found on the broker: Zigbee2MQTT’s list, and discovery of what is not in it', async () => {
    await tell('zigbee2mqtt/bridge/devices', zigbeeHouse);
    const [, ceiling] = zigbeeHouse as { readonly ieee_address?: string }[];
    await tell(`homeassistant/light/${ceiling?.ieee_address}/config`, { name: 'twice', cmd_t: 'x/set' });
    await tell('homeassistant/switch/pump/config', { name: 'Pond pump', uniq_id: 'p', cmd_t: 'pump/set' });
    await load(modules, [bus()]);
    const { devices = [], skipped = [], problems } = await ask('look', { backbone: 'b' });
    const names = devices.map(({ name }) => name);
    assert.ok(names.includes('kitchen ceiling') && names.includes('Pond pump') && !names.includes('twice'));
    assert.ok(skipped.some(({ name, why }) => name === 'old one' && /disabled/.test(why)));
    assert.deepEqual(problems, []);
  });

  it('are read from a pasted list, and what is none is said in words', async () => {
    await load(modules, [bus()]);
    const { devices = [] } = await ask('look', { pasted: JSON.stringify(zigbeeHouse) });
    assert.equal(devices.length, 15);
    assert.match((await ask('look', { pasted: '{"a": ' })).fault ?? '', /no JSON/);
    assert.match((await ask('look', { backbone: '' })).fault ?? '', /over an MQTT broker, and none is named\./);
    assert.match((await ask('look', { backbone: 'gone' })).fault ?? '', /missing|disabled/);
    assert.match((await ask('functions', { devices: [{ name: 'x' }] })).fault ?? '', /^Device x: /);
  });

  const house = async () => {
    const { devices = [] } = await ask('look', { pasted: JSON.stringify(zigbeeHouse) });
    const { functions = [] } = await ask('functions', { functions: [], devices });
    return { devices, functions };
  };
  const flow = ({ devices, functions }: { devices: readonly Device[]; functions: readonly FunctionSpec[] }) => [
    bus(),
    { id: 'lang', type: 'folkmoot-language', functions, devices },
    ...onTab([
      {
        ...{ id: 'a', type: 'folkmoot-apply', language: 'lang', backbone: 'b', rows: [{ kind: 'device' }], outputs: 2 },
        wires: [['report'], ['told']],
      },
      { id: 'report', type: 'helper', wires: [] },
      { id: 'told', type: 'helper', wires: [] },
    ]),
  ];
  const receive = (id: string, brightness: number) => {
    const mutation: Mutation = {
      ...{ id, function: 'SetLight', risk: 'reversible' },
      parameters: { light: 'kitchen ceiling', brightness },
    };
    node('a').receive({ payload: 'x', moot: { v: 1, run: id, mutations: [mutation] } });
  };

  it('are set by apply itself, which tells what it published', async () => {
    await load(modules, [bus()]);
    const known = await house();
    await unload();
    await load(modules, flow(known));
    const [report, told] = [arrivals('report'), arrivals('told')];
    receive('one', 40);
    await until(() => report.length === 1 && sent.length === 1);
    assert.equal(report[0]?.payload, 'Kitchen ceiling at 40 %.');
    assert.deepEqual(sent, ['zigbee2mqtt/kitchen/ceiling/set {"brightness":102}']);
    assert.deepEqual(told[0]?.['published'], [
      { topic: 'zigbee2mqtt/kitchen/ceiling/set', payload: '{"brightness":102}' },
    ]);
  });

  it('are not set late: while the broker is away people are told so, and nothing comes afterwards', async () => {
    await load(modules, [bus()]);
    const known = await house();
    await unload();
    await load(modules, flow(known));
    const report = arrivals('report');
    receive('first', 10);
    await until(() => report.length === 1);
    await broker.kill();
    receive('away', 90);
    await until(() => report.length === 2, 15_000);
    assert.match(String(report[1]?.payload), /can’t be reached/);
    await broker.restart();
    await until(() => client.connected, 15_000);
    for (let n = 0; !sent.some((one) => one.endsWith('{"brightness":51}')); n += 1) {
      const before = report.length;
      receive(`back-${n}`, 20);
      await until(() => report.length > before, 15_000);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.ok(!sent.some((one) => one.endsWith('{"brightness":229}')));
  });
});
