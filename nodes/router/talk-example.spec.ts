/** The example with an agent that talks, as it is shipped (P22). */
import assert from 'node:assert/strict';
import applyNode from '../apply/apply.ts';
import { exampleFlow, load, nextAt, node, startServer, stopServer, unload } from '../../test/red/red.ts';
import { modules } from '../../test/red/team-flow.ts';

describe('the example of somebody to talk to', function () {
  this.timeout(20_000);
  before(startServer);
  after(stopServer);
  afterEach(unload);

  it('turns lamps on by words and rules, and lets the one marked for it answer all else', async () => {
    const { flow, named } = exampleFlow('19 - somebody to talk to');
    await load(
      [...modules, applyNode] as never[],
      flow.filter(({ type }) => type !== 'inject'),
    );
    const reply = async (button: string) => {
      const next = nextAt(named('reply'));
      node(named('house')).receive({ payload: flow.find((one) => one['name'] === button)?.['payload'] });
      return (await next).payload;
    };
    assert.equal(await reply('how are you today?'), 'Very well, thank you. And you?');
    assert.equal(await reply('tell me a joke'), 'A bulb went to school, but it was none of the brightest.');
    assert.equal(await reply('turn the hall light on'), 'Hall light on.');
  });
});
