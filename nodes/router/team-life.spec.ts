/** What becomes of a run when wires lead back, agents are silent, or nodes are made anew. */
import assert from 'node:assert/strict';
import {
  aTeamOnWires,
  agent,
  between,
  called,
  config,
  ends,
  home,
  modules,
  router,
  say,
} from '../../test/red/team-flow.ts';
import { arrivals, deploy, load, nextAt, onTab, settle, until } from '../../test/red/red.ts';
import { askRegistry, runFeed, type RunEnded } from '../shared/process.ts';

describe('the life of a team', function () {
  this.timeout(20_000);
  const team = aTeamOnWires();

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

  it('goes on after its router was made anew in the middle of a run, with the request’s own properties', async () => {
    const slow = between('slow', 'setTimeout(() => node.send(msg), 150);', 'lights');
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
    const ended: RunEnded[] = [];
    const stop = runFeed.onEnded((run) => ended.push(run));
    await load(modules, flow);
    say('turn the kitchen light on');
    await until(() => askRegistry.pending === 1);
    await deploy(
      flow.filter((n) => n.id !== 'router'),
      'nodes',
    );
    assert.equal(askRegistry.pending, 0);
    await until(() => ended.length === 1);
    assert.deepEqual(
      ended.map(({ owner, outcome }) => [owner, outcome]),
      [['router', 'cancelled']],
    );
    stop();
  });

  it('names the reason and its code on fallback when its model is not there, and tells people in plain words', async () => {
    await load(modules, [
      ...config(),
      {
        id: 'dead',
        type: 'folkmoot-model',
        provider: 'openai-compatible',
        baseUrl: 'http://127.0.0.1:9/v1',
        modelName: 'm',
      },
      ...onTab([
        router(['lights'], { model: 'dead', firstTier: 'off' }),
        agent('lights', 'lights', ['SetLight']),
        ...ends,
      ]),
    ]);
    const fallback = nextAt('fallback', 15_000);
    say('turn the kitchen light on');
    const message = await fallback;
    assert.match(String(message.moot?.reason), /^FOLKMOOT_MODEL_FAILED: /);
    assert.match(String(message.payload), /AI model did not answer/);
  });

  it('works with the first of two agents of one id', async () => {
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
    const drop = between('drop', 'return null;', 'lights');
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
    await team.clock().advance(60_000);
    const message = await result;
    assert.deepEqual(called(message.moot), [['MowLawn', { area: 'front' }]]);
    assert.deepEqual(
      message.moot?.plan?.steps.map((s) => s.state),
      ['timeout', 'answered'],
    );
  });
});
