import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onFakeTime } from '../../test/red/fake-time.ts';
import { call, commands, device, flow, light, modules } from '../../test/red/apply-flow.ts';
import { arrivals, deploy, load, node, settle, until, type FlowNode } from '../../test/red/red.ts';

describe('apply node: failures and restarts', () => {
  const clock = onFakeTime();
  let folder = '';
  /** A store that outlives its last user. */
  const kept = (more: object = {}): FlowNode[] =>
    flow({ backbone: 'b', ...more }, [{ id: 'b', type: 'folkmoot-backbone', storePath: folder }]);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'apply-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const receive = (message: object) => node('a').receive(message);
  const inTime = async (ms = 300) => {
    await settle();
    await clock().advance(ms);
    await settle();
  };

  it('reports a failure that Catch brings back in time, and the rest goes on', async () => {
    await load(
      modules,
      flow(
        { wires: [['report'], ['device'], ['mow']] },
        device('throw new Error("no answer on zigbee2mqtt/kitchen_light/set")', 'catch'),
      ),
    );
    const [report, mow] = [arrivals('report'), arrivals('mow')];
    receive(commands([light(), call('MowLawn')]));
    await inTime();
    assert.equal(
      report[0]?.payload,
      'Not done: Kitchen light at 40 %. The device did not take it: no answer on the kitchen light.\nFront lawn mown.',
    );
    assert.deepEqual(
      report[0]?.moot?.report?.map(({ state }) => state),
      ['failed', 'applied'],
    );
    assert.equal(mow.length, 1);
  });

  it('gives a second report, marked late, for a failure that comes later', async () => {
    const func = 'const back = () => node.error("no answer", msg); global.set("fail", back);';
    await load(modules, flow({ wires: [['report'], ['device'], ['mow']] }, device(func, 'catch')));
    const report = arrivals('report');
    receive(commands([light()]));
    await inTime();
    assert.equal(report.length, 1);
    (node('device') as never as { context(): { global: { get(key: string): () => void } } })
      .context()
      .global.get('fail')();
    await until(() => report.length === 2);
    assert.equal(report[1]?.moot?.late, true);
    assert.equal(
      report[1]?.payload,
      'Not done after all: Kitchen light at 40 %. The device did not take it: no answer.',
    );
    assert.equal(report[1]?.moot?.outcome, undefined);
    assert.equal(report[1]?.error, undefined);
  });

  it('takes what Complete brings back as done, so that the report need not wait', async () => {
    await load(modules, flow({ wires: [['report'], ['device'], ['mow']] }, device('return msg', 'complete')));
    const report = arrivals('report');
    receive(commands([light()]));
    await until(() => report.length === 1);
    await settle();
    assert.equal(report.length, 1);
    assert.deepEqual(
      report[0]?.moot?.report?.map(({ state }) => state),
      ['applied'],
    );
  });

  it('carries a command out once when its message comes twice, also after a deploy', async () => {
    await load(modules, kept());
    const message = commands([light()], { outcome: undefined });
    const lights = arrivals('light');
    receive(message);
    receive(structuredClone(message));
    await inTime();
    await deploy(kept({ name: 'other' }), 'nodes');
    const report = arrivals('report');
    receive(structuredClone(message));
    await inTime();
    assert.equal(lights.length, 1);
    assert.deepEqual(
      report.at(-1)?.moot?.report?.map(({ state }) => state),
      ['applied'],
    );
  });

  it('closes while it waits for failures; the next instance reports, and sends nothing again', async () => {
    await load(modules, kept());
    const [report, lights] = [arrivals('report'), arrivals('light')];
    receive({ ...commands([light()]), custom: 1 });
    // A store in a folder opens in its own time.
    await until(() => lights.length === 1);
    assert.deepEqual([lights.length, report.length], [1, 0]);
    await deploy(kept({ name: 'other' }), 'nodes');
    await until(() => report.length === 1);
    assert.equal(clock().waiting, 0);
    assert.equal(lights.length, 1);
    assert.equal(report[0]?.payload, 'Kitchen light at 40 %.');
    assert.deepEqual([report[0]?.topic, report[0]?.['custom']], ['home', 1]);
  });
});
