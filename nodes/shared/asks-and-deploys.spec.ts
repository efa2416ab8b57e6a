/** What becomes of an open ask when the flow changes under it. */
import assert from 'node:assert/strict';
import { aCleanRegistry, agent, askOne, findsTruly, fn, heard, held, modules, wire } from '../../test/red/ask-flow.ts';
import { deploy, load, onTab, until } from '../../test/red/red.ts';

describe('asks and deploys', () => {
  aCleanRegistry();

  it('survive a restart of the agent: the same ask is sent again to the new one', async () => {
    const flow = onTab([wire('r', 'test-asker', ['a1']), agent('a1')]);
    await load(modules, flow);
    held.add('a1');
    const asked = askOne('r', 'a1');
    await until(() => heard.length === 1);
    held.clear();
    await deploy(
      flow.map((n) => (n.id === 'a1' ? { ...n, name: 'changed' } : n)),
      'nodes',
    );
    assert.equal((await asked).payload, 'a1: hello');
    assert.equal(heard.length, 2);
  });

  it('end at once as cancelled when the agent is deleted, also when it is deleted from under a running ask', async () => {
    const flow = onTab([wire('r', 'test-asker', ['a1']), agent('a1')]);
    await load(modules, flow);
    held.add('a1');
    const asked = askOne('r', 'a1');
    await until(() => heard.length === 1);
    await deploy(
      flow.filter((n) => n.id !== 'a1').map((n) => (n.id === 'r' ? { ...n, wires: [[]] } : n)),
      'nodes',
    );
    assert.equal((await asked).status, 'cancelled');
  });

  it('finish when the agent is moved to another asker meanwhile, and only the new one may ask then', async () => {
    const flow = onTab([
      wire('r', 'test-asker', ['fn']),
      wire('q', 'test-asker', []),
      fn('fn', 'setTimeout(() => node.send(msg), 50);', ['a1']),
      agent('a1'),
    ]);
    await load(modules, flow);
    const asked = askOne('r', 'a1');
    await deploy(
      flow.map((n) => (n.id === 'r' ? { ...n, wires: [[]] } : n.id === 'q' ? { ...n, wires: [['a1']] } : n)),
      'nodes',
    );
    assert.equal((await asked).status, 'answered');
    assert.equal((await askOne('r', 'a1')).error?.code, 'FOLKMOOT_NOT_WIRED');
    await findsTruly('q', ['a1']);
  });

  it('are cancelled with their run, and the agent is told', async () => {
    await load(modules, onTab([wire('r', 'test-asker', ['a1']), agent('a1')]));
    held.add('a1');
    const abort = new AbortController();
    const asked = askOne('r', 'a1', 'hello', { signal: abort.signal });
    await until(() => heard.length === 1);
    abort.abort();
    assert.equal((await asked).status, 'cancelled');
  });
});
