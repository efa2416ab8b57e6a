/** What an asker is told of a tool on real wires: no answer in time, and several at once in any order. */
import assert from 'node:assert/strict';
import { arrivals, load, nextAt, node, onTab, settle, until, type FlowNode } from '../../test/red/red.ts';
import {
  agent,
  aTeamOnWires,
  between,
  config,
  ends,
  modules as teamModules,
  router,
} from '../../test/red/team-flow.ts';
import toolResult from '../tool-result/tool-result.ts';
import tool from './tool.ts';

const modules = [...teamModules, tool, toolResult] as never[];
const oven = { name: 'oven', type: 'string', required: true, allowedValues: ['drying', 'bread', 'glazing'] };

const flow = (code: string, more: object = {}): FlowNode[] => [
  ...config(),
  ...onTab([
    router(['keeper']),
    agent('keeper', 'keeper', [], { wires: [[], [], [], ['heat']] }),
    {
      id: 'heat',
      type: 'folkmoot-tool',
      name: 'oven heat',
      description: 'Tells how hot or warm an oven is',
      parameters: [oven],
      sentence: 'the {oven} oven is at {result} degrees',
      wires: [['measure']],
      ...more,
    },
    between('measure', code, 'end'),
    { id: 'end', type: 'folkmoot-tool-result', wires: [] },
    ...ends,
  ]),
];
const say = (payload: string): void =>
  void node('router').receive({ payload, moot: { v: 1, conversation: 'c1', user: 'anna' } });

describe('an asker of a tool', function () {
  this.timeout(30_000);
  const team = aTeamOnWires();

  it('is told when no answer came within the tool’s own time limit, and the run ends once', async () => {
    await load(modules, flow('return null;', { timeLimitSeconds: 2 }));
    const called = arrivals('measure');
    const events = arrivals('events');
    const told = arrivals('fallback');
    say('how warm is the bread oven?');
    await until(() => called.length === 1);
    await team.clock().advance(1_900);
    await settle();
    assert.equal(told.length, 0, 'before its time');
    await team.clock().advance(200);
    await until(() => told.length === 1);
    assert.equal(told[0]?.payload, 'I could not find that out in time.');
    await team.clock().advance(600_000);
    await settle();
    assert.deepEqual([told.length, called.length, events.filter(({ topic }) => topic === 'ended').length], [1, 1, 1]);
  });

  it('gets three values of three calls at once, though the last is the first to answer', async () => {
    const code = `
      const due = context.get('due') ?? [];
      due.push(msg);
      context.set('due', due);
      if (due.length < 3) return null;
      for (const one of due.reverse()) {
        one.payload = { drying: 60, bread: 220, glazing: 1200 }[one.payload.oven];
        node.send(one);
      }
      return null;`;
    await load(modules, flow(code));
    const answers = arrivals('end');
    const result = nextAt('result');
    say('how hot is the drying oven and how hot is the bread oven and how hot is the glazing oven?');
    const { payload, moot } = await result;
    assert.deepEqual(String(payload).split('\n'), [
      'The drying oven is at 60 degrees.',
      'The bread oven is at 220 degrees.',
      'The glazing oven is at 1200 degrees.',
    ]);
    assert.equal(moot?.usage?.toolCalls, 3);
    assert.deepEqual(
      answers.map((answer) => answer.payload),
      [1200, 220, 60],
    );
  });
});
