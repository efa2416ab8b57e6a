/** When a result with commands counts as delivered: a crash before that delivers it again. */
import assert from 'node:assert/strict';
import { limits } from '../../engine/limits.ts';
import applyNode from '../apply/apply.ts';
import { arrivals, load, node, onTab, settle, until } from '../../test/red/red.ts';
import { agent, aTeamOnWires, config, ends, modules, router, say } from '../../test/red/team-flow.ts';
import { runFeed } from './process.ts';

describe('a result with commands', () => {
  const { clock } = aTeamOnWires();
  const toApply = (row: object, more: object = {}) => [
    ...config(),
    ...onTab([
      router(['lights'], { wires: [['result', 'apply'], ['fallback'], ['events'], ['lights']] }),
      agent('lights', 'lights', ['category:lights']),
      { id: 'apply', type: 'folkmoot-apply', language: 'lang', rows: [row], outputs: 2, wires: [['report'], ['row']] },
      { id: 'report', type: 'helper', wires: [] },
      { id: 'row', type: 'helper', wires: [] },
      ...ends,
    ]).map((one) => ({ ...one, ...(one.id === 'apply' ? more : {}) })),
  ];
  const lights = { kind: 'category', target: 'lights' };
  const loaded = (row: object, more: object = {}) => load([...modules, applyNode] as never[], toApply(row, more));

  it('ends its run only when who carries them out has written them down', async () => {
    await loaded(lights);
    const order: string[] = [];
    const stops = [
      runFeed.onTookOver(() => order.push('taken over')),
      runFeed.onHappened(({ kind }) => kind === 'ended' && order.push('ended')),
    ];
    say('turn the kitchen light on');
    await until(() => order.includes('ended'));
    for (const stop of stops) stop();
    assert.equal(order[0], 'taken over');
  });

  it('does so, too, when nothing of it may be carried out', async () => {
    await loaded(lights, { language: 'nowhere' });
    const all = arrivals('events');
    say('turn the kitchen light on');
    await until(() => all.some(({ topic }) => topic === 'ended'));
  });

  it('waits a second for who never takes it, and no longer', async () => {
    await loaded(lights);
    const events = arrivals('events');
    // What gets lost on its way: a message that apply never sees.
    node('apply').receive = () => undefined;
    const isOver = () => events.some(({ topic }) => topic === 'ended');
    say('turn the kitchen light on');
    await until(() => clock().left.includes(limits.takenOverMs));
    await settle();
    assert.ok(!isOver());
    await clock().advance(limits.takenOverMs);
    await until(isOver);
  });

  it('does not wait where nobody carries it out', async () => {
    await loaded({ kind: 'function', target: 'MowLawn' });
    const all = arrivals('events');
    say('turn the kitchen light on');
    await until(() => all.some(({ topic }) => topic === 'ended'));
  });
});
