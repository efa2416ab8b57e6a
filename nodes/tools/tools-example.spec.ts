/** The example of toolboxes runs as it is imported. */
import assert from 'node:assert/strict';
import { core, exampleFlow, load, nextAt, node, startServer, stopServer, unload } from '../../test/red/red.ts';
import { modules as teamModules } from '../../test/red/team-flow.ts';
import toolbox from '../toolbox/toolbox.ts';
import tools from './tools.ts';

const modules = [...teamModules, tools, toolbox, ...core('inject')] as never[];

describe('the example of toolboxes', function () {
  this.timeout(30_000);
  const { flow, named } = exampleFlow('20 - toolboxes');
  before(startServer);
  after(stopServer);
  afterEach(unload);

  it('answers by packs that come along', async () => {
    await load(modules, flow);
    const answerTo = async (question: string) => {
      const answer = nextAt(named('answer'));
      node(named('helper')).receive({ payload: question });
      return String((await answer).payload);
    };
    assert.match(await answerTo('what time is it?'), /^It is \d\d:\d\d on \w+day/);
    assert.match(await answerTo('when is sunset?'), /sets at \d\d:\d\d/);
    assert.match(await answerTo('how many days has this computer been up?'), /has been up for/);
  });
});
