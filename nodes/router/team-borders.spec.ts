/** The real router and agents across borders of the flow: links, subflows, and a language of the router's own. */
import assert from 'node:assert/strict';
import {
  aTeamOnWires,
  agent,
  between,
  called,
  config,
  ends,
  functions,
  modules,
  router,
  say,
} from '../../test/red/team-flow.ts';
import { arrivals, deploy, load, nextAt, onTab, until } from '../../test/red/red.ts';
import { askRegistry } from '../shared/process.ts';

const inSubflow = (id: string, inner: string[]) => ({
  id,
  type: 'subflow',
  name: id,
  in: [{ wires: inner.map((one) => ({ id: one })) }],
  out: [],
});

describe('a team across borders', function () {
  this.timeout(20_000);
  aTeamOnWires();

  it('is reached through link out and link in on another tab', async () => {
    await load(modules, [
      ...config(),
      ...onTab([router(['lo']), { id: 'lo', type: 'link out', mode: 'link', links: ['li'], wires: [] }, ...ends]),
      ...onTab(
        [
          { id: 'li', type: 'link in', links: ['lo'], wires: [['lights']], z: 'g' },
          agent('lights', 'lights', ['SetLight'], { z: 'g' }),
        ],
        'g',
      ),
    ]);
    const result = nextAt('result');
    say('turn the kitchen light on');
    assert.deepEqual(called((await result).moot), [['SetLight', { room: 'kitchen', state: 'on' }]]);
  });

  it('is reached two levels of subflow down', async () => {
    await load(modules, [
      ...config(),
      inSubflow('inner', ['ia']),
      agent('ia', 'lights', ['SetLight'], { z: 'inner' }),
      inSubflow('outer', ['oi']),
      { id: 'oi', type: 'subflow:inner', z: 'outer', wires: [] },
      ...onTab([router(['house']), { id: 'house', type: 'subflow:outer', name: 'house', wires: [] }, ...ends]),
    ]);
    const result = nextAt('result');
    say('turn the kitchen light on');
    assert.deepEqual(called((await result).moot), [['SetLight', { room: 'kitchen', state: 'on' }]]);
  });

  it('tells two instances of one subflow apart by their names', async () => {
    await load(modules, [
      ...config(),
      inSubflow('floor', ['ia']),
      agent('ia', 'lights', ['SetLight'], { z: 'floor' }),
      ...onTab([
        router(['up', 'down']),
        { id: 'up', type: 'subflow:floor', name: 'upstairs', wires: [] },
        { id: 'down', type: 'subflow:floor', name: 'downstairs', wires: [] },
        ...ends,
      ]),
    ]);
    const result = nextAt('result');
    say('turn the kitchen light on');
    const message = await result;
    assert.equal(message.moot?.outcome, 'asked');
    assert.match(String(message.payload), /upstairs/);
    assert.match(String(message.payload), /downstairs/);
  });

  it('does only what is in the language of its router, if that has one', async () => {
    const lamps = { id: 'few', type: 'folkmoot-language', functions: functions.slice(0, 1) };
    await load(modules, [
      ...config(),
      lamps,
      ...onTab([
        router(['lights', 'lawn'], { language: 'few' }),
        agent('lights', 'lights', ['SetLight']),
        agent('lawn', 'Lawn Mower', ['MowLawn']),
        ...ends,
      ]),
    ]);
    const first = nextAt('result');
    say('turn the kitchen light on');
    assert.equal((await first).moot?.outcome, 'done');
    const second = nextAt('result');
    say('mow the front lawn');
    assert.equal((await second).moot?.outcome, 'refused');
  });

  it('goes on with the others when one agent is disabled in the middle of a run, and says what was stopped', async () => {
    const held = between('held', 'setTimeout(() => node.send(msg), 200);', 'lights');
    const flow = [
      ...config(),
      ...onTab([
        router(['held', 'lawn']),
        held,
        agent('lights', 'lights', ['SetLight']),
        agent('lawn', 'Lawn Mower', ['MowLawn']),
        ...ends,
      ]),
    ];
    await load(modules, flow);
    const result = nextAt('result');
    say('turn the kitchen light on and mow the front lawn');
    await until(() => askRegistry.pending === 1);
    await deploy(
      flow.map((one) => (one.id === 'lights' ? { ...one, d: true } : one)),
      'nodes',
    );
    const message = await result;
    assert.deepEqual(called(message.moot), [['MowLawn', { area: 'front' }]]);
    assert.equal(message.moot?.plan?.steps[0]?.state, 'cancelled');
    assert.match(String(message.payload), /kitchen light/);
  });

  it('answers fifty steps at once, whatever their order of arrival, each to its own', async () => {
    const shuffled = between('shuffled', 'setTimeout(() => node.send(msg), (msg.parts.index * 37) % 50);', 'lights');
    await load(modules, [
      ...config(),
      ...onTab([
        router(['shuffled'], { overlap: 'parallel' }),
        shuffled,
        agent('lights', 'lights', ['SetLight']),
        ...ends,
      ]),
    ]);
    const results = arrivals('result');
    const sentence = (i: number) =>
      `turn the kitchen light ${i % 2 ? 'on' : 'off'} and turn the hall light ${i % 2 ? 'off' : 'on'}`;
    for (let i = 0; i < 25; i += 1) say(sentence(i), { topic: `t${i}` });
    await until(() => results.length === 25, 15_000);
    for (const { topic, moot } of results) {
      const isOdd = Number(String(topic).slice(1)) % 2;
      assert.deepEqual(called(moot), [
        ['SetLight', { room: 'kitchen', state: isOdd ? 'on' : 'off' }],
        ['SetLight', { room: 'hall', state: isOdd ? 'off' : 'on' }],
      ]);
    }
  });
});
