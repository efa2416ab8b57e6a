import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import { startValkey } from '../../test/valkey-server.ts';
import type { TestValkey } from '../../test/valkey-server.ts';
import { isFolkmootError } from '../errors.ts';
import { readAmica, writeEnded, writeRequest, writeResponse } from './amica.ts';
import { describeBus, newTopic, textOf, until } from './bus.contract.ts';
import type { Bus, BusMessage } from './bus.ts';
import { amicaTopics } from './topics.ts';
import { createValkeyPubsubBus } from './valkey-pubsub.ts';
import type { ValkeyBusOptions } from './valkey-base.ts';

const quick = { reconnectMinMs: 50, reconnectMaxMs: 400, connectTimeoutMs: 200 };
const up = (bus: Bus): Promise<void> => until('the connection', () => bus.state === 'up');

describe('the bus over Valkey channels', function () {
  this.timeout(20_000);
  let server: TestValkey;
  let foreign: Redis;
  const made: Bus[] = [];
  const make = (options: Partial<ValkeyBusOptions> = {}) => {
    const bus = createValkeyPubsubBus({ url: server.url, ...quick, ...options });
    made.push(bus);
    return bus;
  };
  before(async () => {
    server = await startValkey();
    const { Redis: Client } = await import('ioredis');
    foreign = new Client(server.port, '127.0.0.1');
    foreign.on('error', () => undefined);
  });
  after(async () => {
    foreign.disconnect();
    await server.stop();
  });
  afterEach(async () => {
    await Promise.all(made.splice(0).map((bus) => bus.close()));
  });

  describeBus({
    isShared: true,
    sharesWork: false,
    make: async (options) => {
      const bus = make(options);
      await up(bus);
      return bus;
    },
  });

  it('speaks A.M.I.C.A.’s framing on channels with dots, both ways', async () => {
    const bus = make();
    await up(bus);
    const heard = foreign.duplicate();
    const frames: string[] = [];
    heard.on('message', (channel, text) => frames.push(`${channel} ${text}`));
    await heard.subscribe('es.nachobrito.amica.replies.r-1', 'es.nachobrito.amica.system.event.v1');
    const got: BusMessage[] = [];
    await bus.subscribe(amicaTopics.requests, (message) => void got.push(message));
    const type = 'es.nachobrito.amica.domain.model.message.payload';
    const body = '{"dateTime":"2026-03-04T05:06:07.123456789Z","userName":"ana","message":"hello"}';
    await foreign.publish(
      'es.nachobrito.amica.user.request.v1',
      `r-1@@c-1@@es.nachobrito.amica.user.request.v1@@${type}.UserRequest@@${body}`,
    );
    await until('the request', () => got.length === 1);
    const read = readAmica(got[0] as BusMessage);
    assert.ok('message' in read && read.message.kind === 'request');
    assert.deepEqual([read.message.messageId, read.message.userName, read.message.message], ['r-1', 'ana', 'hello']);
    const response = writeResponse({
      requestId: 'r-1',
      conversationId: 'c-1',
      message: 'mail me@@home',
      isComplete: true,
      sequence: 1,
      atMs: 0,
      agentId: 'folkmoot-test',
    });
    await bus.publish(response.topic, response.message);
    const ended = writeEnded('c-1');
    await bus.publish(ended.topic, ended.message);
    await until('both', () => frames.length === 2);
    const [channel = '', ...words] = (frames[0] ?? '').split(' ');
    assert.equal(channel, 'es.nachobrito.amica.replies.r-1');
    const parts = words.join(' ').split('@@');
    assert.equal(parts.length, 5);
    assert.deepEqual(parts.slice(1, 4), ['c-1', 'es.nachobrito.amica.replies.r-1', `${type}.AgentResponse`]);
    assert.equal((JSON.parse(parts[4] ?? '') as { message: string }).message, 'mail me@@home');
    heard.disconnect();
  });

  it('carries who answers from one of ours to another, unseen by Java', async () => {
    const [one, other] = [make(), make()];
    await Promise.all([up(one), up(other)]);
    const got: BusMessage[] = [];
    await other.subscribe(amicaTopics.replies('r-2'), (message) => void got.push(message));
    const written = writeResponse({
      requestId: 'r-2',
      conversationId: 'c',
      message: 'x',
      isComplete: true,
      sequence: 1,
      atMs: 0,
      agentId: 'folkmoot-a',
    });
    await one.publish(written.topic, written.message);
    await until('the answer', () => got.length === 1);
    assert.equal(got[0]?.properties['AGENT_ID'], 'folkmoot-a');
    assert.equal(textOf(got[0]), written.message.payload);
  });

  it('drops a frame of the wrong number of parts, says so, and goes on', async () => {
    const bus = make();
    await up(bus);
    const problems: string[] = [];
    const got: BusMessage[] = [];
    bus.onProblem((problem) => problems.push(problem.message));
    await bus.subscribe('/a/#', (message) => void got.push(message));
    await foreign.publish('a.b', 'one@@two');
    await foreign.publish('a.b', 'm@@c@@a.b@@t@@{}@@{}');
    await foreign.publish('a.b', 'm@@c@@a.b@@t@@{}');
    await until('the good one', () => got.length === 1);
    assert.equal(got[0]?.topic, '/a/b');
    assert.equal(problems.length, 2);
    assert.match(problems[1] ?? '', /6 parts/);
  });

  it('refuses in words what does not fit the frame', async () => {
    const bus = make();
    await up(bus);
    const request = writeRequest({ messageId: 'm', conversationId: 'c', userName: 'ana', message: 'hi', atMs: 0 });
    const isInvalid = (error: unknown) => isFolkmootError(error, 'FOLKMOOT_MESSAGE_INVALID');
    const { properties = {} } = request.message;
    for (const message of [
      { payload: 'no JSON with @@ in it', properties },
      { payload: '{}' },
      { payload: '{}', properties: { ...properties, CONVERSATION_ID: 'a@@b' } },
      { ...request.message, retain: true },
    ]) {
      await assert.rejects(bus.publish(request.topic, message), isInvalid);
    }
    await assert.rejects(bus.publish('/a/b.c', request.message), isInvalid);
  });

  it('reads and writes plain text on topics that are not A.M.I.C.A.’s', async () => {
    const bus = make();
    await up(bus);
    const topic = newTopic('lamp');
    const got: BusMessage[] = [];
    await bus.subscribe(topic, (message) => void got.push(message));
    await foreign.publish(topic, 'on');
    await until('the text', () => got.length === 1);
    assert.equal(textOf(got[0] as BusMessage), 'on');
    const heard = foreign.duplicate();
    const plain: string[] = [];
    heard.on('message', (_channel, text) => plain.push(text));
    await heard.subscribe(topic);
    await bus.publish(topic, { payload: 'off' });
    await until('the plain text', () => plain.length === 1);
    assert.deepEqual(plain, ['off']);
    heard.disconnect();
  });

  it('finds its subscriptions standing after the server was killed, and sends what had waited', async () => {
    const bus = make();
    await up(bus);
    const states: string[] = [];
    bus.onState((state) => states.push(state));
    const topic = newTopic();
    const got: string[] = [];
    await bus.subscribe(`${topic}/+`, (message) => void got.push(textOf(message)));
    await server.kill();
    await until('the loss', () => bus.state === 'down');
    const waiting = ['1', '2', '3'].map((payload) => bus.publish(`${topic}/a`, { payload }));
    await assert.rejects(bus.publish(`${topic}/a`, { payload: 'now', onlyNow: true }), (error) =>
      isFolkmootError(error, 'FOLKMOOT_BUS_LOST'),
    );
    await server.restart();
    await Promise.all(waiting);
    await until('what had waited', () => got.length === 3);
    assert.deepEqual(got, ['1', '2', '3']);
    assert.deepEqual(states, ['up', 'down', 'up']);
  });

  it('leaves no client after 20 buses were made and closed', async () => {
    for (let n = 0; n < 20; n += 1) {
      const bus = createValkeyPubsubBus({ url: server.url, ...quick });
      if (n % 2) await up(bus);
      await bus.close();
    }
    await until('nothing left', async () => (await server.clients()) === 1);
  });

  it('says that the address is none', () => {
    assert.throws(
      () => createValkeyPubsubBus({ url: 'mqtt://127.0.0.1' }),
      (error) => isFolkmootError(error, 'FOLKMOOT_BAD_SETTING'),
    );
  });
});
