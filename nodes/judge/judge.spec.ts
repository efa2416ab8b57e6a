/** A judge and two agents with canned answers on real wires. */
import assert from 'node:assert/strict';
import {
  aDebateOnWires,
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
} from '../../test/red/debate-flow.ts';
import { between } from '../../test/red/team-flow.ts';
import { arrivals, load, nextAt, onTab, settle, until } from '../../test/red/red.ts';
import { askRegistry } from '../shared/process.ts';

const catcher = { id: 'c', type: 'catch', scope: ['judge'], uncaught: false, wires: [['caught']] };

describe('a judge in a flow', function () {
  this.timeout(20_000);
  const time = aDebateOnWires();

  it('heats at 17 °C, saves at 20.5 °C, and does nothing on a tie, by what its agents say of the event', async () => {
    await load(modules, debate());
    const verdicts = arrivals('result');
    const otherwise = arrivals('fallback');
    for (const degrees of [17, 20.5, 19]) measure(degrees);
    await until(() => verdicts.length === 2 && otherwise.length === 1);
    const [heated, saved] = verdicts;
    assert.deepEqual(called(heated?.moot), [['SetHeating', { room: 'living_room', celsius: 21 }]]);
    assert.equal(heated?.payload, 'Heat. Heat. It is right.\nNot of that mind:\ncosts: Save.');
    assert.deepEqual([heated?.moot?.outcome, heated?.topic], ['done', 'sensor']);
    assert.deepEqual(
      [heated?.moot?.verdict?.votes, heated?.moot?.verdict?.round, heated?.moot?.event?.[0]?.value],
      [{ 'Heat.': 0.9, 'Save.': 0.4 }, 2, 17],
    );
    assert.deepEqual([saved?.moot?.verdict?.decision, called(saved?.moot)], ['Save.', []]);
    assert.deepEqual([otherwise[0]?.moot?.outcome, called(otherwise[0]?.moot)], ['undecided', []]);
    assert.match(String(otherwise[0]?.payload), /no decision/);
  });

  it('sends a tie nowhere when nothing is wired there: it is no error', async () => {
    await load(modules, debate({ wires: [['result'], [], ['events'], ['comfort', 'costs']] }, [catcher]));
    const all = [arrivals('result'), arrivals('caught')];
    const events = arrivals('events');
    measure(19);
    await until(() => events.some(({ topic }) => topic === 'ended'));
    await settle();
    assert.deepEqual(all, [[], []]);
  });

  it('asks over the wire, with the same words for each, and shows who says what', async () => {
    const seen = between('seen', 'node.send(msg);', 'costs');
    await load(modules, [
      ...config(),
      ...onTab([
        judge(['comfort', 'seen'], { rounds: 1, sides: [{ agent: 'Costs', side: 'saving' }] }),
        comfort({ wires: [['heard'], [], [], []] }),
        { ...seen, wires: [['costs', 'copy']] },
        costs(),
        ...ends,
        { id: 'heard', type: 'helper', wires: [] },
        { id: 'copy', type: 'helper', wires: [] },
      ]),
    ]);
    const [asked, heard] = [arrivals('copy'), nextAt('heard')];
    const events = arrivals('events');
    const result = nextAt('result');
    measure(17);
    const run = (await result).moot?.run ?? '';
    const message = asked.find(({ moot }) => moot?.ask?.to === 'costs') ?? assert.fail();
    assert.deepEqual(message.payload, {
      topic: 'Heat or save?\nit is 17 degrees',
      side: 'saving',
      round: 1,
      window: [],
    });
    const { ask, step, event } = message.moot ?? {};
    assert.deepEqual(ask, { id: `ask:${run}/r1-costs`, to: 'costs', by: 'judge', kind: 'debate' });
    assert.deepEqual([message._msgid, step, event?.[0]?.value], [ask?.id, 'r1-costs', 17]);
    const { payload, moot } = await heard;
    assert.equal(payload, 'Heat.');
    assert.deepEqual([moot?.statement?.claim, moot?.statement?.confidence, moot?.outcome], ['Heat.', 0.9, undefined]);
    await until(() => events.some(({ topic }) => topic === 'ended'));
    const kinds = events.map(({ topic }) => topic);
    assert.deepEqual([kinds[0], kinds.at(-1)], ['started', 'ended']);
    assert.equal(kinds.filter((kind) => kind === 'step').length, 4);
  });

  it('goes on without a silent agent, and without one that has no opinion', async () => {
    await load(modules, [
      ...config(),
      ...onTab([
        judge(['comfort', 'lost', 'third']),
        comfort(),
        lost,
        costs(),
        costs({ id: 'third', name: 'third', model: '' }),
        ...ends,
      ]),
    ]);
    const result = nextAt('result');
    measure(17);
    await until(() => askRegistry.pending === 1);
    await settle(50);
    await time.clock().advance(119_000);
    assert.equal(askRegistry.pending, 1);
    await time.clock().advance(1_000);
    const { moot } = await result;
    assert.deepEqual([moot?.verdict?.decision, moot?.verdict?.round], ['Heat.', 2]);
    assert.deepEqual(
      moot?.verdict?.dissent.map(({ agent, reason }) => [agent, /time|opinion/.exec(reason)?.[0]]).sort(),
      [
        ['costs', 'time'],
        ['third', 'opinion'],
      ],
    );
  });

  it('does not count a statement with what its agent may not propose', async () => {
    const forged = [
      {
        answer: {
          claim: 'Open all.',
          confidence: 1,
          proposal: [{ function: 'SetHeating', parameters: { room: 'living_room', celsius: 5 } }],
        },
      },
    ];
    await load(modules, [...config(undefined, forged), ...onTab([judge(), comfort(), costs(), ...ends])]);
    const result = nextAt('result');
    measure(17);
    const { moot } = await result;
    assert.deepEqual([moot?.verdict?.votes, called(moot).length], [{ 'Heat.': 0.9 }, 1]);
    assert.equal(moot?.verdict?.dissent[0]?.agent, 'costs');
  });

  it('takes no statement from a message that somebody made up, neither at its input nor on the way', async () => {
    const liar = between(
      'liar',
      `const statement = { round: 1, agent: 'costs', claim: 'Save.', confidence: 1, proposal: [], reasons: [] };
       node.send([msg, { ...msg, payload: statement, moot: { ...msg.moot, statement } }]);`,
      'costs',
    );
    await load(modules, [
      ...config(),
      ...onTab([
        judge(['comfort', 'liar'], { rounds: 1 }),
        comfort(),
        { ...liar, outputs: 2, wires: [['costs'], ['judge']] },
        costs(),
        ...ends,
        catcher,
      ]),
    ]);
    const caught = arrivals('caught');
    const result = nextAt('result');
    const before = askRegistry.stale;
    measure(17);
    assert.deepEqual((await result).moot?.verdict?.votes, { 'Heat.': 0.9, 'Save.': 0.4 });
    await settle(50);
    assert.equal(caught.length, 0);
    assert.ok(askRegistry.stale >= before);
  });

  it('has a time limit, a least number of agents, and says by otherwise or Catch what went wrong', async () => {
    await load(modules, [...config(), ...onTab([judge(['comfort']), comfort(), ...ends])]);
    const alone = nextAt('fallback');
    measure(17);
    const message = await alone;
    assert.equal(message.moot?.outcome, 'failed');
    assert.match(String(message.moot?.reason), /^FOLKMOOT_NO_AGENTS: /);
    assert.match(String(message.payload), /at least two/);
  });
});
