import assert from 'node:assert/strict';
import { onFakeTime } from '../../test/red/fake-time.ts';
import { call, commands, flow, light, modules, rows } from '../../test/red/apply-flow.ts';
import { arrivals, core, load, nextAt, node, onTab, settle, unload, until } from '../../test/red/red.ts';

describe('apply node', () => {
  const clock = onFakeTime();
  const receive = (message: object) => node('a').receive(message);
  const inTime = async (ms = 300) => {
    await settle();
    await clock().advance(ms);
    await settle();
  };

  it('sends each command to its row with typed values, then one report; topic, id and the rest survive', async () => {
    await load(modules, flow());
    const [report, lights, mow] = [arrivals('report'), arrivals('light'), arrivals('mow')];
    const mutations = [light('kitchen', '40'), call('MowLawn')];
    receive({ ...commands(mutations), _msgid: 'id1', custom: { kept: 1 } });
    await inTime();
    assert.deepEqual(lights[0]?.payload, { room: 'kitchen', brightness: 40 });
    assert.deepEqual(lights[0]?.moot, {
      v: 1,
      run: 'r1',
      conversation: 'c1',
      user: 'anna',
      mutations: [{ ...mutations[0], parameters: { room: 'kitchen', brightness: 40 } }],
      row: 1,
    });
    assert.equal(mow.length, 1);
    assert.equal(report.length, 1);
    for (const message of [lights[0], mow[0], report[0]])
      assert.deepEqual([message?._msgid, message?.topic, message?.['custom']], ['id1', 'home', { kept: 1 }]);
    assert.equal(report[0]?.payload, 'Kitchen light at 40 %.\nFront lawn mown.');
    assert.deepEqual(
      report[0]?.moot?.report?.map(({ state }) => state),
      ['applied', 'applied'],
    );
    assert.equal(report[0]?.moot?.outcome, 'done');
  });

  it('loads with defaults: passes words on as the report and refuses commands', async () => {
    await load(
      modules,
      onTab([
        { id: 'a', type: 'folkmoot-apply', wires: [['report']] },
        { id: 'report', type: 'helper' },
      ]),
    );
    const report = arrivals('report');
    receive({ payload: 'Which room?', topic: 't' });
    receive(commands([light()]));
    await until(() => report.length === 2);
    assert.deepEqual([report[0]?.payload, report[0]?.topic, report[0]?.moot?.report], ['Which room?', 't', []]);
    assert.deepEqual(
      report[1]?.moot?.report?.map(({ state }) => state),
      ['refused'],
    );
  });

  it('uses what all languages say when none is chosen', async () => {
    await load(modules, flow({ language: '' }));
    const lights = arrivals('light');
    receive(commands([light()]));
    await inTime();
    assert.equal(lights.length, 1);
  });

  it('shows a row whose function is gone in red, and sends nothing there', async () => {
    await load(modules, flow({ rows: [{ kind: 'function', target: 'SetLamp' }, rows[1]] }));
    await inTime();
    const status = (node('a').status as unknown as { args: [{ fill?: string }][] }).args.map(([state]) => state.fill);
    assert.deepEqual(status, ['red']);
    const [report, lights] = [arrivals('report'), arrivals('light')];
    receive(commands([light(), { ...light(), function: 'SetLamp' }]));
    await inTime();
    assert.equal(lights.length, 0);
    assert.deepEqual(
      report[0]?.moot?.report?.map(({ state }) => state),
      ['refused', 'refused'],
    );
  });

  it('does not say done of what nothing is connected to, whatever stands in between', async () => {
    const ends = {
      'no wire': [],
      'a node that is gone': ['gone'],
      'a junction that leads nowhere': ['j'],
    };
    for (const [what, next] of Object.entries(ends)) {
      const junction = { id: 'j', type: 'junction', wires: [[]] };
      await load(
        [...modules, ...core('junction')] as never[],
        flow({ wires: [['report'], next, ['mow']] }, [junction]),
      );
      const [report, mow] = [arrivals('report'), arrivals('mow')];
      receive(commands([light('kitchen', '40'), call('MowLawn')]));
      await inTime();
      assert.equal(mow.length, 1, what);
      assert.deepEqual(
        report[0]?.moot?.report?.map(({ state }) => state),
        ['refused', 'applied'],
        what,
      );
      assert.match(String(report[0]?.payload), /Nothing is connected here to carry it out\./);
      await unload();
    }
  });

  it('refuses a critical function unless its row says so', async () => {
    const critical = { kind: 'function', target: 'OpenDoor' };
    for (const runWithoutAsking of [false, true]) {
      await load(modules, flow({ rows: [{ ...critical, runWithoutAsking }] }));
      const [report, door] = [arrivals('report'), arrivals('light')];
      receive(commands([call('OpenDoor')]));
      await inTime();
      assert.equal(door.length, runWithoutAsking ? 1 : 0);
      assert.equal(report[0]?.moot?.report?.[0]?.state, runWithoutAsking ? 'applied' : 'refused');
      await unload();
    }
  });

  it('does not carry out what is only shown to an agent, nor what Catch brings from elsewhere', async () => {
    await load(modules, flow());
    const all = [arrivals('light'), arrivals('report'), arrivals('completed')];
    receive({ ...commands([light()]), _msgid: 'ask:r1/s1' });
    receive({ ...commands([light()], { outcome: undefined }), error: { message: 'agent failed' } });
    await inTime();
    assert.deepEqual(
      all.map(({ length }) => length),
      [0, 0, 1],
    );
  });

  it('ends a message that it cannot use at Catch with a code, and the next good one is carried out', async () => {
    await load(modules, flow());
    const [caught, lights] = [arrivals('caught'), arrivals('light')];
    for (const bad of [
      { payload: undefined },
      { payload: '' },
      { payload: 1, moot: 'x' },
      { payload: 1, moot: { v: 1, mutations: [{}] } },
      { payload: 1, moot: { v: 1, mutations: [light(), { ...light(), id: '' }] } },
    ])
      receive(bad);
    receive(commands([light()]));
    await inTime();
    assert.deepEqual(
      caught.map(({ error }) => (error as { code: string }).code),
      Array(5).fill('FOLKMOOT_BAD_INPUT'),
    );
    assert.equal(lights.length, 1);
  });

  it('says on input that a row is there twice, or a chosen node is missing', async () => {
    const broken = [
      [{ rows: [rows[0], rows[0]] }, 'FOLKMOOT_BAD_SETTING'],
      [{ language: 'gone' }, 'FOLKMOOT_MISSING_CONFIG'],
      [{ backbone: 'gone' }, 'FOLKMOOT_MISSING_CONFIG'],
      [{ policy: 'gone' }, 'FOLKMOOT_MISSING_CONFIG'],
    ] as const;
    for (const [settings, code] of broken) {
      await load(modules, flow(settings));
      const caught = nextAt('caught');
      receive(commands([light()]));
      assert.equal(((await caught).error as { code: string }).code, code);
      await unload();
    }
  });
});
