/** Streams, talk on them and shared work, in a real Node-RED with a real server; a program of others knows only its commands. */
import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import { startValkey, type TestValkey } from '../../test/valkey-server.ts';
import { fakeClock } from '../../engine/clock.ts';
import {
  arrivals,
  core,
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
import agentNode from '../agent/agent.ts';
import backboneNode from '../backbone/backbone.ts';
import busOutNode from '../bus-out/bus-out.ts';
import modelNode from '../model/model.ts';
import { useClock } from '../shared/process.ts';
import type { RedMessage } from '../shared/red.ts';
import busInNode from './bus-in.ts';

const modules = [agentNode, backboneNode, busInNode, busOutNode, modelNode, ...core('function', 'catch')] as never[];
const quick = { mode: 'stream', form: 'talk', backbone: 'b', cooldownSeconds: 0 };

describe('streams in a flow', function () {
  this.timeout(30_000);
  let server: TestValkey;
  let python: Redis;
  before(async () => {
    server = await startValkey();
    const { Redis: Client } = await import('ioredis');
    python = new Client(server.port, '127.0.0.1');
    await startServer();
  });
  after(async () => {
    await stopServer();
    python.disconnect();
    await server.stop();
  });
  beforeEach(async () => void (await python.flushall()));
  afterEach(async () => {
    useClock();
    await unload();
  });

  const flow = (nodes: readonly FlowNode[], connections: object = {}): FlowNode[] => [
    {
      id: 'b',
      type: 'folkmoot-backbone',
      bus: 'valkey-streams',
      busUrl: server.url,
      storePath: ':memory:',
      ...connections,
    },
    ...onTab([
      ...nodes,
      { id: 'c', type: 'catch', scope: null, uncaught: false, wires: [['caught']] },
      ...['seen', 'caught'].map((id) => ({ id, type: 'helper', wires: [] })),
    ]),
  ];
  /** As node ends, of each entry. */
  const lines = async (key = 'townhall') =>
    (await python.xrange(key, '-', '+')).map(([, [, role, , text]]) => `${role}: ${text}`);
  const isSo = async (what: () => Promise<boolean>, ms = 5_000) => {
    const end = Date.now() + ms;
    while (!(await what())) {
      assert.ok(Date.now() < end, `not within ${ms} ms: ${String(what)}`);
      await settle();
    }
  };
  const groups = async (key: string) =>
    ((await python.call('XINFO', 'GROUPS', key).catch(() => [])) as unknown[][]).map((row) => String(row[1]));
  const pending = async (key: string, group: string) => Number((await python.xpending(key, group))[0]);
  const echo = "msg.payload = 'I heard ' + msg.stream.entries.length; return msg;";

  it('let roles of two flows and a program of others talk, from the first line on', async () => {
    await python.xadd('townhall', '*', 'role', 'Ghost', 'text', 'of an earlier evening');
    const seat = (id: string, role: string, more: object) => [
      {
        id,
        type: 'folkmoot-bus-in',
        ...quick,
        stream: 'key:townhall',
        role,
        replyLimit: 1,
        clearAtStart: true,
        ...more,
        wires: [[`f-${id}`, 'seen']],
      },
      { id: `f-${id}`, type: 'function', func: echo, outputs: 1, wires: [[`out-${id}`]] },
      { id: `out-${id}`, type: 'folkmoot-bus-out', mode: 'stream', backbone: 'b', wires: [] },
    ];
    const kickoff = { kickoff: 'Bandits in the woods.', kickoffRole: 'Captain' };
    await load(modules, flow([...seat('mayor', 'Mayor', kickoff), ...seat('judge', 'Judge', kickoff)]));
    const seen = arrivals('seen');
    await isSo(async () => (await lines()).length >= 3);
    await python.xadd('townhall', '*', 'role', 'Villager', 'text', 'Help!');
    await isSo(async () => (await pending('townhall', 'Mayor')) + (await pending('townhall', 'Judge')) === 0);
    const said = await lines();
    assert.equal(said[0], 'Captain: Bandits in the woods.');
    assert.equal(said.filter((line) => line.startsWith('Captain')).length, 1);
    assert.deepEqual(
      ['Mayor', 'Judge'].map((role) => said.filter((line) => line.startsWith(role)).length),
      [1, 1],
    );
    const [first] = seen as [RedMessage];
    assert.match(String(first.payload), /^Captain: Bandits/);
    assert.equal(first.moot?.request?.via, 'stream');
    assert.equal(first.moot?.user, 'Captain');
    const names = (await python.xrange('townhall', '-', '+')).map(([, fields]) =>
      fields.filter((_, at) => at % 2 === 0),
    );
    assert.deepEqual(
      names,
      said.map(() => ['role', 'text']),
    );
  });

  it('let an agent speak, and say the fallback line when its model fails', async () => {
    const nodes = (model: string) => [
      {
        id: 'in',
        type: 'folkmoot-bus-in',
        ...quick,
        stream: 'key:townhall',
        role: 'Mayor',
        fallbackLine: 'Mon dieu.',
        wires: [['a']],
      },
      {
        id: 'a',
        type: 'folkmoot-agent',
        name: 'mayor',
        agentId: 'mayor',
        model,
        backbone: 'b',
        wires: [['out'], ['out'], [], []],
      },
      { id: 'out', type: 'folkmoot-bus-out', mode: 'reply', backbone: 'b', wires: [] },
    ];
    const canned = {
      id: 'good',
      type: 'folkmoot-model',
      provider: 'scripted',
      script: [{ task: 'generate', answer: { message: 'I have a plan.', calls: [] } }],
    };
    const broken = {
      id: 'bad',
      type: 'folkmoot-model',
      provider: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:9',
      modelName: 'x',
    };
    for (const [model, words] of [
      ['good', 'I have a plan.'],
      ['bad', 'Mon dieu.'],
    ] as const) {
      await load(modules, [canned, broken, ...flow(nodes(model))]);
      await isSo(async () => (await groups('townhall')).includes('Mayor'));
      await python.xadd('townhall', '*', 'role', 'Villager', 'text', 'What shall we do?');
      await isSo(async () => (await lines()).length === 2, 15_000);
      assert.equal((await lines())[1], `Mayor: ${words}`);
      await unload();
      await python.flushall();
    }
  });

  it('pause between two replies as long as the flow says', async () => {
    const clock = fakeClock();
    const [wires, mayor] = [[['f']], { role: 'Mayor', stream: 'key:townhall', cooldownSeconds: 60 }];
    await load(
      modules,
      flow([
        { id: 'in', type: 'folkmoot-bus-in', ...quick, ...mayor, wires },
        { id: 'f', type: 'function', func: echo, outputs: 1, wires: [['out']] },
        { id: 'out', type: 'folkmoot-bus-out', mode: 'stream', backbone: 'b', wires: [] },
      ]),
    );
    await isSo(async () => (await groups('townhall')).includes('Mayor'));
    useClock(clock);
    const spoken = async () => (await lines()).filter((line) => line.startsWith('Mayor')).length;
    const say = async (text: string) => (await python.xadd('townhall', '*', 'role', 'Villager', 'text', text)) ?? '';
    const inWork = async (id: string) => (await python.xpending('townhall', 'Mayor', id, id, 1)).length;
    const first = await say('one');
    // Once that is acknowledged, it pauses.
    await isSo(async () => (await spoken()) === 1 && (await inWork(first)) === 0);
    const pauses = (ms: number) => clock.left.filter((left) => left === ms).length;
    const before = pauses(60_000);
    const second = await say('two');
    await isSo(async () => (await inWork(second)) === 1 && pauses(60_000) === before + 1);
    await clock.advance(59_999);
    assert.deepEqual([pauses(1), await spoken()], [before + 1, 1]);
    await clock.advance(1);
    await isSo(async () => (await spoken()) === 2);
  });

  it('give entries one by one, to those who share the work once between them, and acknowledge them', async () => {
    const worker = (id: string, more: object = {}) => ({
      ...{ id, type: 'folkmoot-bus-in', mode: 'stream', stream: 'jobs', form: 'entries', backbone: 'b' },
      ...{ shareWork: true, shareName: 'workers', ...more, wires: [['seen']] },
    });
    await load(modules, flow([worker('one'), worker('two'), worker('all', { shareWork: false, role: 'watcher' })]));
    const seen = arrivals('seen');
    await isSo(async () => (await groups('folkmoot:stream:jobs')).length === 2);
    for (let n = 0; n < 10; n += 1) await python.xadd('folkmoot:stream:jobs', '*', 'payload', `{"n":${n}}`);
    await python.xadd('folkmoot:stream:jobs', '*', 'text', 'words', 'role', 'ana');
    await until(() => seen.length === 22);
    await isSo(async () => (await pending('folkmoot:stream:jobs', 'workers')) === 0);
    const numbers = seen.flatMap(({ payload }) => (payload as { n?: number }).n ?? []).sort((a, b) => a - b);
    assert.deepEqual(numbers, Array.from({ length: 10 }, (_, n) => [n, n]).flat());
    const words = seen.find(({ payload }) => (payload as { text?: string }).text);
    assert.deepEqual([words?.payload, words?.moot?.user], [{ text: 'words', role: 'ana' }, 'ana']);
  });

  it('are written by bus out: the properties of a payload, one value, or a role and words', async () => {
    const out = (id: string, more: object) => ({
      id,
      type: 'folkmoot-bus-out',
      mode: 'stream',
      backbone: 'b',
      wires: [],
      ...more,
    });
    await load(
      modules,
      flow([
        out('entry', { stream: 'jobs' }),
        out('talk', { stream: 'key:townhall', form: 'talk', role: 'Mayor' }),
        out('blank', {}),
      ]),
    );
    node('entry').receive({ payload: { kind: 'mow', minutes: 20, where: ['front', 'back'] } });
    node('entry').receive({ payload: 'just words' });
    node('talk').receive({ payload: 'Order!' });
    const caught = arrivals('caught');
    node('blank').receive({ payload: 'to whom?' });
    await isSo(async () => (await python.xlen('folkmoot:stream:jobs')) === 2 && (await python.xlen('townhall')) === 1);
    const [first, second] = await python.xrange('folkmoot:stream:jobs', '-', '+');
    assert.deepEqual(first?.[1], ['kind', 'mow', 'minutes', '20', 'where', '["front","back"]']);
    assert.deepEqual(second?.[1], ['payload', 'just words']);
    assert.deepEqual(await lines(), ['Mayor: Order!']);
    await until(() => caught.length === 1);
    assert.equal((caught[0]?.error as { code: string }).code, 'FOLKMOOT_BAD_INPUT');
  });

  it('are refused in words without a Valkey server', async () => {
    const inside = { bus: 'in-process', busUrl: '' };
    await load(
      modules,
      flow([{ id: 'in', type: 'folkmoot-bus-in', ...quick, stream: 'jobs', wires: [['seen']] }], inside),
    );
    const spy = node('in') as unknown as { error: { args: unknown[][] } };
    await until(() => spy.error.args.length > 0);
    assert.match(String(spy.error.args[0]?.[0]), /A stream needs a Valkey server/);
  });

  it('share the messages of a topic inside one Node-RED too', async () => {
    const taker = (id: string) => ({
      ...{
        id,
        type: 'folkmoot-bus-in',
        mode: 'topic',
        topic: 'jobs/#',
        shareWork: true,
        backbone: 'b',
        wires: [['seen']],
      },
    });
    const out = { id: 'out', type: 'folkmoot-bus-out', mode: 'topic', topic: 'jobs/mow', backbone: 'b', wires: [] };
    for (const connections of [{ bus: 'in-process', busUrl: '' }, {}]) {
      await load(modules, flow([taker('one'), taker('two'), out], connections));
      const seen = arrivals('seen');
      await isSo(
        async () =>
          connections.bus === 'in-process' ||
          (await groups('folkmoot:stream:bus')).some((name) => name.startsWith('share:')),
      );
      await settle();
      for (let n = 0; n < 10; n += 1) node('out').receive({ payload: n });
      await until(() => seen.length >= 10);
      await settle();
      assert.equal(seen.length, 10);
      await unload();
    }
  });
});
