/** What else is elsewhere: tools, debaters, and everybody who hears a broadcast. */
import assert from 'node:assert/strict';
import { amicaTopics, ourTopics } from '../../engine/bus/topics.ts';
import type { MetricsBody } from '../../engine/bus/watch-schemas.ts';
import { amicaTypes } from '../../engine/bus/amica.ts';
import { newId } from '../../engine/ids.ts';
import { load, nextAt, node, until, type FlowNode } from '../../test/red/red.ts';
import {
  cardOf,
  isThere,
  modules,
  remote,
  say,
  statusOf,
  twoHouses,
  type Answering,
} from '../../test/red/remote-flow.ts';
import { comfort, config as debateConfig, costs, judge, measure } from '../../test/red/debate-flow.ts';
import { agent, called, router } from '../../test/red/team-flow.ts';
import { amicaClient } from '../../test/amica-client.ts';
import applyNode from '../apply/apply.ts';
import busIn from '../bus-in/bus-in.ts';
import busOut from '../bus-out/bus-out.ts';
import judgeNode from '../judge/judge.ts';

const all = [...modules, judgeNode, applyNode, busIn, busOut] as never[];

describe('what else is elsewhere', function () {
  this.timeout(20_000);
  const { flow, program, broker } = twoHouses();

  const bs = { backbone: 'bs' };
  /** The southern house with people: what they ask goes to a router, which asks these. */
  const withPeople = (nodes: readonly FlowNode[], asks: string[]): FlowNode[] =>
    flow([
      ...nodes,
      { id: 'in', type: 'folkmoot-bus-in', mode: 'requests', wires: [['router']], ...bs },
      router(asks, { wires: [['apply'], ['out'], [], asks], ...bs }),
      { id: 'apply', type: 'folkmoot-apply', rows: [{ kind: 'else', target: '' }], wires: [['out'], ['lamp']], ...bs },
      { id: 'lamp', type: 'helper', wires: [] },
      { id: 'out', type: 'folkmoot-bus-out', mode: 'reply', wires: [], ...bs },
    ]);

  describe('a tool (P11)', () => {
    const card = {
      v: 1,
      toolId: 'weather',
      name: 'Weather',
      purpose: 'Tells the weather of a town',
      synonyms: ['weather', 'forecast'],
      schema: { type: 'object', properties: { town: { enum: ['Oslo', 'Rome'] } }, required: ['town'] },
      channel: 'bus',
    };
    const start = (answer: Answering, more: object = {}) =>
      program('folkmoot/v1/tools/weather', 'folkmoot/v1/tools/weather/call', { ...card, ...more }, answer);
    const tool = (more: object = {}) => remote({ name: '', kind: 'tool', remoteId: 'weather', ...more });
    const asker = (): FlowNode[] => [
      agent('guide', 'guide', [], { backbone: 'bs', language: '', wires: [['result'], ['fallback'], [], ['remote']] }),
    ];

    it('is used by an agent that is wired to it, over several turns of one conversation', async () => {
      const calls: Parameters<Answering>[0][] = [];
      await start((call, reply) => {
        calls.push(call);
        return reply({ status: 'answered', payload: { sky: calls.length === 1 ? 'grey' : 'blue' } });
      });
      await load(all, flow([...asker(), tool()]));
      await isThere();
      for (const [town, sky] of [
        ['Oslo', 'grey'],
        ['Rome', 'blue'],
      ]) {
        const result = nextAt('result');
        node('guide').receive({
          payload: `what is the weather of ${town}?`,
          moot: { v: 1, conversation: 'c1', user: 'anna' },
        });
        assert.match(String((await result).payload), new RegExp(`sky: ${sky}`, 'i'));
      }
      assert.deepEqual(
        calls.map((call) => [call.arguments, call.conversation]),
        [
          [{ town: 'Oslo' }, 'c1'],
          [{ town: 'Rome' }, 'c1'],
        ],
      );
      assert.equal(new Set(calls.map(({ id }) => id)).size, 2);
    });

    it('is called by the plan of what a person asks, beside commands, in each turn of the conversation', async () => {
      const calls: Parameters<Answering>[0][] = [];
      await start((call, reply) => reply({ status: 'answered', payload: { sky: `grey ${calls.push(call)}` } }));
      await load(
        all,
        withPeople([...asker(), tool(), agent('lights', 'lights', ['SetLight'], bs)], ['guide', 'lights']),
      );
      await isThere();
      const person = await amicaClient(broker().url);
      try {
        for (const [text, expected] of [
          ['what is the weather of Oslo? And turn the hall light on', /^(?=.*sky: grey 1)(?=.*hall light on)/is],
          ['what is the weather of Rome?', /sky: grey 2/i],
        ] as const) {
          const id = await person.ask(text, 'c5');
          await until(() => person.parts(id).some(({ isComplete }) => isComplete), 5_000);
          assert.match(
            person
              .parts(id)
              .map(({ message }) => message)
              .join(''),
            expected,
          );
        }
        assert.deepEqual(
          calls.map((call) => [call.arguments, call.conversation]),
          [
            [{ town: 'Oslo' }, 'c5'],
            [{ town: 'Rome' }, 'c5'],
          ],
        );
      } finally {
        await person.close();
      }
    });

    it('that is gone, has a bad form or another channel is not offered or refused in words', async () => {
      await load(all, flow([...asker(), tool()]));
      await until(() => statusOf('remote') === 'disconnected');
      const ask = async () => {
        const ended = nextAt('result');
        node('guide').receive({ payload: 'what is the weather of Oslo?' });
        return String((await ended).payload);
      };
      assert.doesNotMatch(await ask(), /sky/);
      const client = await start((_call, reply) => reply({ status: 'answered', payload: { sky: 'x' } }), {
        schema: { type: 'nonsense' },
      });
      await until(() => statusOf('remote') === 'connected');
      assert.doesNotMatch(await ask(), /sky/);
      await client.publishAsync('folkmoot/v1/tools/weather', JSON.stringify({ ...card, channel: 'stdio' }), {
        retain: true,
        qos: 1,
      });
      await until(() => statusOf('remote') === 'connected');
    });
  });

  it('debates with a judge of another house, and what it proposes is checked there', async () => {
    const south = [
      judge(['remote', 'costs'], { backbone: 'bs' }),
      remote({ name: 'Comfort', remoteId: 'comfort', language: 'heating' }),
      costs({ backbone: 'bs' }),
    ];
    const north = comfort({ backbone: 'bn' });
    await load(all, [...debateConfig(), ...flow([...south, north])]);
    await isThere();
    const verdict = nextAt('result', 10_000);
    measure(17);
    const { moot } = await verdict;
    assert.deepEqual(called(moot), [['SetHeating', { room: 'living_room', celsius: 21 }]]);
    assert.deepEqual(moot?.verdict?.votes, { 'Heat.': 0.9, 'Save.': 0.4 });
    assert.equal(moot?.verdict?.sidedWith, 'comfort');
  });

  it('answers people over A.M.I.C.A., although it knows only its own topic: its house decides who may ask, and counts (P3)', async () => {
    const topic = 'folkmoot/v1/agents/lights';
    const asked: unknown[] = [];
    await program(topic, `${topic}/ask`, cardOf('lights'), (ask, reply) => {
      asked.push(ask.moot?.['user']);
      return reply({
        status: 'answered',
        payload: `As ${String(ask.moot?.['user'])} wants.`,
        mutations: [{ function: 'SetLight', parameters: { room: 'hall', state: 'on' } }],
      });
    });
    await load(
      all,
      withPeople([remote()], ['remote']).map((one) => (one.id === 'bs' ? { ...one, allowedSenders: 'ana' } : one)),
    );
    await isThere();
    const person = await amicaClient(broker().url);
    try {
      const command = nextAt('lamp');
      const id = await person.ask('turn the hall light on', 'c9');
      await until(() => person.parts(id).some(({ isComplete }) => isComplete));
      assert.equal(
        person
          .parts(id)
          .map(({ message }) => message)
          .join(''),
        'Hall light on.',
      );
      assert.deepEqual((await command).payload, { room: 'hall', state: 'on' });
      await until(() => person.ended.includes('c9'));
      let counts: MetricsBody | undefined;
      await program('folkmoot/v1/agents/none', ourTopics.metrics, {}, (body) => (counts = body as MetricsBody));
      const body = { dateTime: new Date().toISOString(), userName: 'eve', message: 'turn the hall light on' };
      const envelope = { MESSAGE_ID: 'm-eve', CONVERSATION_ID: 'c-eve', PAYLOAD_TYPE: amicaTypes.request };
      await person.send(JSON.stringify(body), envelope);
      await until(() => person.ended.includes('c-eve'));
      assert.match(person.parts('m-eve')[0]?.message ?? '', /not among those who may ask/);
      await until(() => counts?.topics[amicaTopics.requests]?.refusedSenders === 1, 5_000);
      assert.deepEqual([asked, counts?.topics['folkmoot/v1/agents/+/ask']?.out], [['ana'], 1]);
    } finally {
      await person.close();
    }
  });

  describe('everybody who hears a broadcast', () => {
    const answerer = async (text: string, from = 0) => {
      const client = await program('folkmoot/v1/agents/none', amicaTopics.requests, {}, () => undefined);
      client.on('message', (_topic, payload, { properties }) => {
        const { MESSAGE_ID = '', CONVERSATION_ID = '' } = (properties?.userProperties ?? {}) as Record<string, string>;
        heard.push({ ...(JSON.parse(payload.toString()) as object), ...properties?.userProperties });
        const body = {
          message: text,
          dateTime: new Date().toISOString(),
          isComplete: true,
          sequenceNumber: { value: from },
        };
        client.publish(amicaTopics.replies(MESSAGE_ID), JSON.stringify(body), {
          properties: { userProperties: { MESSAGE_ID: newId(), CONVERSATION_ID, PAYLOAD_TYPE: amicaTypes.response } },
        });
      });
    };
    const heard: Record<string, unknown>[] = [];
    beforeEach(() => (heard.length = 0));
    const everybody = (more: object = {}) =>
      remote({
        mode: 'amica',
        remoteId: '',
        name: 'Java agents',
        deadlineSeconds: 5,
        wires: [['result'], ['fallback']],
        ...more,
      });

    it('is asked over A.M.I.C.A., and what it says are words', async () => {
      await answerer('The load is 0.3.');
      await load(all, flow([everybody()]));
      const result = nextAt('result', 10_000);
      node('remote').receive({ payload: 'what is the load?', moot: { v: 1, user: 'anna', conversation: 'c7' } });
      const { payload, moot } = await result;
      assert.deepEqual([payload, moot?.outcome, moot?.mutations], ['The load is 0.3.', 'done', []]);
      const [request] = heard;
      assert.deepEqual(
        [request?.['message'], request?.['userName'], request?.['CONVERSATION_ID']],
        ['what is the load?', 'anna', 'c7'],
      );
    });

    it('does not bring its own house’s request back to it', async () => {
      await answerer('I am another.');
      const own = [
        { id: 'in', type: 'folkmoot-bus-in', mode: 'requests', backbone: 'bs', wires: [['router']] },
        router(['remote'], { backbone: 'bs', wires: [['out'], ['out'], [], ['remote']] }),
        { id: 'out', type: 'folkmoot-bus-out', mode: 'reply', backbone: 'bs', wires: [] },
      ];
      await load(all, flow([everybody(), ...own]));
      const result = nextAt('result', 10_000);
      say('what is the load?', 'remote');
      assert.equal((await result).payload, 'I am another.');
      assert.equal(heard.length, 1);
    });

    it('that says nothing in time is told in words', async () => {
      await load(all, flow([everybody({ deadlineSeconds: 1 })]));
      const fallback = nextAt('fallback', 10_000);
      say('what is the load?', 'remote');
      assert.match(String((await fallback).payload), /did not answer in time/);
    });
  });
});
