import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeClock, type FakeClock } from '../../engine/clock.ts';
import type { Mutation } from '../../engine/moot.ts';
import {
  arrivals,
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
  type FlowNode,
} from '../../test/red/red.ts';
import backbone from '../backbone/backbone.ts';
import language from '../language/language.ts';
import { runFeed, useClock } from '../shared/process.ts';
import blackboard from './blackboard.ts';

const modules = [blackboard, backbone, language, ...core('catch', 'complete')] as never[];
const spec = { description: 'x', risk: 'reversible', effect: true, repeatable: true, parameters: [] } as const;
const functions = [
  { ...spec, name: 'SetLight', category: 'lights' },
  { ...spec, name: 'MowLawn', category: 'garden' },
];
let folder = '';
const flow = (more: object = {}, others: readonly FlowNode[] = []) =>
  onTab([
    { id: 'store', type: 'folkmoot-backbone', storePath: folder },
    { id: 'lang', type: 'folkmoot-language', functions },
    {
      id: 'b',
      type: 'folkmoot-blackboard',
      backbone: 'store',
      language: 'lang',
      wires: [['board'], ['changes']],
      ...more,
    },
    { id: 'c', type: 'catch', scope: ['b'], uncaught: false, wires: [['caught']] },
    { id: 'k', type: 'complete', scope: ['b'], uncaught: false, wires: [['completed']] },
    ...['board', 'changes', 'caught', 'completed'].map((id) => ({ id, type: 'helper', wires: [] })),
    ...others,
  ]);
const mutation = (id: string, run = 'r1', name = 'MowLawn'): Mutation => ({
  id,
  run,
  function: name,
  parameters: {},
  risk: 'reversible',
});
const commands = (mutations: readonly Mutation[], more: object = {}) => ({
  topic: 'home',
  payload: 'words',
  moot: { v: 1, run: 'r1', conversation: 'c1', mutations, ...more } as never,
});
const ids = (list: unknown) => (list as Mutation[]).map(({ id }) => id);

describe('blackboard node', () => {
  let clock: FakeClock;
  before(startServer);
  after(stopServer);
  beforeEach(() => {
    clock = fakeClock();
    useClock(clock);
    folder = mkdtempSync(join(tmpdir(), 'board-'));
  });
  afterEach(async () => {
    await unload();
    useClock();
    rmSync(folder, { recursive: true });
    assert.equal(clock.waiting, 0);
  });
  const receive = (message: object) => node('b').receive(message);

  it('loads with defaults: writes what arrives, tells each change, and keeps topic, id and the rest', async () => {
    await load(
      modules,
      onTab([
        { id: 'b', type: 'folkmoot-blackboard', wires: [['board'], ['changes']] },
        ...['board', 'changes'].map((id) => ({ id, type: 'helper', wires: [] })),
      ]),
    );
    const [board, changes] = [arrivals('board'), arrivals('changes')];
    receive({ ...commands([mutation('a'), mutation('b')]), _msgid: 'id1', custom: { kept: 1 } });
    await until(() => board.length === 1);
    const [message] = board;
    assert.deepEqual(ids(message?.payload), ['a', 'b']);
    assert.deepEqual(ids(message?.moot?.mutations), ['a', 'b']);
    assert.deepEqual(
      [message?._msgid, message?.topic, message?.['custom'], message?.moot?.conversation],
      ['id1', 'home', { kept: 1 }, 'c1'],
    );
    assert.deepEqual(
      changes.map(({ payload, moot }) => [(payload as { mutation: Mutation }).mutation.id, moot]),
      [
        ['a', { v: 1, run: 'r1' }],
        ['b', { v: 1, run: 'r1' }],
      ],
    );
  });

  it('reads what it accepts, exports, clears and imports as the message says', async () => {
    await load(modules, flow({ operation: 'message', accepts: ['category:lights'] }));
    const say = async (operation: string, payload?: unknown) => {
      const board = nextAt('board');
      receive({ operation, payload, topic: 't', moot: { v: 1, conversation: 'c1' } });
      return (await board).payload;
    };
    receive(commands([mutation('a'), mutation('b', 'r1', 'SetLight')]));
    await nextAt('board');
    assert.deepEqual(ids(await say('read')), ['b']);
    const file = await say('export');
    assert.equal(typeof file, 'string');
    assert.deepEqual(await say('clear'), []);
    assert.deepEqual(await say('read'), []);
    assert.equal(((await say('import', file)) as unknown[]).length, 2);
    const warned = () =>
      (node('b') as unknown as { warn: { args: unknown[][] } }).warn.args.map(([said]) => String(said));
    assert.deepEqual(warned(), []);
    assert.equal(((await say('import', String(file).replaceAll('MowLawn', 'MowMoon'))) as unknown[]).length, 2);
    assert.match(warned().join(), /^1 of 2 commands .*MowMoon/);
  });

  it('keeps its boards over a deploy and those of conversations apart', async () => {
    await load(modules, flow());
    const board = arrivals('board');
    receive(commands([mutation('a')]));
    receive(commands([mutation('x', 'r2')], { run: 'r2', conversation: 'c2' }));
    await until(() => board.length === 2);
    await deploy(flow({ operation: 'read' }), 'nodes');
    receive({ payload: 1, moot: { v: 1, conversation: 'c1' } });
    receive({ payload: 1 });
    await until(() => board.length === 4);
    assert.deepEqual(
      board.map(({ payload }) => ids(payload)),
      [['a'], ['x'], ['a'], []],
    );
  });

  it('watches what other nodes write, filtered', async () => {
    const watcher = {
      id: 'w',
      type: 'folkmoot-blackboard',
      backbone: 'store',
      language: 'lang',
      operation: 'watch',
      accepts: ['SetLight'],
      wires: [[], ['seen']],
    };
    await load(modules, flow({}, [watcher, { id: 'seen', type: 'helper', wires: [] }]));
    await settle();
    const seen = arrivals('seen');
    receive(commands([mutation('a'), mutation('b', 'r1', 'SetLight')]));
    await until(() => seen.length === 1);
    assert.equal((seen[0]?.payload as { mutation: Mutation }).mutation.id, 'b');
    assert.deepEqual([seen[0]?.topic, seen[0]?.moot], ['mutation', { v: 1, run: 'r1' }]);
  });

  it('gives what it cannot use to Catch with a code, and the next good message works', async () => {
    await load(modules, flow({ operation: 'message' }));
    const [caught, board] = [arrivals('caught'), arrivals('board')];
    for (const bad of [
      { payload: 'text' },
      { payload: 1, operation: 'burn' },
      { payload: '{', operation: 'import' },
      { payload: 1, operation: 'gather' },
      { payload: 1, moot: 'x' },
      { payload: 1, moot: { v: 1, mutations: 'x' } },
    ])
      receive(bad);
    receive(commands([mutation('a')]));
    await until(() => board.length === 1 && caught.length === 6);
    assert.deepEqual(
      caught.map(({ error }) => (error as { code: string }).code),
      Array(6).fill('FOLKMOOT_BAD_INPUT'),
    );
  });

  it('says on input that chosen connections or a language are missing', async () => {
    for (const settings of [{ backbone: 'gone' }, { language: 'gone' }]) {
      await load(modules, flow(settings));
      const caught = nextAt('caught');
      receive(commands([mutation('a')]));
      assert.equal(((await caught).error as { code: string }).code, 'FOLKMOOT_MISSING_CONFIG');
      await unload();
    }
  });

  it('passes over what was asked of somebody else', async () => {
    await load(modules, flow());
    const all = [arrivals('board'), arrivals('completed')];
    receive({ ...commands([mutation('a')]), _msgid: 'ask:r1/s1' });
    await settle();
    assert.deepEqual(
      all.map(({ length }) => length),
      [0, 0],
    );
  });

  describe('as the end of a team', () => {
    const ended = (outcome: 'done' | 'cancelled' = 'done') => runFeed.ended({ run: 'r1', owner: 'router', outcome });
    /** Sends messages one by one, each when the board is through with the one before. */
    const gathered = async (...messages: object[]) => {
      const through = arrivals('completed');
      for (const [index, message] of messages.entries()) {
        receive(message);
        await until(() => through.length > index);
      }
    };
    const inTime = async (ms = 100) => {
      await settle();
      await clock.advance(ms);
      await settle();
    };

    it('emits once per run, when the run ends', async () => {
      await load(modules, flow({ operation: 'gather' }));
      const board = arrivals('board');
      await gathered(
        { ...commands([mutation('a')], { agent: 'lights', step: 's1' }), custom: 1 },
        commands([mutation('x', 'r2')], { run: 'r2' }),
      );
      ended();
      await gathered({ ...commands([mutation('b')]), custom: 2 });
      await inTime();
      ended();
      await gathered(commands([mutation('late')]));
      await inTime();
      assert.equal(board.length, 1);
      assert.deepEqual(ids(board[0]?.payload), ['a', 'b']);
      assert.deepEqual(
        [board[0]?.topic, board[0]?.['custom'], board[0]?.moot?.run, board[0]?.moot?.outcome],
        ['home', 2, 'r1', undefined],
      );
    });
    it('emits at its deadline', async () => {
      await load(modules, flow({ operation: 'gather', deadlineSeconds: 30 }));
      const board = arrivals('board');
      await gathered(commands([mutation('a')]));
      await inTime(29_999);
      assert.equal(board.length, 0);
      await inTime(1);
      assert.equal(board.length, 1);
    });
    it('says that a run was cancelled, so that nothing of it is done', async () => {
      await load(modules, flow({ operation: 'gather' }));
      const board = arrivals('board');
      await gathered(commands([mutation('a')]));
      ended('cancelled');
      await inTime();
      assert.equal(board[0]?.moot?.outcome, 'cancelled');
    });
    it('closes while it gathers, goes on after a deploy of nodes, and leaves nothing when it is removed', async () => {
      await load(modules, flow({ operation: 'gather' }));
      const board = arrivals('board');
      await gathered(commands([mutation('a')]));
      await deploy(flow({ operation: 'gather', name: 'other' }), 'nodes');
      await settle();
      await gathered(commands([mutation('b')]));
      ended();
      await inTime();
      assert.deepEqual(
        board.map(({ payload }) => ids(payload)),
        [['a', 'b']],
      );
      await gathered(commands([mutation('x', 'r9')], { run: 'r9' }));
      await deploy(flow({ operation: 'gather', d: true }), 'nodes');
      assert.equal(clock.waiting, 0);
    });
  });
});
