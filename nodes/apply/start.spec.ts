/** Handlers on wires, and what a message may say before anything runs (seed-contracts.md B9, rows 74 to 78). */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, commands, device, flow, light, modules } from '../../test/red/apply-flow.ts';
import { onFakeTime } from '../../test/red/fake-time.ts';
import { arrivals, deploy, load, node, settle, until, type FlowNode } from '../../test/red/red.ts';
import type { Mutation } from '../../engine/moot.ts';
import blackboard from '../blackboard/blackboard.ts';

const all = [...(modules as readonly unknown[]), blackboard] as never[];
const cancelled = 'That was cancelled, so nothing was done.';

describe('apply node: who carries out, and whether anything is', () => {
  const clock = onFakeTime();
  const receive = (message: object, at = 'a') => node(at).receive(message);
  const inTime = async (ms = 300) => {
    await settle();
    await clock().advance(ms);
    await settle();
  };
  const statesAt = (report: ReturnType<typeof arrivals>, at = 0) => report[at]?.moot?.report?.map(({ state }) => state);

  it('sends by the row of the function, else of its category, else of anything else, else tells', async () => {
    const rows = [{ kind: 'else' }, { kind: 'category', target: 'lights' }, { kind: 'function', target: 'MowLawn' }];
    const wires = [['report'], ['other'], ['light'], ['mow']];
    const others = [{ id: 'other', type: 'helper', wires: [] }];
    await load(all, flow({ rows, outputs: 4, wires }, others));
    const ports = ['other', 'light', 'mow'].map(arrivals);
    const report = arrivals('report');
    receive(commands([light(), call('MowLawn'), call('WaterPlants')]));
    await inTime();
    assert.deepEqual(
      ports.map((port) => port.map(({ moot }) => moot?.mutations?.[0]?.function)),
      [['WaterPlants'], ['SetLight'], ['MowLawn']],
    );
    assert.deepEqual(statesAt(report), ['applied', 'applied', 'applied']);
    await deploy(flow({ rows: rows.slice(1), wires: [['report'], ['light'], ['mow']] }), 'full');
    const told = arrivals('report');
    receive(commands([call('WaterPlants')]));
    await inTime();
    assert.equal(told[0]?.payload, 'Not done: Plants watered. Nothing is set up here to carry it out.');
  });

  it('refuses two rows for the same at deploy, in words', async () => {
    const twice = [
      [{ kind: 'function', target: 'MowLawn' }, 'There are two rows for MowLawn; each may be there once.'],
      [{ kind: 'category', target: 'lights' }, 'There are two rows for lights; each may be there once.'],
      [{ kind: 'else' }, 'There are two rows for anything else; each may be there once.'],
    ] as const;
    await load(all, flow());
    for (const [row, words] of twice) {
      await deploy(flow({ rows: [row, row] }), 'full');
      const errors = (node('a').error as unknown as { args: [Error][] }).args.map(([error]) => error.message);
      assert.equal(errors.at(-1), `${words} Open the node, correct the setting and deploy.`);
      const status = (node('a').status as unknown as { args: [{ fill?: string }][] }).args.map(([state]) => state.fill);
      assert.equal(status.at(-1), 'red');
    }
  });

  it('collects what fails and goes on: the one in the middle throws, the others are done', async () => {
    const failing = device('if (msg.payload.room === "hall") throw new Error("no answer"); return msg;', 'catch');
    await load(all, flow({ wires: [['report'], ['device'], ['mow']] }, failing));
    const [report, lights, mow] = [arrivals('report'), arrivals('light'), arrivals('mow')];
    receive(commands([light(), light('hall'), call('MowLawn')]));
    await inTime();
    assert.deepEqual(statesAt(report), ['applied', 'failed', 'applied']);
    assert.deepEqual([lights.length, mow.length, report.length], [1, 1, 1]);
  });

  it('does nothing when the message says so, and knows nothing of it when the same comes again', async () => {
    await load(all, flow());
    const [report, lights, mow] = [arrivals('report'), arrivals('light'), arrivals('mow')];
    const message = commands([light(), call('MowLawn')]);
    receive({ ...structuredClone(message), cancel: true });
    await inTime();
    assert.deepEqual([lights.length, mow.length], [0, 0]);
    assert.equal(report[0]?.payload, cancelled);
    assert.deepEqual(report[0]?.moot?.report?.[1], {
      id: message.moot['mutations'][1]?.['id'],
      function: 'MowLawn',
      state: 'refused',
      reason: cancelled,
    });
    receive({ ...structuredClone(message), cancel: false });
    await inTime();
    assert.deepEqual([lights.length, mow.length], [1, 1]);
  });

  it('takes nothing but true and false for an answer to that, and lets words pass', async () => {
    await load(all, flow());
    const [report, lights, caught] = [arrivals('report'), arrivals('light'), arrivals('caught')];
    receive({ ...commands([light()]), cancel: 'yes' });
    receive({ payload: 'Which room?', cancel: true });
    await inTime();
    assert.equal((caught[0]?.error as { code: string }).code, 'FOLKMOOT_BAD_INPUT');
    assert.deepEqual([lights.length, report.map(({ payload }) => payload)], [0, ['Which room?']]);
  });

  describe('from a fresh start', () => {
    let folder = '';
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'apply-'));
    });
    afterEach(() => rmSync(folder, { recursive: true }));
    const house = (more: object = {}): FlowNode[] =>
      flow({ backbone: 'b', ...more }, [
        { id: 'b', type: 'folkmoot-backbone', storePath: folder },
        {
          ...{ id: 'board', type: 'folkmoot-blackboard', operation: 'message', backbone: 'b', language: 'lang' },
          wires: [['kept'], []],
        },
        { id: 'kept', type: 'helper', wires: [] },
      ]);
    const fresh = (more: object = {}) => ({ operation: 'fresh start', moot: { v: 1, conversation: 'c1' }, ...more });
    /** Puts commands on the conversation's board and carries them out. */
    async function done(mutations: readonly Mutation[]) {
      const [kept, report] = [arrivals('kept'), arrivals('report')];
      receive(commands(mutations), 'board');
      await until(() => kept.length === 1);
      receive(commands(mutations));
      await until(() => clock().waiting > 0);
      await inTime();
      await until(() => report.length === 1);
    }
    const reported = async (report: readonly unknown[], count: number) => {
      await until(() => clock().waiting > 0);
      await inTime();
      await until(() => report.length === count);
    };

    it('does once more all that is on the board, once for each message that says so, also after a restart', async () => {
      await load(all, house());
      await done([light(), call('MowLawn')]);
      let [report, lights, mow] = [arrivals('report'), arrivals('light'), arrivals('mow')];
      receive(fresh({ _msgid: 'first', payload: 1764561600000 }));
      await reported(report, 1);
      assert.deepEqual([lights.length, mow.length], [1, 1]);
      assert.equal(
        report[0]?.payload,
        '2 things from before were done again.\nNot meant to be done twice, and done again: Front lawn mown.',
      );
      // Neither a device nor a board behind takes it for something else.
      assert.deepEqual([lights[0]?.['operation'], report[0]?.['operation']], [undefined, undefined]);
      assert.deepEqual(report[0]?.moot?.mutations, []);
      await deploy(house({ name: 'other' }), 'nodes');
      [report, lights, mow] = [arrivals('report'), arrivals('light'), arrivals('mow')];
      receive(fresh({ _msgid: 'first' }));
      await until(() => report.length === 1);
      assert.deepEqual([lights.length, mow.length], [0, 0]);
      receive(fresh({ _msgid: 'second' }));
      await reported(report, 2);
      assert.deepEqual([lights.length, mow.length], [1, 1]);
    });

    it('goes on with it after a deploy in its middle: the next instance reports, and sends nothing again', async () => {
      await load(all, house());
      await done([light(), call('MowLawn')]);
      const [report, lights, mow] = [arrivals('report'), arrivals('light'), arrivals('mow')];
      receive(fresh({ _msgid: 'first' }));
      await until(() => mow.length === 1);
      await deploy(house({ name: 'other' }), 'nodes');
      await until(() => report.length === 1);
      assert.deepEqual([lights.length, mow.length], [1, 1]);
      assert.match(String(report[0]?.payload), /^2 things from before were done again\./);
      assert.deepEqual(report[0]?.moot?.mutations, []);
    });

    it('does the new commands of a run after the earlier ones', async () => {
      await load(all, house());
      await done([light()]);
      const [report, lights] = [arrivals('report'), arrivals('light')];
      const hall = { ...light('hall', 5), run: 'r2' };
      receive({ ...commands([hall], { run: 'r2' }), operation: 'fresh start' });
      await reported(report, 1);
      assert.deepEqual(
        lights.map(({ payload }) => payload),
        [
          { room: 'kitchen', brightness: 40 },
          { room: 'hall', brightness: 5 },
        ],
      );
      assert.equal(report[0]?.payload, 'One thing from before was done again.\nHall light at 5 %.');
    });

    it('is cancelled like anything else, says that there is nothing, and needs to know what', async () => {
      await load(all, house());
      await done([light()]);
      const [report, lights, caught] = [arrivals('report'), arrivals('light'), arrivals('caught')];
      receive(fresh({ cancel: true }));
      await until(() => report.length === 1);
      receive(fresh({ moot: { v: 1, conversation: 'another' } }));
      await until(() => report.length === 2);
      assert.deepEqual(
        report.map(({ payload }) => payload),
        [cancelled, 'There is nothing from before that could be done again.'],
      );
      receive({ operation: 'fresh start', payload: '' });
      await until(() => caught.length === 1);
      assert.equal((caught[0]?.error as { code: string }).code, 'FOLKMOOT_BAD_INPUT');
      assert.equal(lights.length, 0);
    });
  });
});
