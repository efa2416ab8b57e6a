/** People go on asking while flows are deployed: real Node-RED, real broker, requests that no broker keeps. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { amicaClient, type AmicaClient } from '../../test/amica-client.ts';
import type { TestBroker } from '../../test/broker.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import {
  core,
  deploy,
  load,
  node,
  onTab,
  settle,
  startServer,
  stopServer,
  unload,
  until,
  type FlowNode,
} from '../../test/red/red.ts';
import { agent, config, modules as team } from '../../test/red/team-flow.ts';
import { fakeClock } from '../../engine/clock.ts';
import { limits } from '../../engine/limits.ts';
import applyNode from '../apply/apply.ts';
import busOut from '../bus-out/bus-out.ts';
import { defineNode } from '../shared/define-node.ts';
import { text } from '../shared/fields.ts';
import { useClock } from '../shared/process.ts';
import type { Red, RedMessage } from '../shared/red.ts';
import busIn from './bus-in.ts';

/** What arrived at whichever instance of a node. */
const acted: RedMessage[] = [];
function actor(RED: Red): void {
  defineNode(RED, {
    type: 'test-actor',
    fields: { name: text() },
    start: () => ({ input: (message) => void acted.push(message) }),
  });
}

const modules = [...(team as readonly unknown[]), applyNode, busIn, busOut, actor, ...core('mqtt')] as never[];
const answering = `
  if (msg.payload.startsWith('silence')) return null;
  return [msg, { ...msg, payload: 'You said: ' + msg.payload, moot: { ...msg.moot, outcome: 'done' } }];
`;
const kinds = ['full', 'flows', 'nodes', 'full', 'flows', 'nodes'] as const;

describe('requests around deploys', function () {
  this.timeout(60_000);
  let broker: TestBroker;
  let person: AmicaClient;

  const withEcho = (name = '', port: object = {}): FlowNode[] => [
    { id: 'b', type: 'folkmoot-backbone', bus: 'mqtt', busUrl: broker.url, storePath: ':memory:', house: 'test', name },
    ...onTab([
      { id: 'in', type: 'folkmoot-bus-in', backbone: 'b', name, wires: [['f']], ...port },
      { id: 'f', type: 'function', func: answering, outputs: 2, name, wires: [['actor'], ['out']] },
      { id: 'actor', type: 'test-actor', wires: [] },
      { id: 'out', type: 'folkmoot-bus-out', mode: 'reply', backbone: 'b', name, wires: [] },
    ]),
  ];
  const withTeam = (name = ''): FlowNode[] => [
    { id: 'b', type: 'folkmoot-backbone', bus: 'mqtt', busUrl: broker.url, storePath: ':memory:', house: 'team', name },
    ...config(),
    ...onTab([
      { id: 'in', type: 'folkmoot-bus-in', backbone: 'b', name, wires: [['router']] },
      {
        id: 'router',
        type: 'folkmoot-router',
        backbone: 'b',
        language: 'lang',
        overlap: 'parallel',
        name,
        wires: [['apply'], ['out'], [], ['lights']],
      },
      agent('lights', 'lights', ['SetLight'], { description: `does lights ${name}` }),
      {
        id: 'apply',
        type: 'folkmoot-apply',
        backbone: 'b',
        language: 'lang',
        name,
        rows: [{ kind: 'function', target: 'SetLight', waitMs: 20 }],
        outputs: 2,
        wires: [['out'], ['actor']],
      },
      { id: 'actor', type: 'test-actor', wires: [] },
      { id: 'out', type: 'folkmoot-bus-out', mode: 'reply', backbone: 'b', name, wires: [] },
    ]),
  ];
  const answered = (id: string) => person.parts(id).some((part) => part.isComplete);
  const listening = async () => {
    const hellos: string[] = [];
    const end = Date.now() + 10_000;
    while (Date.now() < end && !hellos.some(answered)) {
      hellos.push(await person.ask('hello'));
      await settle();
    }
    await until(() => hellos.some(answered));
    acted.length = 0;
  };
  /** As A.M.I.C.A.'s command line does: nobody keeps it for who is not there. */
  const askOnce = (message: string) => {
    const id = randomUUID();
    const userProperties = {
      MESSAGE_ID: id,
      CONVERSATION_ID: `c-${id}`,
      PAYLOAD_TYPE: 'es.nachobrito.amica.domain.model.message.payload.UserRequest',
    };
    const body = JSON.stringify({ dateTime: new Date().toISOString(), userName: `ana-${id}`, message });
    person.client.publish('/es/nachobrito/amica/user/request/v1', body, { qos: 0, properties: { userProperties } });
    return id;
  };
  /** One request each 10 ms until the work is over. */
  const askDuring = async (message: string, work: () => Promise<void>) => {
    const ids: string[] = [];
    const timer = setInterval(() => ids.push(askOnce(message)), 10);
    await work();
    clearInterval(timer);
    return ids;
  };
  const deployAll = async (flow: (name: string) => FlowNode[]) => {
    for (const [n, kind] of kinds.entries()) {
      await deploy(flow(`${kind} ${n}`), kind);
      if (n % 2) await pause(120);
    }
    await pause(120);
  };

  before(async () => {
    broker = await startMosquitto();
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

  it('are each answered once and act once, with a Function in between', async () => {
    await load(modules, withEcho());
    await listening();
    const ids = await askDuring('hi', () => deployAll(withEcho));
    await until(() => ids.every(answered), 15_000);
    await pause(200);
    assert.ok(ids.length > 10);
    assert.deepEqual(
      [
        ...new Set(
          ids.map((id) =>
            person
              .parts(id)
              .map(({ message }) => message)
              .join(),
          ),
        ),
      ],
      ['You said: hi'],
    );
    assert.deepEqual(
      acted
        .map(({ moot }) => moot?.request?.id)
        .filter((id) => ids.includes(id ?? ''))
        .sort(),
      [...ids].sort(),
    );
  });

  it('are each answered once and act once, with a team that carries out commands', async () => {
    await load(modules, withTeam());
    await listening();
    const ids = await askDuring('turn the kitchen light on', () => deployAll(withTeam));
    await until(() => ids.every(answered), 30_000);
    await pause(200);
    assert.ok(ids.length > 10);
    const replies = ids.map((id) =>
      person
        .parts(id)
        .map(({ message }) => message)
        .join(),
    );
    assert.deepEqual([...new Set(replies)], ['Kitchen light on.']);
    assert.deepEqual(acted.map(({ moot }) => moot?.request?.id).sort(), [...ids].sort());
  });

  it('are answered in words when what takes them is not there after a deploy', async () => {
    await load(modules, withEcho());
    await listening();
    const without = withEcho('x').filter(({ id }) => id !== 'in');
    const ids = await askDuring('hi', () => deploy(without, 'flows'));
    ids.push(askOnce('hi'), askOnce('hi'));
    await until(() => ids.every(answered), 10_000);
    assert.match(person.parts(ids.at(-1) ?? '')[0]?.message ?? '', /being changed just then/);
    assert.ok(limits.takerWaitMs < 5_000);
  });

  for (const [what, flow] of [
    ['nothing is wired', () => withEcho('', { wires: [[]] })],
    ['all that is wired is disabled', () => withEcho().map((n) => (n.id === 'f' ? { ...n, d: true } : n))],
  ] as const) {
    it(`are answered at once in words when ${what}`, async () => {
      await load(modules, flow());
      const warned: string[] = [];
      node('in').on('call:warn', (call: { args: [string] }) => warned.push(call.args[0]));
      await listening();
      const id = await person.ask('hi');
      await until(() => answered(id), 2_000);
      assert.match(person.parts(id)[0]?.message ?? '', /nobody is there to answer/);
      assert.equal(warned.length, 1);
    });
  }

  it('that a flow of Node-RED’s own had are told when each node was made anew', async () => {
    await load(modules, withEcho());
    await listening();
    const [kept, lost] = [await person.ask('silence'), await person.ask('silence')];
    const last = await person.ask('hi');
    await until(() => answered(last));
    // No reply may still be on its way: its time would stand still, and nodes wait for it before they close.
    for (let told = -1; told !== person.order.length; await pause(200)) told = person.order.length;
    const clock = fakeClock(Date.now());
    useClock(clock);
    await deploy(withEcho('x'), 'full');
    await settle();
    const moot = {
      v: 1 as const,
      conversation: 'c',
      request: { id: kept, via: 'amica' as const },
      outcome: 'done' as const,
    };
    node('out').receive({ payload: 'after all', moot });
    await clock.advance(limits.replyGraceMs);
    await until(() => answered(kept) && answered(lost));
    assert.equal(person.parts(kept)[0]?.message, 'after all');
    assert.match(person.parts(lost)[0]?.message ?? '', /interrupted/);
  });
});
