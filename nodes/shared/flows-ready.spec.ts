/** What Node-RED tells when it closes nodes: a change of it in a later version must not go by unnoticed. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { deploy, load, onTab, startServer, stopServer, unload } from '../../test/red/red.ts';
import { defineNode } from './define-node.ts';
import { text } from './fields.ts';
import { afterDeploy, areFlowsReady, isDeploying, onStopping, type FlowsChange } from './flows-ready.ts';
import type { Red } from './red.ts';

/** What the editor's "Restart flows" calls, of the runtime that the specs run on. */
const { loadFlows } = createRequire(import.meta.url)('@node-red/runtime/lib/flows/index.js') as {
  loadFlows(isForced: boolean): Promise<unknown>;
};

describe('the end of nodes', function () {
  this.timeout(20_000);
  let red: Red | undefined;
  let stop: (() => void) | undefined;
  const changes: FlowsChange[] = [];
  const atClose: boolean[] = [];

  const module = (RED: Red) => {
    red = RED;
    defineNode(RED, {
      type: 'test-closing',
      fields: { name: text() },
      start: () => ({ close: () => void atClose.push(isDeploying(RED)) }),
    });
    stop ??= onStopping(RED, (change) => changes.push(change));
  };
  const flow = (name: string) => onTab([{ id: 'n', type: 'test-closing', name, wires: [] }]);

  before(startServer);
  after(async () => {
    stop?.();
    await stopServer();
  });
  afterEach(async () => {
    await unload();
    changes.length = 0;
    atClose.length = 0;
  });

  for (const kind of ['full', 'flows', 'nodes'] as const) {
    it(`is known as a deploy of kind ${kind} before the first of them closes`, async () => {
      await load([module], flow('a'));
      await deploy(flow('b'), kind);
      assert.deepEqual(changes, [{ isDeploy: true, all: kind === 'full' }]);
      assert.deepEqual(atClose, [true]);
      assert.ok(areFlowsReady(red as Red) && !isDeploying(red as Red));
    });
  }

  it('is no stop when the flows are only started anew', async () => {
    await load([module], flow('a'));
    const over = new Promise<void>((resolve) =>
      red?.events.once('flows:stopping', () => afterDeploy(red as Red, resolve)),
    );
    await loadFlows(true);
    await over;
    assert.deepEqual(changes, [{ isDeploy: true, all: true }]);
    await deploy(flow('b'), 'nodes');
    await unload();
    assert.equal(changes.at(-1)?.isDeploy, false);
  });

  it('is known as a stop', async () => {
    await load([module], flow('a'));
    await unload();
    assert.deepEqual(changes, [{ isDeploy: false, all: true }]);
    assert.deepEqual(atClose, [false]);
    assert.ok(!areFlowsReady(red as Red) && !isDeploying(red as Red));
  });

  it('is a stop when it comes in an unknown form', async () => {
    await load([module], flow('a'));
    for (const event of [undefined, {}, { type: 'full', diff: null }, { diff: 'globalConfigChanged' }]) {
      red?.events.emit('flows:stopping', event);
    }
    assert.deepEqual(
      changes.map(({ isDeploy }) => isDeploy),
      [false, false, false, false],
    );
  });

  it('tells once that a deploy is over, also when it ends in a stop', async () => {
    await load([module], flow('a'));
    let told = 0;
    afterDeploy(red as Red, () => (told += 1));
    const takeBack = afterDeploy(red as Red, () => (told += 10));
    takeBack();
    await deploy(flow('b'), 'nodes');
    await deploy(flow('c'), 'nodes');
    assert.equal(told, 1);
    afterDeploy(red as Red, () => (told += 1));
    await unload();
    assert.equal(told, 2);
  });
});
