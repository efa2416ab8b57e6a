/** Two houses on one broker: a team in the south asks an agent of the north, and programs that are no Folkmoot. */
import assert from 'node:assert/strict';
import { ourTopics } from '../../engine/bus/topics.ts';
import type { MetricsBody } from '../../engine/bus/watch-schemas.ts';
import { adminGet, deploy, load, nextAt, node, onTab, settle, until } from '../../test/red/red.ts';
import {
  cardOf,
  isThere,
  modules,
  northern,
  remote,
  say,
  southern,
  statusOf,
  twoHouses,
  type Answering,
} from '../../test/red/remote-flow.ts';
import { called, config, ends } from '../../test/red/team-flow.ts';
import type { RegistryList } from './listed.ts';

describe('an agent elsewhere', function () {
  this.timeout(20_000);
  const { flow, program: start } = twoHouses();
  const program = (card: ReturnType<typeof cardOf>, answer: Answering) => {
    const topic = `folkmoot/v1/agents/${card.agentId}`;
    return start(topic, `${topic}/ask`, card, answer);
  };

  it('of another house does its part of a plan, and its commands are those of this house', async () => {
    await load(modules, flow([northern(), southern(), remote()]));
    await isThere();
    const result = nextAt('result');
    say('turn the kitchen light on');
    const { payload, moot } = await result;
    assert.equal(moot?.outcome, 'done');
    assert.deepEqual(called(moot), [['SetLight', { room: 'kitchen', state: 'on' }]]);
    assert.equal(moot?.mutations?.[0]?.agent, 'northern-lights');
    assert.equal(moot?.mutations?.[0]?.run, moot?.run);
    assert.equal(typeof payload, 'string');
  });

  it('asks back in words, and refuses in words', async () => {
    await load(modules, flow([northern(), southern(), remote({ wires: [['result'], ['fallback']] })]));
    await isThere();
    for (const [text, words, outcome, commands] of [
      ['turn the light on', /room/, 'asked', 0],
      ['kitchen', /Done/, 'done', 1],
      ['what is the meaning of life?', /no answer to that/, 'done', 0],
    ] as const) {
      const ended = nextAt('result');
      say(text, 'remote');
      const { payload, moot } = await ended;
      assert.match(String(payload), words);
      assert.equal(moot?.outcome, outcome);
      assert.equal(called(moot).length, commands);
    }
  });

  it('does what a message without a router asks, as a run of its own', async () => {
    await load(modules, flow([northern(), remote({ wires: [['result'], ['fallback']] })]));
    await isThere();
    const result = nextAt('result');
    say('turn the hall light off', 'remote');
    const { moot, topic } = await result;
    assert.equal(topic, 'home');
    assert.equal(moot?.outcome, 'done');
    assert.deepEqual(called(moot), [['SetLight', { room: 'hall', state: 'off' }]]);
  });

  it('is told to be gone at once when it is not there, and comes back', async () => {
    await load(modules, flow([southern(), remote({ generates: ['SetLight'] })]));
    await until(() => statusOf('remote') === 'disconnected');
    const fallback = nextAt('fallback');
    say('turn the kitchen light on');
    assert.match(String((await fallback).payload), /is not there right now/);
    await program(cardOf('lights'), (_ask, reply) => reply({ status: 'answered', payload: 'Done.' }));
    await isThere();
    const result = nextAt('result');
    say('turn the kitchen light on');
    assert.equal((await result).payload, 'Done.');
  });

  it('dies in the middle of an ask: that is said at once', async () => {
    let asked = 0;
    const client = await program(cardOf('lights', { name: 'Old Lamp' }), () => (asked += 1));
    await load(modules, flow([southern(), remote()]));
    await isThere();
    const fallback = nextAt('fallback');
    say('turn the kitchen light on');
    await until(() => asked === 1);
    client.stream.destroy();
    const { payload, moot } = await fallback;
    assert.match(String(payload), /went away while it worked/);
    assert.match(String(moot?.reason), /FOLKMOOT_NOT_HERE/);
  });

  it('that is too slow is waited for no longer than its time limit, and told so', async () => {
    const kinds: unknown[] = [];
    await program(cardOf('lights'), (ask) => kinds.push(ask.kind));
    await load(modules, flow([southern(), remote({ deadlineSeconds: 1 })]));
    await isThere();
    const fallback = nextAt('fallback');
    say('turn the kitchen light on');
    assert.match(String((await fallback).payload), /took longer than 1 seconds?/);
    await until(() => kinds.length === 2);
    assert.deepEqual(kinds, ['step', 'cancel']);
  });

  it('is routed, authorised and checked although it speaks only its own topic (P3)', async () => {
    const asks: Parameters<Answering>[0][] = [];
    await program(cardOf('lights'), (ask, reply) => {
      asks.push(ask);
      return reply({
        status: 'answered',
        payload: 'The hall is lit.',
        mutations: [
          { function: 'SetLight', parameters: { room: 'hall', state: 'on' } },
          { function: 'MowLawn', parameters: { area: 'front' } },
          { function: 'SetLight', parameters: { room: 'moon', state: 'on' } },
        ],
      });
    });
    await load(modules, flow([southern(), remote()]));
    await isThere();
    const result = nextAt('result');
    node('router').receive({ payload: 'turn the hall light on', moot: { v: 1, user: 'anna', conversation: 'c1' } });
    const { moot } = await result;
    assert.deepEqual(called(moot), [['SetLight', { room: 'hall', state: 'on' }]]);
    assert.match(String(moot?.plan?.steps[0]?.rest), /left out/);
    assert.deepEqual(
      [asks[0]?.payload, asks[0]?.moot?.['user'], asks[0]?.moot?.['conversation']],
      ['turn the hall light on', 'anna', 'c1'],
    );
  });

  it('passes over forged answers, and waits for the true one', async () => {
    await program(cardOf('lights', { process: 'p-north' }), async (_ask, reply) => {
      const forged = { status: 'answered', payload: 'forged' };
      await reply('no JSON');
      await reply({ status: 'perhaps' }, { userProperties: { PROCESS: 'p-west' } });
      await reply(forged, { userProperties: { PROCESS: 'p-west' } });
      await reply(forged, { correlationData: Buffer.from('another'), userProperties: { PROCESS: 'p-north' } });
      await reply({ status: 'answered', payload: 'true' }, { userProperties: { PROCESS: 'p-north' } });
    });
    await load(modules, flow([southern(), remote()]));
    await isThere();
    const result = nextAt('result');
    say('turn the kitchen light on');
    assert.equal((await result).payload, 'true');
  });

  it('says at once what is wrong with an answer of a wrong form', async () => {
    await program(cardOf('lights', { process: 'p-north' }), async (_ask, reply) => {
      await reply({ status: 'perhaps' }, { userProperties: { PROCESS: 'p-north' } });
    });
    await load(modules, flow([southern(), remote()]));
    await isThere();
    const fallback = nextAt('fallback');
    say('turn the kitchen light on');
    assert.match(
      String((await fallback).payload),
      /The answer of lights could not be used: status must be equal to one of/,
    );
  });

  it('refuses whom its own house does not let ask, and that is counted', async () => {
    let counts: MetricsBody | undefined;
    await start('folkmoot/v1/agents/none', ourTopics.metrics, {}, (body) => {
      const told = body as MetricsBody;
      if (told.house === 'north') counts = told;
    });
    await load(modules, flow([northern(), southern(), remote()], { allowedSenders: 'anna\nfolkmoot-east' }));
    await isThere();
    const refused = nextAt('result');
    say('turn the kitchen light on');
    const { payload, moot } = await refused;
    assert.deepEqual([moot?.outcome, called(moot)], ['refused', []]);
    assert.match(String(payload), /who may ask here/);
    await until(() => counts?.topics['folkmoot/v1/agents/+/ask']?.refusedSenders === 1);
  });

  it('is offered to people who choose, with what it does and whether it is there', async () => {
    await load(modules, flow([northern(), remote()]));
    await isThere();
    const list = await adminGet<RegistryList>('/folkmoot-admin/registry?backbone=bs');
    assert.deepEqual(list.agents, [
      { id: 'lights', name: 'lights', house: 'north', status: 'online', description: 'does lights' },
    ]);
    assert.equal((await adminGet<RegistryList>('/folkmoot-admin/registry?backbone=none')).problem, 'missing');
    assert.equal((await adminGet<RegistryList>('/folkmoot-admin/registry')).problem, 'no broker');
  });

  it('is said to be wrong where there is no broker or no name', async () => {
    await load(modules, [
      ...config(),
      ...onTab([remote({ backbone: '' }), { ...remote(), id: 'nameless', backbone: 'bs', remoteId: '' }, ...ends]),
      ...flow([]).slice(1, 2),
    ]);
    // The helper's spies are those of all nodes.
    const errors = () => (node('remote') as unknown as { error: { args: unknown[][] } }).error.args.map(String);
    await until(() => errors().length > 1);
    assert.match(errors().join(), /over a broker only/);
    assert.match(errors().join(), /which agent/);
  });

  it('loses its card when it is deleted, and keeps it over a deploy', async () => {
    await load(modules, flow([northern(), remote()]));
    await isThere();
    await deploy(flow([northern({ description: 'does more' }), remote()]), 'nodes');
    await settle();
    await until(() => statusOf('remote') === 'connected');
    const described = async () =>
      (await adminGet<RegistryList>('/folkmoot-admin/registry?backbone=bs')).agents[0]?.description;
    while ((await described()) !== 'does more') await settle();
    await deploy(flow([remote()]), 'nodes');
    await until(() => statusOf('remote') === 'disconnected');
  });
});
