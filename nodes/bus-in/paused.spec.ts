/** A house that is paused over its connections refuses what people ask, in words, also after a restart. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { amicaClient, type AmicaClient } from '../../test/amica-client.ts';
import type { TestBroker } from '../../test/broker.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { core, load, onTab, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import backbone from '../backbone/backbone.ts';
import busOut from '../bus-out/bus-out.ts';
import busIn from './bus-in.ts';

const modules = [backbone, busIn, busOut, ...core('function')] as never[];
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
});
