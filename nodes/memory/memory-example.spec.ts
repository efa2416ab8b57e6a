/** The example of the memory, as it is imported. */
import assert from 'node:assert/strict';
import { core, exampleFlow, load, nextAt, node, startServer, stopServer, unload } from '../../test/red/red.ts';
import memoryStore from '../memory-store/memory-store.ts';
import memory from './memory.ts';

const { flow, named } = exampleFlow('8 - remember and recall');

describe('the example "remember and recall"', () => {
  before(startServer);
  after(stopServer);
  afterEach(unload);

  it('does what its buttons say', async () => {
    await load([memory, memoryStore, ...core('inject')] as never[], flow);
    const press = async (button: string) => {
      const said = nextAt(named('what it says'));
      node(named(button)).receive({});
      return (await said).payload;
    };
    assert.equal(await press('where is the key?'), 'I don’t remember anything about that.');
    assert.equal(await press('remember the key'), 'I will remember: “the spare key is with Maria”.');
    assert.equal(await press('remember the bins'), 'I will remember: “the bins go out on Tuesday”.');
    assert.equal(await press('where is the key?'), 'You told me: “the spare key is with Maria”.');
    assert.equal(await press('when do the bins go out?'), 'You told me: “the bins go out on Tuesday”.');
    assert.match(String(await press('what do you remember?')), /^You told me:\n– “the /);
    assert.equal(await press('forget the key'), 'I have forgotten “the spare key is with Maria”.');
    assert.equal(await press('where is the key?'), 'I don’t remember anything about that.');
  }).timeout(30_000);
});
