/** A router and agents on real wires, with rules for a model: one request, one result, whatever happens in between. */
import assert from 'node:assert/strict';
import { fakeClock, type FakeClock } from '../../engine/clock.ts';
import type { Moot } from '../../engine/moot.ts';
import {
  core,
  deploy,
  load,
  nextAt,
  node,
  onTab,
  settle,
  startServer,
  stopServer,
  unload,
  until,
  arrivals,
  type FlowNode,
} from '../../test/red/red.ts';
import agentNode from '../agent/agent.ts';
import backboneNode from '../backbone/backbone.ts';
import languageNode from '../language/language.ts';
import modelNode from '../model/model.ts';
import { askRegistry, useClock } from '../shared/process.ts';
import routerNode from './router.ts';

const modules = [
  agentNode,
  backboneNode,
  languageNode,
  modelNode,
  routerNode,
  ...core('function', 'switch', 'catch', 'complete', 'delay', 'link', 'junction'),
] as never[];

const room = { name: 'room', type: 'string', required: true, allowedValues: ['kitchen', 'hall'] };
const functions = [
  {
    name: 'SetLight',
    description: 'Turns a light on or off',
    category: 'lights',
    risk: 'reversible',
    effect: true,
    repeatable: true,
    parameters: [room, { name: 'state', type: 'string', required: true, allowedValues: ['on', 'off'] }],
    synonyms: ['turn light', 'switch light'],
    sentence: '{room} light {state}',
  },
  {
    name: 'MowLawn',
    description: 'Mows the lawn',
    category: 'lawn',
    risk: 'reversible',
    effect: true,
    repeatable: false,
    parameters: [{ name: 'area', type: 'string', required: true, allowedValues: ['front', 'back'] }],
    synonyms: ['mow'],
  },
];

const config = (more: FlowNode[] = []): FlowNode[] => [{ id: 'lang', type: 'folkmoot-language', functions }, ...more];
const agent = (id: string, name: string, generates: string[], more: object = {}): FlowNode => ({
  id,
  type: 'folkmoot-agent',
  name,
  language: 'lang',
  generates,
  description: `does ${name}`,
  topics: [name],
  wires: [[], [], [], []],
  ...more,
});
const router = (asks: string[], more: object = {}): FlowNode => ({
  id: 'router',
  type: 'folkmoot-router',
  language: 'lang',
  wires: [['result'], ['fallback'], ['events'], asks],
  ...more,
});
const ends: FlowNode[] = ['result', 'fallback', 'events', 'caught'].map((id) => ({ id, type: 'helper', wires: [] }));
const home = (more: object = {}): FlowNode[] => [
  ...config(),
  ...onTab([
    router(['lights', 'lawn'], more),
    agent('lights', 'lights', ['category:lights']),
    agent('lawn', 'Lawn Mower', ['MowLawn']),
    ...ends,
  ]),
];
const say = (text: unknown, more: object = {}): void => node('router').receive({ payload: text, ...more });
const called = (moot: Moot | undefined) => (moot?.mutations ?? []).map((m) => [m.function, m.parameters]);

describe('a team on wires', function () {
  let clock: FakeClock;
  this.timeout(20_000);
  before(startServer);
  after(stopServer);
  beforeEach(() => {
    clock = fakeClock();
    useClock(clock);
  });
  afterEach(async () => {
    await unload();
    useClock();
    assert.equal(askRegistry.pending, 0);
  });

  it('plans a request, asks the agents behind the wires and gives one result with what they propose', async () => {
    await load(modules, home());
    const result = nextAt('result');
    say('turn the kitchen light on and mow the front lawn', { topic: 'speech', colour: 'red' });
    const message = await result;
    assert.deepEqual(called(message.moot), [
      ['SetLight', { room: 'kitchen', state: 'on' }],
      ['MowLawn', { area: 'front' }],
    ]);
    assert.equal(message.moot?.outcome, 'done');
    assert.equal(message.topic, 'speech');
    assert.equal(message['colour'], 'red');
  });

  it('asks the person when a value is missing, and takes the answer in the same conversation', async () => {
    await load(modules, home());
    const first = nextAt('result');
    say('turn on the light', { moot: { v: 1, conversation: 'c1' } });
    const asked = await first;
    assert.equal(asked.moot?.outcome, 'asked');
    assert.deepEqual(called(asked.moot), []);
    assert.match(String(asked.payload), /room/i);
    const second = nextAt('result');
    say('the kitchen', { moot: { v: 1, conversation: 'c1' } });
    assert.deepEqual(called((await second).moot), [['SetLight', { room: 'kitchen', state: 'on' }]]);
  });

  it('ends a run that reaches nobody by fallback, and by Catch with a code when nothing is wired there', async () => {
    await load(modules, [...config(), ...onTab([router([]), ...ends])]);
    const fallback = nextAt('fallback');
    say('turn the kitchen light on');
    assert.equal((await fallback).moot?.outcome, 'failed');
    await unload();
    await load(modules, [
      ...config(),
      ...onTab([
        { ...router([]), wires: [['result'], [], [], []] },
        { id: 'c', type: 'catch', scope: ['router'], uncaught: false, wires: [['caught']] },
        ...ends,
      ]),
    ]);
    const caught = nextAt('caught');
    say('turn the kitchen light on');
    const message = await caught;
    assert.equal((message.error as { code: string }).code, 'FOLKMOOT_NO_AGENTS');
    assert.equal(message.moot?.outcome, 'failed');
  });

  it('refuses a payload without words, and answers the next request', async () => {
    await load(modules, [
      ...home(),
      { id: 'c', z: 'f', type: 'catch', scope: ['router'], uncaught: false, wires: [['caught']] },
    ]);
    for (const payload of [null, '', {}, [], { deep: { deeper: 1 } }, '\u0000\u0001']) {
      const caught = nextAt('caught');
      say(payload);
      assert.equal(((await caught).error as { code: string }).code, 'FOLKMOOT_BAD_INPUT');
    }
    const result = nextAt('result');
    say('turn the hall light off');
    assert.equal((await result).moot?.outcome, 'done');
  });

  it('never mixes runs: twenty at once each get their own, in parallel', async () => {
    await load(modules, home({ overlap: 'parallel' }));
    const results = arrivals('result');
    for (let i = 0; i < 20; i += 1)
      say(`turn the ${i % 2 ? 'kitchen' : 'hall'} light ${i % 3 ? 'on' : 'off'}`, { topic: `t${i}` });
    await until(() => results.length === 20, 15_000);
    for (const message of results) {
      const i = Number(String(message.topic).slice(1));
      assert.deepEqual(called(message.moot), [
        ['SetLight', { room: i % 2 ? 'kitchen' : 'hall', state: i % 3 ? 'on' : 'off' }],
      ]);
    }
  });

  it('tells its events in order, from started to ended', async () => {
    await load(modules, home());
    const events = arrivals('events');
    const result = nextAt('result');
    say('turn the kitchen light on');
    await result;
    await until(() => events.some((m) => m.topic === 'ended'));
    const kinds = events.map((m) => m.topic);
    assert.equal(kinds[0], 'started');
    assert.equal(kinds.at(-1), 'ended');
    assert.ok(kinds.indexOf('plan') < kinds.indexOf('step'));
  });

  it('does not begin runs without end when an agent is wired back to its router', async () => {
    const flow = home().map((n) => (n.id === 'lights' ? { ...n, wires: [['router'], [], [], []] } : n));
    await load(modules, [
      ...flow,
      { id: 'c', z: 'f', type: 'catch', scope: ['router'], uncaught: false, wires: [['caught']] },
    ]);
    const results = arrivals('result');
    const caught = nextAt('caught');
    say('turn the kitchen light on');
    assert.equal(((await caught).error as { code: string }).code, 'FOLKMOOT_LOOP');
    await settle(50);
    assert.equal(results.length, 1);
  });

  it('lets an agent that is not asked by anybody answer on its own, as a run', async () => {
    await load(modules, [
      ...config(),
      ...onTab([agent('lights', 'lights', ['SetLight'], { wires: [['result'], [], [], []] }), ...ends]),
    ]);
    const result = nextAt('result');
    node('lights').receive({ payload: 'turn the kitchen light on' });
    const message = await result;
    assert.deepEqual(called(message.moot), [['SetLight', { room: 'kitchen', state: 'on' }]]);
    assert.equal(message.moot?.outcome, 'done');
  });

  it('goes on after its router was made anew in the middle of a run, with the request’s own properties', async () => {
    const slow: FlowNode = {
      id: 'slow',
      type: 'function',
      func: 'setTimeout(() => node.send(msg), 150);',
      outputs: 1,
      timeout: 0,
      noerr: 0,
      initialize: '',
      finalize: '',
      libs: [],
      wires: [['lights']],
    };
    const flow = [...config(), ...onTab([router(['slow']), slow, agent('lights', 'lights', ['SetLight']), ...ends])];
    await load(modules, flow);
    say('turn the kitchen light on', { topic: 'kept' });
    await until(() => askRegistry.pending === 1);
    const result = nextAt('result');
    await deploy(
      flow.map((n) => (n.id === 'router' ? { ...n, description: 'changed' } : n)),
      'nodes',
    );
    const message = await result;
    assert.equal(message.topic, 'kept');
    assert.deepEqual(called(message.moot), [['SetLight', { room: 'kitchen', state: 'on' }]]);
  });

  it('ends open runs as cancelled when the router is deleted', async () => {
    const flow = [
      ...config(),
      ...onTab([
        router(['hold']),
        {
          id: 'hold',
          type: 'delay',
          pauseType: 'delay',
          timeout: '60',
          timeoutUnits: 'seconds',
          rate: '1',
          nbRateUnits: '1',
          rateUnits: 'second',
          outputs: 1,
          wires: [['lights']],
        },
        agent('lights', 'lights', ['SetLight']),
        ...ends,
      ]),
    ];
    await load(modules, flow);
    say('turn the kitchen light on');
    await until(() => askRegistry.pending === 1);
    await deploy(
      flow.filter((n) => n.id !== 'router'),
      'nodes',
    );
    assert.equal(askRegistry.pending, 0);
  });

  it('refuses the second agent of one id, in words, and works with the first', async () => {
    await load(modules, [
      ...config(),
      ...onTab([
        router(['lights', 'twin']),
        agent('lights', 'lights', ['SetLight']),
        agent('twin', 'lights', ['SetLight']),
        ...ends,
      ]),
    ]);
    await settle();
    const result = nextAt('result');
    say('turn the kitchen light on');
    assert.equal((await result).moot?.plan?.steps.length, 1);
  });

  it('ends by its deadline when an agent never gets what it was asked', async () => {
    const drop: FlowNode = {
      id: 'drop',
      type: 'function',
      func: 'return null;',
      outputs: 1,
      timeout: 0,
      noerr: 0,
      initialize: '',
      finalize: '',
      libs: [],
      wires: [['lights']],
    };
    await load(modules, [
      ...config(),
      ...onTab([
        router(['drop', 'lawn']),
        drop,
        agent('lights', 'lights', ['SetLight']),
        agent('lawn', 'Lawn Mower', ['MowLawn']),
        ...ends,
      ]),
    ]);
    const result = nextAt('result');
    say('turn the kitchen light on and mow the front lawn');
    await until(() => askRegistry.pending === 1);
    await settle(50);
    await clock.advance(60_000);
    const message = await result;
    assert.deepEqual(called(message.moot), [['MowLawn', { area: 'front' }]]);
    assert.deepEqual(
      message.moot?.plan?.steps.map((s) => s.state),
      ['timeout', 'answered'],
    );
  });
});
