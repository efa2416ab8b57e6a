/** Nobody who asks is left waiting, whatever of a flow is not wired: real Node-RED, real broker. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { fakeClock, type FakeClock } from '../../engine/clock.ts';
import { limits } from '../../engine/limits.ts';
import { amicaClient, type AmicaClient } from '../../test/amica-client.ts';
import type { TestBroker } from '../../test/broker.ts';
import { freePort } from '../../test/free-port.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { arrivals, load, onTab, settle, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import type { FlowNode } from '../../test/red/red.ts';
import { agent, config, modules as team } from '../../test/red/team-flow.ts';
import applyNode from '../apply/apply.ts';
import busOut from '../bus-out/bus-out.ts';
import { runFeed, useClock } from '../shared/process.ts';
import busIn from './bus-in.ts';

const modules = [...(team as readonly unknown[]), applyNode, busIn, busOut] as never[];
const requestType = 'es.nachobrito.amica.domain.model.message.payload.UserRequest';
const rowMs = 45_000;

describe('somebody who asks', function () {
  this.timeout(30_000);
  let broker: TestBroker;
  let person: AmicaClient;
  let clock: FakeClock;
  let deadAddress: string;

  /** From bus in over a router to whatever is on its result. No fallback, no Catch. */
  const start = async (asks: readonly string[], others: readonly FlowNode[], router: object = {}) => {
    const port = { type: 'folkmoot-bus-in', mode: 'requests', backbone: 'b', wires: [['router']] };
    await load(modules, [
      { id: 'b', type: 'folkmoot-backbone', bus: 'mqtt', busUrl: broker.url, storePath: ':memory:', house: 'test' },
      { id: 'dead', type: 'folkmoot-model', provider: 'openai-compatible', baseUrl: deadAddress, modelName: 'none' },
      ...config(),
      ...onTab([
        { id: 'in', ...port },
        { id: 'router', type: 'folkmoot-router', backbone: 'b', language: 'lang', wires: [['next'], [], [], asks] },
        ...others,
      ]).map((node) => (node.id === 'router' ? { ...node, ...router } : node)),
    ]);
    await listening();
    clock = fakeClock();
    useClock(clock);
  };
  const out = (id = 'next'): FlowNode => ({
    id,
    type: 'folkmoot-bus-out',
    mode: 'reply',
    backbone: 'b',
    wires: [],
  });
  /** What can't be used is answered as soon as the subscription stands. */
  const listening = async () => {
    const ids: string[] = [];
    const end = Date.now() + 10_000;
    while (Date.now() < end && !ids.some((id) => person.parts(id).length > 0)) {
      const id = randomUUID();
      ids.push(id);
      await person.send('{', { MESSAGE_ID: id, CONVERSATION_ID: 'hello', PAYLOAD_TYPE: requestType });
      await settle();
    }
    await until(() => ids.some((id) => person.parts(id).length > 0));
  };
  /** Lets time pass as long as it takes, step by step. */
  const untilEnded = async (conversation: string) => {
    const end = Date.now() + 10_000;
    while (!person.ended.includes(conversation)) {
      assert.ok(Date.now() < end, 'the conversation was not ended');
      await clock.advance(100);
      await settle();
    }
  };
  const ask = async (text: string) => {
    const outcomes: string[] = [];
    const stop = runFeed.onEnded(({ outcome }) => outcomes.push(outcome));
    const conversation = randomUUID();
    const id = await person.ask(text, conversation);
    // A dead address needs real time to be found dead, and the clock's between two tries.
    const end = Date.now() + 10_000;
    while (outcomes.length === 0 && Date.now() < end) {
      await clock.advance(20);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await untilEnded(conversation);
    stop();
    await clock.advance(limits.runDeadlineMs);
    await settle();
    const own = person.order.filter((line) => line.includes(id) || line.includes(conversation));
    assert.deepEqual(own, [`${id} 1!`, `ended ${conversation}`]);
    return { text: person.parts(id)[0]?.message ?? '', outcomes };
  };

  before(async () => {
    broker = await startMosquitto();
    deadAddress = `http://127.0.0.1:${await freePort()}/v1`;
    await startServer();
  });
  after(async () => {
    await stopServer();
    await broker.stop();
  });
  beforeEach(async () => {
    person = await amicaClient(broker.url);
  });
  afterEach(async () => {
    useClock();
    await unload();
    await person.close();
  });

  it('is answered when the router reaches no agent', async () => {
    await start([], [out()]);
    const { text, outcomes } = await ask('turn the kitchen light on');
    assert.deepEqual(outcomes, ['failed']);
    assert.match(text, /^Sorry, .* went wrong/);
  });

  it('is answered when the router’s model can’t be reached', async () => {
    await start(['lights'], [out(), agent('lights', 'lights', ['SetLight'])], { model: 'dead' });
    const { text, outcomes } = await ask('make it nice for the evening');
    assert.deepEqual(outcomes, ['failed']);
    assert.match(text, /^Sorry, .* went wrong/);
  });

  it('is answered when the agent’s model can’t be reached', async () => {
    await start(['lights'], [out(), agent('lights', 'lights', ['SetLight'], { model: 'dead' })]);
    const { text } = await ask('turn the kitchen light on');
    assert.match(text, /\w+ \w+/);
    assert.doesNotMatch(text, /127\.0\.0\.1|ECONN|FOLKMOOT|\bmodel\b/);
  });

  it('is answered when the result is wired to nothing', async () => {
    await start(['lights'], [agent('lights', 'lights', ['SetLight'])]);
    const { text, outcomes } = await ask('turn the kitchen light on');
    assert.deepEqual(outcomes, ['done']);
    assert.match(text, /^Sorry, I have no answer/);
  });

  describe('for what takes longer than the grace after a run', () => {
    const apply = (report: readonly string[]): FlowNode => ({
      id: 'next',
      type: 'folkmoot-apply',
      backbone: 'b',
      language: 'lang',
      rows: [{ kind: 'function', target: 'SetLight', waitMs: rowMs }],
      outputs: 2,
      wires: [report, ['lamp']],
    });
    const begin = async (report: readonly string[]) => {
      await start(
        ['lights'],
        [apply(report), out('out'), agent('lights', 'lights', ['SetLight']), { id: 'lamp', type: 'helper', wires: [] }],
      );
      const lamp = arrivals('lamp');
      const id = await person.ask('turn the kitchen light on', 'c-slow');
      await until(() => lamp.length === 1);
      return id;
    };

    it('gets the report, not an apology before it', async () => {
      const id = await begin(['out']);
      await clock.advance(rowMs - 1);
      await settle();
      assert.deepEqual(person.parts(id), []);
      await untilEnded('c-slow');
      const parts = person.parts(id);
      assert.deepEqual(
        parts.map(({ message }) => message),
        ['Kitchen light on.'],
      );
    });

    it('is answered that long and the grace after it, when the report is not wired', async () => {
      const id = await begin([]);
      const began = clock.now();
      await untilEnded('c-slow');
      assert.match(person.parts(id)[0]?.message ?? '', /^Sorry, I have no answer/);
      const tookMs = clock.now() - began;
      assert.ok(tookMs >= rowMs + limits.replyGraceMs && tookMs < rowMs + 2 * limits.replyGraceMs, `${tookMs} ms`);
    });
  });
});
