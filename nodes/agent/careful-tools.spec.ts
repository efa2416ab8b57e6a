/** Tools whose answers are kept for a while, or that are asked again. */
import assert from 'node:assert/strict';
import { load, nextAt, node, onTab } from '../../test/red/red.ts';
import {
  agent,
  aTeamOnWires,
  between,
  config,
  ends,
  modules as teamModules,
  router,
} from '../../test/red/team-flow.ts';
import tool from '../tool/tool.ts';
import toolResult from '../tool-result/tool-result.ts';

const modules = [...teamModules, tool, toolResult] as never[];

describe('a tool of a flow that only looks', function () {
  this.timeout(30_000);
  const { clock } = aTeamOnWires();
  const flow = (code: string, more: object) => [
    { id: 'b', type: 'folkmoot-backbone', bus: 'in-process', storePath: ':memory:' },
    ...config(),
    ...onTab([
      router(['keeper'], { backbone: 'b' }),
      agent('keeper', 'keeper', [], { backbone: 'b', wires: [[], [], [], ['gate']] }),
      {
        ...{ id: 'gate', type: 'folkmoot-tool', name: 'shed gate', wires: [['look']] },
        description: 'Tells whether the shed gate is open or closed',
        ...{ sentence: 'the shed gate was looked at {result} times', ...more },
      },
      between('look', code, 'end'),
      { id: 'end', type: 'folkmoot-tool-result', wires: [] },
      ...ends,
    ]),
  ];
  const count = `const n = (context.get('n') || 0) + 1; context.set('n', n); msg.payload = n; return msg;`;
  let asked = 0;
  const ask = async () => {
    const result = nextAt('result');
    node('router').receive({ payload: 'is the shed gate closed?', moot: { v: 1, conversation: `k${(asked += 1)}` } });
    return (await result).payload;
  };

  it('answers the same again without being asked, for as long as its answer is good (P6)', async () => {
    await load(modules, flow(count, { keepSeconds: 60 }));
    assert.equal(await ask(), 'The shed gate was looked at 1 times.');
    assert.equal(await ask(), 'The shed gate was looked at 1 times.');
    await clock().advance(60_000);
    assert.equal(await ask(), 'The shed gate was looked at 2 times.');
  });

  it('is asked each time when nothing is kept', async () => {
    await load(modules, flow(count, {}));
    await ask();
    assert.equal(await ask(), 'The shed gate was looked at 2 times.');
  });
});
