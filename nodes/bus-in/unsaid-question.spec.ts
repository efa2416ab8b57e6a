/** A question back that another agent's answer took the place of was never asked, so nothing is an answer to it. */
import assert from 'node:assert/strict';
import { writeResponse } from '../../engine/bus/amica.ts';
import { amicaClient, type AmicaClient } from '../../test/amica-client.ts';
import type { TestBroker } from '../../test/broker.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { arrivals, load, onTab, settle, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import { agent, config, modules as team, router } from '../../test/red/team-flow.ts';
import { leaseBackbone } from '../backbone/lease.ts';
import busOut from '../bus-out/bus-out.ts';
import { conversationsOf } from '../shared/conversations.ts';
import type { Red } from '../shared/red.ts';
import busIn from './bus-in.ts';

let RED: Red;
const spy = (red: Red): void => void (RED = red);
const modules = [...(team as readonly unknown[]), busIn, busOut, spy] as never[];

describe('a question that a home would have asked back', function () {
  this.timeout(30_000);
  let broker: TestBroker;
  let person: AmicaClient;
  before(async () => {
    broker = await startMosquitto();
    await startServer();
    person = await amicaClient(broker.url);
  });
  after(async () => {
    await person.close();
    await stopServer();
    await broker.stop();
  });
  afterEach(unload);

  const flow = (foreignResponders: string, house: string) => [
    {
      id: 'b',
      type: 'folkmoot-backbone',
      bus: 'mqtt',
      busUrl: broker.url,
      storePath: ':memory:',
      house,
      foreignResponders,
    },
    ...config(),
    ...onTab([
      { id: 'in', type: 'folkmoot-bus-in', mode: 'requests', backbone: 'b', wires: [['router']] },
      router(['lights'], { backbone: 'b', wires: [['out', 'result'], ['out', 'result'], [], ['lights']] }),
      agent('lights', 'lights', ['SetLight'], { backbone: 'b' }),
      { id: 'out', type: 'folkmoot-bus-out', mode: 'reply', backbone: 'b', wires: [] },
      { id: 'result', type: 'helper', wires: [] },
    ]),
  ];
  const rowTypes = async (conversation: string) => {
    const lease = leaseBackbone(RED, 'b');
    const rows = await conversationsOf(await lease.ready).readLast(conversation, 9);
    await lease.release();
    return rows.map(({ messageType }) => messageType);
  };
  const othersAnswer = async (requestId: string, conversationId: string) => {
    const said = { requestId, conversationId, message: 'Done.', isComplete: true, sequence: 0, atMs: Date.now() };
    const { topic, message } = writeResponse(said);
    await person.client.publishAsync(topic, String(message.payload), {
      properties: { userProperties: { ...message.properties } },
    });
  };

  for (const [others, what] of [
    ['no', 'is answered by one word in its conversation'],
    ['yes', 'is no longer open when another agent answered in its place'],
  ] as const) {
    it(what, async () => {
      await load(modules, flow(others, `unsaid-${others}`));
      const results = arrivals('result');
      const conversation = `c-${others}`;
      let first = '';
      for (let tries = 0; tries < 100 && results.length === 0; tries += 1) {
        first = await person.ask('turn on the light', conversation);
        if (others === 'yes') await othersAnswer(first, conversation);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      assert.equal(results[0]?.moot?.outcome, 'asked');
      await until(() => person.parts(first).some(({ isComplete }) => isComplete));
      await settle(200);
      // Asked again and again until it was heard.
      const rows = (await rowTypes(conversation)).sort();
      const each = results.map(() => ['AGENT_MESSAGE', 'USER_MESSAGE']);
      assert.deepEqual(rows, others === 'no' ? each.flat().sort() : [], 'whoever answers keeps what was asked');
      const before = results.length;
      await person.ask('the kitchen', conversation);
      await until(() => results.length > before);
      const acted = results.at(-1)?.moot?.mutations?.map(({ parameters }) => parameters) ?? [];
      assert.deepEqual(acted, others === 'no' ? [{ room: 'kitchen', state: 'on' }] : []);
    });
  }
});
