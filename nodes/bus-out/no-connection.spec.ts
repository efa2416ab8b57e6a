/** Commands to devices whose broker is gone: people are told that nothing was sent, and nothing comes late. */
import assert from 'node:assert/strict';
import { startMosquitto } from '../../test/mosquitto.ts';
import type { TestBroker } from '../../test/broker.ts';
import {
  core,
  load,
  nextAt,
  node,
  onTab,
  startServer,
  stopServer,
  unload,
  until,
  type FlowNode,
} from '../../test/red/red.ts';
import { createMqttBus } from '../../engine/bus/mqtt.ts';
import applyNode from '../apply/apply.ts';
import backboneNode from '../backbone/backbone.ts';
import languageNode from '../language/language.ts';
import busOutNode from './bus-out.ts';

const modules = [applyNode, backboneNode, languageNode, busOutNode, ...core('catch', 'complete', 'change')] as never[];
const lamp = {
  name: 'SetLamp',
  description: 'Switches the lamp',
  category: 'lamp',
  risk: 'reversible',
  effect: true,
  repeatable: true,
  parameters: [{ name: 'state', type: 'string', required: true, allowedValues: ['on', 'off'] }],
  sentence: 'lamp {state}',
};
const flow = (url: string): FlowNode[] => [
  { id: 'b', type: 'folkmoot-backbone', bus: 'mqtt', busUrl: url, storePath: ':memory:' },
  { id: 'lang', type: 'folkmoot-language', functions: [lamp] },
  ...onTab([
    {
      id: 'apply',
      type: 'folkmoot-apply',
      language: 'lang',
      backbone: 'b',
      rows: [{ kind: 'else', target: '', waitMs: 2000 }],
      wires: [['report'], ['device']],
    },
    {
      id: 'device',
      type: 'folkmoot-bus-out',
      mode: 'topic',
      topic: 'lamp/set',
      whenDown: 'fail',
      backbone: 'b',
      wires: [],
    },
    { id: 'c', type: 'catch', scope: ['device'], uncaught: false, wires: [['apply']] },
    { id: 'k', type: 'complete', scope: ['device'], uncaught: false, wires: [['apply']] },
    { id: 'report', type: 'helper', wires: [] },
  ]),
];
const command = (id: string) => ({
  payload: '',
  moot: {
    v: 1 as const,
    run: 'r1',
    outcome: 'done' as const,
    mutations: [
      { id, run: 'r1', step: 's1', function: 'SetLamp', parameters: { state: 'on' }, risk: 'reversible' as const },
    ],
  },
});

describe('commands to devices', function () {
  this.timeout(30_000);
  let broker: TestBroker;
  before(async () => {
    await startServer();
    broker = await startMosquitto();
  });
  after(async () => {
    await broker.stop();
    await stopServer();
  });
  afterEach(unload);

  it('are told as done when the broker took them, and as failed when it is gone; those never come late', async () => {
    await load(modules, flow(broker.url));
    const got: string[] = [];
    const watcher = createMqttBus({ url: broker.url, reconnectMinMs: 50 });
    await watcher.subscribe('lamp/set', (message) => void got.push(Buffer.from(message.payload).toString()));
    await until(() => watcher.state === 'up');

    const first = nextAt('report', 10_000);
    node('apply').receive(command('m1'));
    assert.equal((await first).moot?.report?.[0]?.state, 'applied');
    await until(() => got.length === 1);

    await broker.kill();
    await until(() => watcher.state === 'down');
    const second = nextAt('report', 10_000);
    node('apply').receive(command('m2'));
    const failed = await second;
    assert.equal(failed.moot?.report?.[0]?.state, 'failed');
    assert.equal(failed.payload, 'Not done: Lamp on. The device can’t be reached at the moment.');
    const logged = (node('apply') as unknown as { warn: { args: unknown[][] } }).warn.args.map(([said]) =>
      String(said),
    );
    assert.match(
      logged.join(),
      /^"SetLamp" was not carried out: There is no connection .* nothing was sent to "lamp\/set"/,
    );

    await broker.restart();
    await until(() => watcher.state === 'up', 10_000);
    await watcher.publish('lamp/set', { payload: 'fence' });
    await until(() => got.includes('fence'));
    assert.deepEqual(got, ['{"state":"on"}', 'fence']);
    await watcher.close();
  });
});
