/** The example of a tool runs as it is imported. */
import assert from 'node:assert/strict';
import { core, exampleFlow, load, nextAt, node, startServer, stopServer, unload } from '../../test/red/red.ts';
import { modules as teamModules } from '../../test/red/team-flow.ts';
import toolResult from '../tool-result/tool-result.ts';
import tool from './tool.ts';

const modules = [...teamModules, tool, toolResult, ...core('inject', 'change')] as never[];

describe('the example of a tool', function () {
  this.timeout(30_000);
  const { flow, named } = exampleFlow('7 - a tool of your own');
  before(startServer);
  after(stopServer);
  beforeEach(async () => {
    await load(modules, flow);
    node(named('keep it')).receive({ payload: { cellar: 61, attic: 44 } });
  });
  afterEach(unload);

  async function answerTo(question: string): Promise<unknown> {
    const answer = nextAt(named('answer'));
    node(named('house keeper')).receive({ payload: question });
    return (await answer).payload;
  }

  it('answers by the piece of flow, for each room', async () => {
    assert.equal(await answerTo('how damp is the cellar?'), 'The air in the cellar is at 61 % humidity.');
    assert.equal(
      await answerTo('how damp is the cellar and how damp is the attic?'),
      'The air in the cellar is at 61 % humidity.\nThe air in the attic is at 44 % humidity.',
    );
  });

  it('tells of this computer, and that it has no answer', async () => {
    assert.match(String(await answerTo('who is logged into this computer?')), /logged in/);
    assert.match(String(await answerTo('how loud is the cellar?')), /^Sorry, I have no answer to that/);
  });
});
