/** What a real broker doesn't take, or can't now: one clear error each, counted, and no loop. */
import assert from 'node:assert/strict';
import mqtt from 'mqtt';
import type { MetricsBody } from '../../engine/bus/watch-schemas.ts';
import { ourTopics } from '../../engine/bus/topics.ts';
import { limits } from '../../engine/limits.ts';
import type { TestBroker } from '../broker.ts';
import { startMosquitto } from '../mosquitto.ts';
import { arrivals, core, load, node, onTab, settle, startServer, stopServer, unload, until } from '../red/red.ts';
import backbone from '../../nodes/backbone/backbone.ts';
import busOut from '../../nodes/bus-out/bus-out.ts';

const modules = [backbone, busOut, ...core('catch')] as never[];
const most = 10;
/** Of anybody; what is not named may not be written. */
const acl = ['topic readwrite home/#', 'topic readwrite folkmoot/#', 'topic write deaf/#'];

describe('what a broker does not take', function () {
  this.timeout(30_000);
  let broker: TestBroker;
  let watcher: mqtt.MqttClient;
  const heard: string[] = [];
  let counts: MetricsBody | undefined;
  before(async () => {
    broker = await startMosquitto({ acl });
    await startServer();
  });
  after(async () => {
    await stopServer();
    await broker.stop();
  });
  beforeEach(async () => {
    watcher = await mqtt.connectAsync(broker.url, { protocolVersion: 5, reconnectPeriod: 50 });
    watcher.on('message', (topic, payload) => {
      if (topic === ourTopics.metrics) counts = JSON.parse(payload.toString()) as MetricsBody;
      else heard.push(payload.toString());
    });
    await watcher.subscribeAsync(['home/#', ourTopics.metrics], { qos: 1 });
    await load(modules, [
      {
        ...{ id: 'b', type: 'folkmoot-backbone', bus: 'mqtt', busUrl: broker.url, storePath: ':memory:' },
        outboxMessages: most,
      },
      ...onTab([
        { id: 'o', type: 'folkmoot-bus-out', mode: 'topic', topic: '', backbone: 'b', wires: [] },
        { id: 'c', type: 'catch', scope: null, uncaught: false, wires: [['caught']] },
        { id: 'caught', type: 'helper', wires: [] },
      ]),
    ]);
    heard.length = 0;
    await says('ready');
  });
  afterEach(async () => {
    await unload();
    await watcher.endAsync(true);
  });
  const send = (topic: string, payload: unknown) => node('o').receive({ topic, payload });
  /** Comes after all that was sent before it. */
  const says = async (word: string) => {
    send('home/lamp', word);
    await until(() => heard.includes(word), 10_000);
  };
  const errors = (messages: readonly { readonly error?: unknown }[]) =>
    messages.map(({ error }) => error as { code: string; message: string });

  it('is one error each, in words and counted, and what comes next arrives on the same connection', async () => {
    const caught = arrivals('caught');
    send('cellar/secret', 'x');
    send('home/long', 'x'.repeat(limits.busPayloadBytes + 1));
    send('home/+/x', 'x');
    send('home/\u0000', 'x');
    await until(() => caught.length === 4);
    await says('after');
    const said = errors(caught).map(({ code, message }) => `${code}: ${message}`);
    for (const form of [
      /^FOLKMOOT_BUS_REFUSED: .*"cellar\/secret".*not authorized/i,
      /^FOLKMOOT_LIMIT: .*"home\/long" is over the limit of \d+/,
      /^FOLKMOOT_BUS_REFUSED: .*The topic "home\/\+\/x" has a wildcard/,
      /^FOLKMOOT_BUS_REFUSED: .*The topic has a zero character/,
    ]) {
      assert.equal(said.filter((line) => form.test(line)).length, 1, `${String(form)}\n${said.join('\n')}`);
    }
    await until(() => (counts?.outbox.lost['refused'] ?? 0) > 0, 5_000);
    assert.deepEqual(counts?.outbox, { waiting: 0, maybeLost: 0, lost: { refused: 1 } });
    assert.match(counts?.topics['cellar/secret']?.lastError?.text ?? '', /\w+ \w+/);
    await settle();
    assert.deepEqual([caught.length, heard], [4, ['ready', 'after']]);
  });

  it('is counted as maybe lost where it may be written but not heard, for nobody saw it arrive', async () => {
    const caught = arrivals('caught');
    send('deaf/lamp', 'x');
    await until(() => (counts?.outbox.maybeLost ?? 0) > 0, limits.outboxEchoMs * 3);
    assert.deepEqual([counts?.outbox.lost, caught.length], [{}, 0]);
  });

  it('is refused at once when too many wait for a broker that is gone, and those that wait arrive in order', async () => {
    const caught = arrivals('caught');
    await broker.kill();
    await until(() => !watcher.connected);
    // The connection of the nodes is another one: what is sent before it broke is sent again.
    await settle();
    for (let n = 0; n < most + 5; n += 1) send('home/lamp', `${n}`);
    await until(() => caught.length === 5);
    await broker.restart();
    await until(() => watcher.connected, 10_000);
    await watcher.subscribeAsync(['home/#', ourTopics.metrics], { qos: 1 });
    const waited = Array.from({ length: most }, (_, n) => `${n}`);
    await until(() => heard.includes(`${most - 1}`), 20_000);
    assert.ok(errors(caught).every(({ code }) => code === 'FOLKMOOT_BUS_FULL'));
    assert.match(errors(caught)[0]?.message ?? '', /10 messages to the broker wait already/);
    assert.deepEqual(heard, ['ready', ...waited]);
    await until(() => counts?.outbox.lost['full'] === 5 && counts.outbox.waiting === 0, 5_000);
  });
});
