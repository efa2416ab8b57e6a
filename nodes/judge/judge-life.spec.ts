/** What becomes of a debate when wires lead back, nodes are made anew, or somebody stops it. */
import assert from 'node:assert/strict';
import {
  aDebateOnWires,
  between,
  called,
  comfort,
  config,
  costs,
  debate,
  ends,
  judge,
  lost,
  measure,
  modules,
  temperature,
} from '../../test/red/debate-flow.ts';
import { arrivals, deploy, load, nextAt, node, onTab, settle, unload, until } from '../../test/red/red.ts';
import { askRegistry, runFeed, type RunEnded } from '../shared/process.ts';

const catcher = { id: 'c', type: 'catch', scope: ['judge'], uncaught: false, wires: [['caught']] };
/** What is asked of the cost agent takes a while. */
const slow = between('slow', 'setTimeout(() => node.send(msg), 150);', 'costs');

describe('the life of a debate', function () {
  this.timeout(20_000);
  const time = aDebateOnWires();

  it('follows the run of a router, with its conversation, and begins none of its own when it is wired back', async () => {
    const back = debate({}, [catcher]).map((n) => (n.id === 'comfort' ? { ...n, wires: [['judge'], [], [], []] } : n));
    await load(modules, back);
    const caught = nextAt('caught');
    const results = arrivals('result');
    const before = { run: 'before', depth: 1, conversation: 'c1', user: 'anna', outcome: 'done', plan: {} };
    measure(17, { moot: { v: 1, event: [temperature(17)], ...before } });
    assert.equal(((await caught).error as { code: string }).code, 'FOLKMOOT_LOOP');
    await until(() => results.length === 1);
    await settle(50);
    assert.equal(results.length, 1);
    const moot = results[0]?.moot;
    assert.deepEqual([moot?.parent, moot?.depth, moot?.conversation, moot?.user], ['before', 2, 'c1', 'anna']);
    assert.notEqual(moot?.run, 'before');
    assert.equal(moot?.plan, undefined);
  });

  it('goes on after its judge was made anew in the middle, and nobody is asked twice for what was said', async () => {
    const flow = [
      ...config(),
      ...onTab([
        judge(['tap', 'slow']),
        { ...between('tap', 'node.send(msg);', 'comfort'), wires: [['comfort', 'copy']] },
        slow,
        comfort(),
        costs(),
        ...ends,
        { id: 'copy', type: 'helper', wires: [] },
      ]),
    ];
    await load(modules, flow);
    const asked = arrivals('copy');
    measure(17);
    await until(() => askRegistry.pending === 1);
    await settle(50);
    const result = nextAt('result');
    await deploy(
      flow.map((n) => (n.id === 'judge' ? { ...n, criteria: 'changed' } : n)),
      'nodes',
    );
    const message = await result;
    assert.deepEqual([message.topic, called(message.moot).length], ['sensor', 1]);
    assert.deepEqual(
      asked.flatMap(({ moot }) => (moot?.ask?.to === 'comfort' ? [moot.step] : [])),
      ['r1-comfort', 'r2-comfort'],
    );
  });

  it('asks an agent again that was made anew in the middle', async () => {
    const flow = [
      ...config(),
      ...onTab([judge(['comfort', 'slow'], { rounds: 1 }), slow, comfort(), costs(), ...ends]),
    ];
    await load(modules, flow);
    const result = nextAt('result');
    measure(17);
    await until(() => askRegistry.pending === 1);
    await deploy(
      flow.map((n) => (n.id === 'costs' ? { ...n, description: 'changed' } : n)),
      'nodes',
    );
    assert.deepEqual((await result).moot?.verdict?.votes, { 'Heat.': 0.9, 'Save.': 0.4 });
  });

  it('is cancelled by an answer that says so, and by Catch when nothing is wired to otherwise', async () => {
    for (const wires of [['fallback'], []]) {
      await load(modules, [
        ...config(),
        ...onTab([
          judge([], { wires: [['result'], wires, ['events'], ['comfort', 'lost']] }),
          lost,
          comfort(),
          costs(),
          ...ends,
          catcher,
        ]),
      ]);
      const events = arrivals('events');
      const end = nextAt(wires.length ? 'fallback' : 'caught');
      measure(17);
      await until(() => askRegistry.pending === 1);
      await settle();
      const run = events[0]?.moot?.run ?? '';
      node('judge').receive({ payload: '', moot: { v: 1, answer: { run, decision: 'cancel' } } });
      const { moot, payload } = await end;
      assert.deepEqual([moot?.outcome, moot?.verdict, payload], ['cancelled', undefined, 'It was stopped.']);
      assert.equal(askRegistry.pending, 0);
      if (wires.length) await unload();
    }
  });

  it('ends at its time limit, and as cancelled when its judge is deleted', async () => {
    const flow = [
      ...config(),
      ...onTab([judge(['comfort', 'lost'], { deadlineSeconds: 10 }), lost, comfort(), costs(), ...ends]),
    ];
    await load(modules, flow);
    const end = nextAt('fallback');
    measure(17);
    await until(() => askRegistry.pending === 1);
    await settle();
    await time.clock().advance(10_000);
    assert.equal((await end).moot?.outcome, 'timeout');
    const ended: RunEnded[] = [];
    const stop = runFeed.onEnded((run) => ended.push(run));
    measure(17);
    await until(() => askRegistry.pending === 1);
    await settle();
    await deploy(
      flow.filter(({ id }) => id !== 'judge'),
      'nodes',
    );
    await until(() => ended.length === 1);
    assert.deepEqual(
      ended.map(({ owner, outcome }) => [owner, outcome]),
      [['judge', 'cancelled']],
    );
    stop();
  });

  it('lets a debate wait for its turn, or drops it, as set', async () => {
    await load(modules, debate({ overlap: 'single' }));
    const [verdicts, dropped] = [arrivals('result'), arrivals('fallback')];
    measure(17);
    measure(20.5);
    await until(() => verdicts.length === 1 && dropped.length === 1);
    assert.deepEqual([dropped[0]?.moot?.outcome, dropped[0]?.moot?.reason], ['cancelled', 'overlap']);
  });
});
