/** Agents by flag over a real broker: what they hear, what they answer, and who goes before them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { amicaClient, type AmicaClient } from '../../test/amica-client.ts';
import type { TestBroker } from '../../test/broker.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { arrivals, deploy, load, node, onTab, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import { agent, config, ends, modules as teamModules, router } from '../../test/red/team-flow.ts';
import busIn from '../bus-in/bus-in.ts';
import busOut from '../bus-out/bus-out.ts';

const modules = [...teamModules, busIn, busOut] as never[];
const requests = '/es/nachobrito/amica/user/request/v1';
const events = '/es/nachobrito/amica/system/event/v1';
const presence = 'folkmoot/v1/presence/+';
const classes = 'es.nachobrito.amica.domain.model.message.payload';

describe('agents by flag', function () {
  this.timeout(60_000);
  let broker: TestBroker;
  let person: AmicaClient;
  let folder: string;
  let log: string;
  const text = () => readFile(log, 'utf8').catch(() => '');

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'folkmoot-listening-'));
    log = path.join(folder, 'log');
    broker = await startMosquitto({ lines: [`log_dest file ${log}`, 'log_type subscribe', 'log_type unsubscribe'] });
    await startServer();
  });
  after(async () => {
    await stopServer();
    await broker.stop();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    person = await amicaClient(broker.url);
  });
  afterEach(async () => {
    await unload();
    await person.close();
  });

  /** What our process subscribes to since a mark in the broker's log. */
  const subscribed = async (since: number): Promise<string[]> =>
    [...(await text()).slice(since).matchAll(/folkmoot-\S+ \d (\S+)/g)].map((match) => match[1] ?? '');
  const lights = (flags: object, more: object = {}) =>
    agent('lights', 'lights', ['SetLight'], {
      backbone: 'b',
      wires: [['result'], ['fallback'], ['events'], []],
      ...flags,
      ...more,
    });
  const flow = (nodes: readonly ReturnType<typeof agent>[]) => [
    { id: 'b', type: 'folkmoot-backbone', bus: 'mqtt', busUrl: broker.url, storePath: ':memory:', house: randomUUID() },
    ...config(),
    ...onTab([...nodes, ...ends]),
  ];
  const warnings = (id: string) =>
    (node(id) as unknown as { warn: { args: unknown[][] } }).warn.args.map(([said]) => String(said));
  const errors = (id: string) =>
    (node(id) as unknown as { error: { args: unknown[][] } }).error.args.map(([said]) => String(said));
  const untilSubscribed = async (since: number, topic: string) => {
    for (let tries = 0; tries < 400 && !(await subscribed(since)).includes(topic); tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    assert.ok((await subscribed(since)).includes(topic), `${topic} is not subscribed`);
  };
  const ended = (conversationId: string, properties: Record<string, string> = {}) =>
    person.client.publishAsync(events, JSON.stringify({ conversationId }), {
      qos: 1,
      properties: {
        userProperties: {
          MESSAGE_ID: randomUUID(),
          CONVERSATION_ID: randomUUID(),
          PAYLOAD_TYPE: `${classes}.ConversationEnded`,
          ...properties,
        },
      },
    });

  const combinations = [
    { flags: {}, topics: [] },
    { flags: { listensToRequests: true }, topics: [requests] },
    { flags: { listensToEvents: ['ConversationEnded'] }, topics: [events] },
    { flags: { listensToEvents: ['Presence'] }, topics: [presence] },
    { flags: { listensToRequests: true, listensToEvents: ['ConversationEnded'] }, topics: [requests, events] },
    {
      flags: { listensToRequests: true, listensToEvents: ['Presence', 'ConversationEnded'] },
      topics: [requests, events, presence],
    },
  ];
  for (const { flags, topics } of combinations) {
    it(`with ${JSON.stringify(flags)} hear ${topics.join(' and ') || 'nothing'} (row 24)`, async () => {
      const since = (await text()).length;
      // The fence stands later than whatever the agent subscribes to.
      const fence = {
        id: 'fence',
        type: 'folkmoot-bus-in',
        mode: 'topic',
        topic: 'fence/+',
        backbone: 'b',
        wires: [[]],
      };
      const nodes = [lights(flags)];
      await load(modules, flow(nodes));
      for (const topic of topics) await untilSubscribed(since, topic);
      await deploy(flow([...nodes, fence]), 'nodes');
      await untilSubscribed(since, 'fence/+');
      const all = await subscribed(since);
      // Presence is heard for the registry in any case.
      const asked = [requests, events].filter((topic) => all.includes(topic));
      assert.deepEqual(asked.sort(), topics.filter((topic) => topic !== presence).sort());
    });
  }

  it('answer what people ask with their result, in one stream, and the end of the conversation', async () => {
    const since = (await text()).length;
    await load(modules, flow([lights({ listensToRequests: true })]));
    await untilSubscribed(since, requests);
    const results = arrivals('result');
    const conversation = randomUUID();
    const id = await person.ask('turn the kitchen light on', conversation);
    await until(() => person.ended.includes(conversation));
    assert.deepEqual(
      person.parts(id).map(({ isComplete, sequence }) => [sequence, isComplete]),
      [[1, true]],
    );
    assert.equal(results[0]?.moot?.mutations?.[0]?.function, 'SetLight');
    assert.equal(person.parts(id)[0]?.message, results[0]?.payload);
    // A failure is told as well.
    const second = await person.ask('what is the meaning of life?');
    await until(() => person.parts(second).some((part) => part.isComplete));
  });

  it('are answered by what their result leads to, where that is a bus out node', async () => {
    const since = (await text()).length;
    const change = { id: 'f', type: 'function', func: 'msg.payload = "by the flow"; return msg;', wires: [['out']] };
    const out = { id: 'out', type: 'folkmoot-bus-out', mode: 'reply', backbone: 'b', wires: [] };
    const listener = lights({ listensToRequests: true }, { wires: [['f'], [], [], []] });
    await load(modules, flow([listener, change, out]));
    await untilSubscribed(since, requests);
    const id = await person.ask('turn the kitchen light on');
    await until(() => person.parts(id).length > 0);
    assert.deepEqual(
      person.parts(id).map(({ message }) => message),
      ['by the flow'],
    );
  });

  it('give way to a router of the same process, and say so at the deploy', async () => {
    const since = (await text()).length;
    const door = { id: 'in', type: 'folkmoot-bus-in', mode: 'requests', backbone: 'b', wires: [['router']] };
    const out = { id: 'out', type: 'folkmoot-bus-out', mode: 'reply', backbone: 'b', wires: [] };
    const team = [
      lights({ listensToRequests: true }),
      agent('mower', 'mower', ['MowLawn'], { backbone: 'b' }),
      router(['mower'], { backbone: 'b', wires: [['out'], ['out'], [], ['mower']] }),
    ];
    await load(modules, flow([...team, door, out]));
    await untilSubscribed(since, requests);
    await until(() => warnings('lights').length > 0);
    assert.match(warnings('lights')[0] ?? '', /takes what people ask .* gets none/);
    const seen = arrivals('result');
    const id = await person.ask('mow the front lawn');
    await until(() => person.parts(id).some((part) => part.isComplete));
    assert.equal(person.parts(id).length, 1);
    assert.deepEqual(seen, []);
  });

  it('do not listen when an asks output leads to them, and do when the wire is gone', async () => {
    const since = (await text()).length;
    const listener = lights({ listensToRequests: true });
    const asked = router(['lights'], { backbone: 'b' });
    await load(modules, flow([listener, asked]));
    await until(() => warnings('lights').length > 0);
    assert.match(warnings('lights')[0] ?? '', /asked over a wire/);
    assert.ok(!(await subscribed(since)).includes(requests));
    await deploy(flow([listener, router([], { backbone: 'b' })]), 'nodes');
    await untilSubscribed(since, requests);
  });

  it('get events of their kinds; what is of no known kind reaches nobody and breaks nothing (rows 25, 39)', async () => {
    const since = (await text()).length;
    const listener = agent('lights', 'lights', [], {
      backbone: 'b',
      listensToEvents: ['ConversationEnded'],
      model: 'says',
      wires: [['result'], ['fallback'], ['events'], []],
    });
    const says = { id: 'says', type: 'folkmoot-model', provider: 'scripted', script: [{ answer: 'heard' }] };
    await load(modules, [says, ...flow([listener])]);
    await untilSubscribed(since, events);
    const results = arrivals('result');
    // This person reads only what is right.
    await person.client.unsubscribeAsync(events);
    const bad: [string | Buffer, Record<string, string>][] = [
      ['{"conversationId":"x"}', { PAYLOAD_TYPE: 'com.example.Unknown' }],
      ['{"message":"hi"}', { PAYLOAD_TYPE: `${classes}.UserRequest` }],
      ['{"conversationId":', {}],
      ['{}', {}],
      [Buffer.from([0xff, 0xfe]), {}],
      ['', {}],
    ];
    for (const [payload, properties] of bad) {
      const own = { MESSAGE_ID: randomUUID(), CONVERSATION_ID: 'c', PAYLOAD_TYPE: `${classes}.ConversationEnded` };
      const userProperties = { ...own, ...properties };
      await person.client.publishAsync(events, payload, { qos: 1, properties: { userProperties } });
    }
    const twice = { MESSAGE_ID: randomUUID() };
    await ended('conversation-1', twice);
    await ended('conversation-1', twice);
    await ended('conversation-2');
    await until(() => results.length === 2);
    assert.deepEqual(
      results.map(({ moot }) => moot?.event?.map(({ kind, value }) => [kind, value])),
      [[['ConversationEnded', 'conversation-1']], [['ConversationEnded', 'conversation-2']]],
    );
    assert.ok(warnings('lights').some((said) => said.includes('unknown payload type')));
  });

  it('refuse a kind of event that is not known, and short names that A.M.I.C.A. refuses (row 23)', async () => {
    await load(modules, flow([lights({ listensToEvents: ['DoorOpened'] })]));
    assert.match(errors('lights')[0] ?? '', /"DoorOpened" is no system event/);
    await unload();
    for (const agentId of ['abc', 'Abcde', 'ab_cd']) {
      await load(modules, flow([lights({ agentId })]));
      const caught = await new Promise<string>((resolve) => {
        node('lights').on('call:error', (call: { args?: unknown[] }) => resolve(String(call.args?.[0])));
        node('lights').receive({ payload: 'x' });
      });
      assert.match(caught, /agentId/);
      await unload();
    }
  });

  it('take minutes of a conversation that ended, with a file name that is no path (rows 35 to 37)', async () => {
    const since = (await text()).length;
    const minuteTaker = agent('taker', 'minute taker', [], {
      backbone: 'b',
      work: 'minutes',
      listensToEvents: ['ConversationEnded'],
      wires: [['result'], ['fallback'], ['events'], []],
    });
    await load(modules, flow([minuteTaker, lights({ listensToRequests: true })]));
    await untilSubscribed(since, events);
    await untilSubscribed(since, requests);
    const minutes = arrivals('result');
    const failures = arrivals('fallback');
    const conversation = randomUUID();
    await person.ask('turn the kitchen light on', conversation);
    const taken = () => minutes.find((message) => message['filename'] === `${conversation}.minute.json`);
    await until(() => taken() !== undefined);
    const { actors, messages } = JSON.parse(String(taken()?.payload)) as { actors: string[]; messages: string[] };
    assert.equal(actors[0], 'ana');
    assert.deepEqual(
      messages.map((line) => line.split(':')[0]),
      ['The user asked', 'The agent response was'],
    );
    await ended('../../../etc/passwd');
    await until(() => failures.length === 1);
    assert.match(String(failures[0]?.moot?.reason), /FOLKMOOT_BAD_INPUT/);
    assert.match(String(failures[0]?.['filename']), /^[0-9a-f]{32}\.minute\.json$/);
  });
});
