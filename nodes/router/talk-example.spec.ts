/** The example with an agent that talks, as it is shipped (P22). */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import applyNode from '../apply/apply.ts';
import { load, nextAt, node, startServer, stopServer, unload, type FlowNode } from '../../test/red/red.ts';
import { modules } from '../../test/red/team-flow.ts';

describe('the example of somebody to talk to', function () {
  this.timeout(20_000);
  before(startServer);
  after(stopServer);
  afterEach(unload);

  it('turns lamps on by words and rules, and lets the one marked for it answer all else', async () => {
    const flow = JSON.parse(await readFile('examples/19 - somebody to talk to.json', 'utf8')) as FlowNode[];
    const idOf = (name: string) => flow.find((one) => one['name'] === name)?.id ?? assert.fail(name);
    const shown = flow
      .filter(({ type }) => type !== 'inject' && type !== 'comment')
      .map((one) => (one.type === 'debug' ? { ...one, type: 'helper' } : one));
    await load([...modules, applyNode] as never[], shown);
    const reply = async (button: string) => {
      const next = nextAt(idOf('reply'));
      node(idOf('house')).receive({ payload: flow.find((one) => one['name'] === button)?.['payload'] });
      return (await next).payload;
    };
    assert.equal(await reply('how are you today?'), 'Very well, thank you. And you?');
    assert.equal(await reply('tell me a joke'), 'A bulb went to school, but it was none of the brightest.');
    assert.equal(await reply('turn the hall light on'), 'Hall light on.');
  });
});
