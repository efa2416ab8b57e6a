/** A router and agents on real wires: one request, one result. */
import assert from 'node:assert/strict';
import { startFakeOpenAi } from '../../test/fake-openai.ts';
import { aTeamOnWires, agent, called, config, ends, home, modules, router, say } from '../../test/red/team-flow.ts';
import { arrivals, load, nextAt, node, onTab, unload, until } from '../../test/red/red.ts';

describe('a team on wires', function () {
  this.timeout(20_000);
  aTeamOnWires();

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

  it('hands an agent the words that the planner made for it, and the parameters that it found (47, 48)', async () => {
    const asked: string[] = [];
    const server = await startFakeOpenAi({ answer: ({ text }) => (asked.push(text), { text: 'Not needed.' }) });
    const steps = [{ agent: 'lights', prompt: 'make it bright', parameters: { rooms: ['hall', 'kitchen'] } }];
    await load(modules, [
      ...config(),
      {
        ...{ id: 'by-heart', type: 'folkmoot-model', provider: 'scripted' },
        script: [{ task: 'plan', when: 'dark', answer: { message: 'Right.', steps } }],
      },
      { id: 'asked', type: 'folkmoot-model', provider: 'openai-compatible', baseUrl: server.url, modelName: 'm' },
      ...onTab([
        router(['lights'], { model: 'by-heart' }),
        agent('lights', 'lights', ['SetLight'], { model: 'asked', parameters: ['rooms'] }),
        ...ends,
      ]),
    ]);
    const result = nextAt('result');
    say('it is dark in here');
    await result;
    await server.close();
    assert.match(asked[0] ?? '', /Parameters:\n- rooms: hall, kitchen\n/);
    assert.match(asked[0] ?? '', /Request:\nmake it bright$/m);
    assert.doesNotMatch(asked[0] ?? '', /dark in here/);
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
    say('turn the kitchen light on', { moot: { v: 1, request: { id: 'q1', via: 'chat' } } });
    await result;
    await until(() => events.some((m) => m.topic === 'ended'));
    const kinds = events.map((m) => m.topic);
    assert.equal(kinds[0], 'started');
    assert.equal(kinds.at(-1), 'ended');
    assert.ok(events.every((m) => m.moot?.request?.id === 'q1'));
    assert.ok(kinds.indexOf('plan') < kinds.indexOf('step'));
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
});
