/** A house that is paused over its connections refuses what people ask, in words, also after a restart. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { amicaClient, type AmicaClient } from '../../test/amica-client.ts';
import type { TestBroker } from '../../test/broker.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { arrivals, load, node, onTab, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import { agent, config, modules as team, router } from '../../test/red/team-flow.ts';
import apply from '../apply/apply.ts';
import busOut from '../bus-out/bus-out.ts';
import busIn from './bus-in.ts';

const modules = [...(team as readonly unknown[]), busIn, busOut] as never[];
const control = 'folkmoot/v1/control';

describe('a paused house', function () {
  this.timeout(30_000);
  let broker: TestBroker;
  let person: AmicaClient;
  let storePath: string;
  before(async () => {
    storePath = await mkdtemp(path.join(tmpdir(), 'folkmoot-paused-'));
    broker = await startMosquitto();
    await startServer();
    person = await amicaClient(broker.url);
  });
  after(async () => {
    await person.close();
    await stopServer();
    await broker.stop();
    await rm(storePath, { recursive: true, force: true });
  });
  afterEach(unload);

  const flow = () => [
    { id: 'b', type: 'folkmoot-backbone', bus: 'mqtt', busUrl: broker.url, storePath, house: 'test' },
    ...onTab([
      { id: 'in', type: 'folkmoot-bus-in', mode: 'requests', backbone: 'b', wires: [['f']] },
      { id: 'f', type: 'function', func: 'msg.moot.outcome = "done"; return msg;', outputs: 1, wires: [['out']] },
      { id: 'out', type: 'folkmoot-bus-out', mode: 'reply', backbone: 'b', wires: [] },
    ]),
  ];
  const say = (paused: boolean) =>
    person.client.publishAsync(
      control,
      JSON.stringify({ paused, shadow: false, by: 'ana', since: new Date().toISOString() }),
      { qos: 1, retain: true },
    );
  /** Asked again until it is answered so: requests before the subscription stands are lost to any listener. */
  const untilAnswered = async (expected: RegExp) => {
    const ids: string[] = [];
    const said = () => ids.flatMap((id) => person.parts(id).map(({ message }) => message));
    for (let tries = 0; tries < 100 && !said().some((text) => expected.test(text)); tries += 1) {
      ids.push(await person.ask('hello', randomUUID()));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.ok(
      said().some((text) => expected.test(text)),
      said().join(' | '),
    );
  };

  it('refuses in words, remembers it though the broker forgot, and goes on', async () => {
    await load(modules, flow());
    await untilAnswered(/^hello$/);
    await say(true);
    await untilAnswered(/^The house is paused/);
    await unload();
    await broker.kill();
    await broker.restart();
    await until(() => person.client.connected);
    await person.client.subscribeAsync('/es/nachobrito/amica/replies/+', { qos: 1 });
    await load(modules, flow());
    await untilAnswered(/^The house is paused/);
    await say(false);
    await untilAnswered(/^hello$/);
  });

  it('acts on nothing else either: no run begins, no sensor is heeded, no command is carried out', async () => {
    const sent = { backbone: 'b', language: 'lang' };
    const helpers = ['result', 'report', 'light'].map((id) => ({ id, type: 'helper', wires: [] }));
    await load([...modules, apply] as never[], [
      ...flow().map((one) => ({ ...one, ...(one.type === 'folkmoot-backbone' ? { house: 'acting' } : {}) })),
      ...config(),
      ...onTab([
        { ...router(['lights'], { wires: [['result'], ['result'], [], ['lights']] }), ...sent },
        agent('lights', 'lights', ['SetLight'], sent),
        {
          ...{ id: 'apply', type: 'folkmoot-apply', ...sent, outputs: 2, wires: [['report'], ['light']] },
          rows: [{ kind: 'function', target: 'SetLight', waitMs: 20 }],
        },
        ...helpers,
      ]).filter(({ type }) => type !== 'tab'),
    ]);
    await untilAnswered(/^hello$/);
    await say(true);
    await untilAnswered(/^The house is paused/);
    const [results, reports, lights] = [arrivals('result'), arrivals('report'), arrivals('light')];
    node('router').receive({
      payload: 'turn on the kitchen light',
      moot: { v: 1, event: [{ source: 's', kind: 'k', value: 1, time: new Date().toISOString() }] },
    });
    node('router').receive({ payload: 'turn on the kitchen light' });
    await until(() => results.length > 0);
    assert.deepEqual(
      results.map(({ payload, moot }) => [payload, moot?.outcome, moot?.mutations]),
      [['The house is paused, so nothing is done. Please ask again when it goes on.', 'refused', []]],
    );
    const mutation = {
      id: 'm1',
      run: 'r1',
      function: 'SetLight',
      parameters: { room: 'kitchen', state: 'on' },
      risk: 'reversible',
    };
    const command = { payload: 'I will.', moot: { v: 1, run: 'r1', outcome: 'done', mutations: [mutation] } } as never;
    node('apply').receive(command);
    await until(() => reports.length === 1);
    assert.equal(reports[0]?.payload, 'The house is paused, so nothing is done.');
    assert.deepEqual([reports[0]?.moot?.report?.map(({ state }) => state), lights.length], [['refused'], 0]);
    await say(false);
    await untilAnswered(/^hello$/);
    node('apply').receive(command);
    await until(() => lights.length === 1);
  });
});
