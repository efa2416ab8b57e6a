/** Messages of nodes that a deploy closed while they worked, in real Node-RED. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import {
  deploy,
  load,
  node,
  onTab,
  settle,
  startServer,
  stopServer,
  unload,
  until,
  type FlowNode,
} from '../../test/red/red.ts';
import busOut from '../bus-out/bus-out.ts';
import { isDeploying } from './flows-ready.ts';
import type { Red, RedMessage } from './red.ts';

const require = createRequire(import.meta.url);
/** Node-RED gives its hooks to nodes; what loads nodes for specs does not. */
let live: Red;
const withHooks = (RED: Red): void => {
  live = RED;
  const { hooks } = require('@node-red/util') as { readonly hooks: object };
  Object.defineProperty(RED, 'hooks', { value: hooks, configurable: true });
};

/** A node of somebody else: sends on when it is told to, also after it was closed. */
const held: (() => void)[] = [];
function slow(RED: Red): void {
  RED.nodes.registerType('slow', function slowNode(this: never, config: object) {
    const self = this as { on(event: string, run: (message: RedMessage, send: (sent: object) => void) => void): void };
    RED.nodes.createNode(self as never, config);
    self.on('input', (message, send) => void held.push(() => send(message)));
  });
}

/** What came to nodes of this sort, whenever they were made. */
const got: { readonly at: string; readonly message: RedMessage }[] = [];
function sink(RED: Red): void {
  RED.nodes.registerType('sink', function sinkNode(this: never, config: { readonly id: string }) {
    const self = this as { on(event: string, run: (message: RedMessage) => void): void };
    RED.nodes.createNode(self as never, config);
    self.on('input', (message) => void got.push({ at: config.id, message }));
  });
}

describe('what a node sends after a deploy closed it', () => {
  before(startServer);
  after(stopServer);
  afterEach(async () => {
    held.length = 0;
    got.length = 0;
    await unload();
  });
  // A node of ours is there, whatever it does.
  const flow = (more: object = {}): FlowNode[] =>
    onTab([
      { id: 'slow', type: 'slow', wires: [['next', 'other']], ...more },
      { id: 'next', type: 'sink', wires: [], ...more },
      { id: 'other', type: 'sink', wires: [], ...more },
      { id: 'ours', type: 'folkmoot-bus-out', mode: 'topic', topic: 'x', wires: [] },
    ]);
  const loaded = async () => {
    await load([withHooks, slow, sink, busOut] as never[], flow());
    return (message: object) => node('slow').receive({ _msgid: 'm', ...message });
  };

  for (const kind of ['nodes', 'full', 'flows'] as const)
    it(`comes to those in the place of the next ones, once: ${kind}`, async () => {
      const send = await loaded();
      send({ payload: 1, moot: { v: 1 } });
      await until(() => held.length === 1);
      await deploy(flow({ info: 'changed' }), kind);
      held[0]?.();
      await until(() => got.length === 2);
      await settle();
      assert.deepEqual(got.map(({ at }) => at).sort(), ['next', 'other']);
      assert.notEqual(got[0]?.message, got[1]?.message);
    });

  it('comes to them when they stand, if it is sent while they are made', async () => {
    const send = await loaded();
    send({ payload: 1, moot: { v: 1 } });
    await until(() => held.length === 1);
    const deployed = deploy(flow({ info: 'changed' }), 'full');
    while (!isDeploying(live)) await new Promise(setImmediate);
    held[0]?.();
    await deployed;
    await until(() => got.length === 2);
    await settle();
    assert.equal(got.length, 2);
  });

  it('is left alone when it is none of ours, and when nothing was deployed', async () => {
    const send = await loaded();
    send({ payload: 1, moot: { v: 1 } });
    send({ payload: 2 });
    await until(() => held.length === 2);
    held[0]?.();
    await until(() => got.length === 2);
    await deploy(flow({ info: 'changed' }), 'full');
    held[1]?.();
    await settle();
    assert.equal(got.length, 2);
  });
});
