/** What nothing behind the router carries out is told to its agent before it leaves. */
import assert from 'node:assert/strict';
import applyNode from '../apply/apply.ts';
import { aTeamOnWires, agent, between, config, ends, modules, router, say } from '../../test/red/team-flow.ts';
import { arrivals, load, onTab, until, type FlowNode } from '../../test/red/red.ts';

const apply = (rows: readonly object[], more: object = {}): FlowNode => ({
  id: 'apply',
  type: 'folkmoot-apply',
  language: 'lang',
  rows,
  outputs: rows.length + 1,
  wires: [['result'], ...rows.map(() => ['done'])],
  ...more,
});
const row = (target: string) => ({ kind: 'function', target });
const house = (...nodes: FlowNode[]): FlowNode[] => [
  ...config(),
  ...onTab([
    { ...router(['lights', 'lawn']), wires: [[nodes[0]?.id ?? ''], ['fallback'], ['events'], ['lights', 'lawn']] },
    agent('lights', 'lights', ['category:lights']),
    agent('lawn', 'Lawn Mower', ['MowLawn']),
    ...nodes,
    { id: 'done', type: 'helper', wires: [] },
    ...ends,
  ]),
];

describe('commands that leave a router', function () {
  this.timeout(20_000);
  aTeamOnWires();

  async function askedAgain(...nodes: FlowNode[]): Promise<string[]> {
    await load([...modules, applyNode] as never[], house(...nodes));
    const events = arrivals('events');
    say('turn the kitchen light on and mow the front lawn');
    await until(() => events.some(({ payload }) => (payload as { kind: string }).kind === 'ended'));
    return events.flatMap(({ payload }) => {
      const { kind, agent: who, data } = payload as { kind: string; agent?: string; data: { again?: number } };
      return kind === 'step' && data.again ? [who ?? ''] : [];
    });
  }

  it('are told to their agent once where the apply node behind it has no row for them', async () => {
    assert.deepEqual(await askedAgain(apply([row('MowLawn')])), ['lights']);
  });

  it('are not where a row, its category or “anything else” carries them out, wherever the apply node stands', async () => {
    const rows = [row('MowLawn'), { kind: 'category', target: 'lights' }];
    assert.deepEqual(await askedAgain(apply(rows)), []);
  });

  it('are not where another node on the way might carry them out', async () => {
    const rows = [row('MowLawn')];
    assert.deepEqual(await askedAgain(between('by-itself', 'return msg;', 'apply'), apply(rows)), []);
  });

  it('are not where nothing is known', async () => {
    const junction: FlowNode = { id: 'j', type: 'junction', wires: [['result']] };
    assert.deepEqual(await askedAgain(junction), []);
  });
});
