/** `folkmoot watch` over a real broker. */
import assert from 'node:assert/strict';
import mqtt, { type MqttClient } from 'mqtt';
import { writeRequest, writeResponse } from '../../engine/bus/amica.ts';
import type { TestBroker } from '../../test/broker.ts';
import { callFolkmoot } from '../../test/command-line.ts';
import { startMosquitto } from '../../test/mosquitto.ts';

const at = '2026-03-04T05:06:07.123Z';

describe('folkmoot watch', function () {
  this.timeout(30_000);
  let broker: TestBroker;
  let client: MqttClient;
  before(async () => {
    broker = await startMosquitto();
    client = await mqtt.connectAsync(broker.url, { protocolVersion: 5, reconnectPeriod: 50 });
  });
  after(async () => {
    await client.endAsync(true);
    await broker.stop();
  });

  /** What it said of its connection so far. */
  let said = '';

  /** Watches until a line says so; the messages are sent again until then, for nobody sees when it listens. */
  async function watching(words: readonly string[], send: () => Promise<unknown>, last: RegExp) {
    const ended = new AbortController();
    let all = '';
    said = '';
    const called = callFolkmoot(['watch', '--broker', broker.url, ...words], {
      signal: ended.signal,
      onOut: (text) => (all = text),
      onErr: (text) => (said = text),
    });
    for (let tries = 0; tries < 300 && !last.test(all); tries += 1) {
      await send();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    ended.abort();
    return called;
  }
  const publish = (topic: string, body: unknown) =>
    client.publishAsync(topic, typeof body === 'string' ? body : JSON.stringify(body), { qos: 1 });
  const run = (id: string, kind: string, data: unknown = {}) =>
    publish(`folkmoot/v1/runs/${id}/events`, { run: id, at, kind, data });

  it('tells in lines what people say, what runs do and who comes', async () => {
    const ids = { messageId: 'm-1', conversationId: 'c-1' };
    const asked = writeRequest({ ...ids, userName: 'ana', message: 'mow\u001b[2J the lawn', atMs: 0 });
    const reply = writeResponse({
      requestId: 'm-1',
      conversationId: 'c-1',
      message: 'Mown.',
      isComplete: true,
      sequence: 1,
      atMs: 0,
      agentId: 'garden',
    });
    const send = async () => {
      for (const { topic, message } of [asked, reply])
        await client.publishAsync(topic, String(message.payload), {
          properties: { userProperties: { ...message.properties } },
        });
      await publish('folkmoot/v1/presence/p', { v: 1, process: 'p', house: 'h', status: 'online', since: at });
      await publish('folkmoot/v1/boards/c/changes', { conversation: 'c', kind: 'cleared', revision: 4 });
      await publish('folkmoot/v1/control', { paused: true, shadow: false, by: 'ana', since: at });
      await publish('folkmoot/v1/runs/x/events', 'no JSON');
      await run('run-one', 'ended', { outcome: 'done', payload: 'Mown.' });
    };
    const { code, out, err } = await watching([], send, /(ended done[^]*){3}/);
    assert.equal(code, 0);
    assert.match(err, /^Connected\./);
    const lines = new Set(out.split('\n').map((line) => line.slice(9)));
    for (const line of [
      'people   ana asks: mow [2J the lawn',
      'people   garden answers: Mown.',
      'presence p of h is online',
      'boards   board c #4 cleared',
      'control  paused by ana',
      'runs     run run-one ended done Mown.',
    ])
      assert.ok(lines.has(line), `${line} is not in\n${out}`);
    assert.ok(!out.includes('\u001b') && !out.includes('no JSON'));
  });

  it('tells what homes drop, and why, as lines and as JSON', async () => {
    const control = { paused: true, shadow: false, by: 'ana', since: at };
    const future = new Date(Date.now() + 3_600_000).toISOString();
    const send = async () => {
      await publish('folkmoot/v1/control', { ...control, by: '' });
      await publish('folkmoot/v1/control', { paused: true });
      await publish('folkmoot/v1/control', { ...control, since: future });
      await publish('folkmoot/v1/control', '{"paused":');
      await publish('folkmoot/v1/agents/x', { v: 1 });
      await publish('folkmoot/v1/control', { ...control, by: 'last' });
    };
    const { out } = await watching([], send, /(by last[^]*){2}/);
    const on = '(on folkmoot/v1/control)';
    const lines = new Set(out.split('\n').map((line) => line.slice(9)));
    for (const line of [
      `control  dropped: by must NOT have fewer than 1 characters. ${on}`,
      'control  dropped: its "since" is more than 10 minutes ahead',
      `control  dropped: malformed JSON ${on}`,
    ])
      assert.ok(lines.has(line), `${line} is not in\n${out}`);
    assert.match(out, /dropped: .*required property 'shadow'.*'since'/);
    assert.match(out, /agents {3}dropped: .*required property 'agentId'.*\(on folkmoot\/v1\/agents\/x\)/);
    const json = await watching(['--json', '--only', 'control'], send, /("last"[^]*){2}/);
    const told = json.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { body: { by?: string }; dropped?: string });
    assert.ok(told.some(({ body, dropped }) => body.by === '' && dropped?.startsWith('by must NOT')));
    assert.ok(told.some(({ body, dropped }) => body.by === 'last' && dropped === undefined));
  });

  it('tells only what is asked for, also as JSON, one line each', async () => {
    const send = async () => {
      await publish('folkmoot/v1/control', { paused: false, shadow: false, by: 'ana', since: at });
      await run('abc-1', 'started', { text: 'mow' });
      await run('xyz-1', 'ended', { outcome: 'done' });
    };
    const { out } = await watching(['--only', 'runs', '--json'], send, /abc-1[^]*ended/);
    const told = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; body: { run: string } });
    assert.ok(told.every(({ kind }) => kind === 'runs'));
    assert.ok(told.some(({ body }) => body.run === 'abc-1'));
    const one = await watching(['--run', 'abc'], send, /started/);
    assert.match(one.out, /run abc-1 started mow/);
    assert.doesNotMatch(one.out, /xyz/);
  });

  it('says that the connection was lost, and goes on when it is back', async () => {
    let isKilled = false;
    const send = async () => {
      if (!isKilled && said.startsWith('Connected.')) {
        isKilled = true;
        await broker.kill();
        await broker.restart();
      }
      if (isKilled && client.connected) await run('later', 'ended', { outcome: 'done' });
    };
    const { code, err } = await watching([], send, /later ended/);
    assert.equal(code, 0);
    assert.match(err, /No connection to the broker: .*\nConnected again\./s);
  });

  it('says what is wrong with its words, and helps', async () => {
    const wrong = await callFolkmoot(['watch', '--only', 'runs,nothing']);
    assert.deepEqual([wrong.code, wrong.out], [2, '']);
    assert.match(wrong.err, /not "nothing"/);
    const helped = await callFolkmoot(['watch', '--help']);
    assert.equal(helped.code, 0);
    assert.match(helped.out, /--only KINDS/);
  });
});
