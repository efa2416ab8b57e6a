/** The example of a person in between runs as it is imported. */
import assert from 'node:assert/strict';
import {
  arrivals,
  core,
  exampleFlow,
  load,
  nextAt,
  node,
  startServer,
  stopServer,
  unload,
  until,
} from '../../test/red/red.ts';
import { modules as teamModules } from '../../test/red/team-flow.ts';
import apply from '../apply/apply.ts';
import blackboard from '../blackboard/blackboard.ts';

const modules = [...teamModules, apply, blackboard, ...core('inject')] as never[];

describe('the example that asks first', function () {
  this.timeout(30_000);
  const { flow, named } = exampleFlow('13 - ask me first');
  before(startServer);
  after(stopServer);
  beforeEach(async () => {
    await load(modules, flow);
  });
  afterEach(unload);

  async function press(button: string): Promise<unknown> {
    const reply = nextAt(named('reply'));
    node(named(button)).receive({});
    return (await reply).payload;
  }

  it('does the commands of one group after a yes, and then asks for those that waited for it', async () => {
    const robots = arrivals(named('robots'));
    assert.equal(await press('mow and clear away'), 'This would be done: Mowing the back lawn.\nShall I?');
    assert.equal(robots.length, 0);
    assert.equal(
      await press('yes'),
      'Mowing the back lawn.\nNext, this would be done: Collecting the waste of the back lawn.\nShall I?',
    );
    assert.equal(robots.length, 1);
    assert.equal(await press('approve'), 'Collecting the waste of the back lawn.');
    assert.equal(robots.length, 2);
  });

  it('is told no by words and by a button, and starts over', async () => {
    const robots = arrivals(named('robots'));
    await press('mow and clear away');
    assert.equal(await press('deny'), 'All right, I did nothing.');
    await press('mow and clear away');
    assert.equal(await press('no, leave the waste'), 'This would be done: Mowing the back lawn.\nShall I?');
    assert.equal(await press('yes'), 'Mowing the back lawn.');
    assert.equal(robots.length, 1);
    await press('mow and clear away');
    assert.equal(await press('start over'), 'All right, we start over. What shall I do?');
    assert.match(String(await press('approve')), /^Nothing waits for that answer/);
  });

  it('asks nobody about what a flow approves by itself', async () => {
    const replies = arrivals(named('reply'));
    const lamp = nextAt(named('lamp'));
    node(named('kitchen light on')).receive({});
    await lamp;
    await until(() => replies.length === 2);
    assert.deepEqual(replies.map(({ payload }) => payload).sort(), [
      'Kitchen light on.',
      'This would be done: Kitchen light on.\nShall I?',
    ]);
  });
});
