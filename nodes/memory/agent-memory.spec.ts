/** A team whose keeper is wired to a memory, in real Node-RED and without a model. */
import assert from 'node:assert/strict';
import type { Moot } from '../../engine/moot.ts';
import { arrivals, deploy, load, nextAt, node, onTab, type FlowNode } from '../../test/red/red.ts';
import { agent, aTeamOnWires, config, ends, modules as teamModules, router } from '../../test/red/team-flow.ts';
import memoryStore from '../memory-store/memory-store.ts';
import memory from './memory.ts';

const modules = [...teamModules, memory, memoryStore] as never[];
const flow = (asks: string[]): FlowNode[] => [
  ...config(),
  ...onTab([
    router(['lights', 'keeper']),
    agent('lights', 'lights', ['category:lights']),
    agent('keeper', 'keeper', [], { wires: [[], [], [], asks] }),
    { id: 'm', type: 'folkmoot-memory', wires: [[]] },
    { id: 'tap', type: 'helper', wires: [] },
    ...ends,
  ]),
];

let conversations = 0;
async function say(
  text: string,
  user?: string,
  conversation = `c${(conversations += 1)}`,
): Promise<{ said: string; moot: Moot | undefined }> {
  const result = nextAt('result');
  node('router').receive({ payload: text, moot: { v: 1, conversation, ...(user ? { user } : {}) } });
  const { payload, moot } = await result;
  return { said: String(payload), moot };
}
const keySentence = 'remember that the spare key is with Maria';

describe('an agent with a memory', function () {
  this.timeout(30_000);
  aTeamOnWires();

  it('remembers and recalls for each person apart, and gives no command', async () => {
    await load(modules, flow(['m', 'tap']));
    const asks = arrivals('tap');
    const kept = await say(keySentence, 'anna');
    assert.equal(kept.said, 'I will remember: “the spare key is with Maria”.');
    assert.deepEqual([kept.moot?.mutations, kept.moot?.outcome], [[], 'done']);
    assert.equal((await say('where is the spare key?', 'anna')).said, 'You told me: “the spare key is with Maria”.');
    assert.match((await say('where is the spare key?', 'bert')).said, /don’t remember anything/);
    assert.match((await say('forget where the spare key is', 'anna')).said, /I have forgotten/);
    assert.match((await say('where is the spare key?', 'anna')).said, /don’t remember anything/);
    const both = 'Nothing here tells me that. I don’t remember anything about that.';
    assert.equal((await say('where did I leave the spare key?', 'bert')).said, both);
    const asked = await say('what do you remember about the spare key?', 'bert');
    assert.equal(asked.said, 'I don’t remember anything about that.');
    const [first] = asks;
    assert.match(String(first?._msgid), /^ask:[^/]+\/s1\/m1$/);
    assert.deepEqual(first?.payload, { operation: 'remember', text: 'the spare key is with Maria' });
    assert.deepEqual([first?.moot?.user, first?.moot?.ask?.kind], ['anna', 'memory']);
  });

  it('asks back before it forgets everything, and takes only a yes of that person in that conversation', async () => {
    await load(modules, flow(['m', 'tap']));
    const asks = arrivals('tap');
    await say(keySentence, 'anna', 'all');
    await say('remember that tea is at four', 'anna');
    const question = 'Shall I forget all 2 things that you told me? They would be gone for good.';
    const { said, moot } = await say('forget everything', 'anna', 'all');
    assert.deepEqual([said, moot?.outcome], [question, 'asked']);
    assert.doesNotMatch((await say('yes', 'bert', 'all')).said, /I have forgotten/);
    assert.equal((await say('forget everything', 'anna', 'all')).said, question);
    assert.match((await say('yes', 'anna', 'all')).said, /^I have forgotten all of this/);
    assert.match((await say('where is the spare key?', 'anna')).said, /don’t remember anything/);
    const sure = asks.filter(({ payload }) => (payload as { confirmed?: true }).confirmed);
    assert.equal(sure.length, 1);
    await say(keySentence, 'anna', 'all');
    await say('forget everything', 'anna', 'all');
    assert.equal((await say('no', 'anna', 'all')).said, 'All right, I did nothing.');
    await say('yes', 'anna', 'all');
    assert.match((await say('where is the spare key?', 'anna')).said, /with Maria/);
  });

  it('does what the house can do beside it', async () => {
    await load(modules, flow(['m']));
    const { said, moot } = await say('turn the kitchen light on and remember that the ladder is in the hall', 'anna');
    assert.match(said, /“the ladder is in the hall”/);
    assert.deepEqual(
      moot?.mutations?.map(({ function: name, parameters }) => [name, parameters]),
      [['SetLight', { room: 'kitchen', state: 'on' }]],
    );
  });

  it('has none once the wire is gone', async () => {
    await load(modules, flow(['m']));
    await say(keySentence, 'anna');
    await deploy(flow([]), 'nodes');
    for (const text of ['where is the spare key?', 'remember that tea is at four']) {
      const { said, moot } = await say(text, 'anna');
      assert.equal(moot?.outcome, 'refused');
      assert.doesNotMatch(said, /Maria|I will remember/);
    }
    await deploy(flow(['m']), 'nodes');
    assert.match((await say('where is the spare key?', 'anna')).said, /with Maria/);
  });
});
