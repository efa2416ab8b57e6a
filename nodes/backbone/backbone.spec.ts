/** Connections in real Node-RED: shared, given back, and never more than one client of each. */
import assert from 'node:assert/strict';
import { startAedes } from '../../test/aedes.ts';
import {
  core,
  deploy,
  load,
  nextAt,
  node,
  onTab,
  startServer,
  stopServer,
  unload,
  until,
  type FlowNode,
} from '../../test/red/red.ts';
import { fakeClock } from '../../engine/clock.ts';
import { limits } from '../../engine/limits.ts';
import { defineNode } from '../shared/define-node.ts';
import { config, text } from '../shared/fields.ts';
import { useClock } from '../shared/process.ts';
import type { Red } from '../shared/red.ts';
import backboneNode from './backbone.ts';
import { leaseBackbone, type Backbone } from './lease.ts';
import { openBackbone } from './open-backbone.ts';

const inUse = new Map<string, Backbone>();

function user(RED: Red): void {
  defineNode(RED, {
    type: 'test-user',
    fields: { name: text(), backbone: config('folkmoot-backbone') },
    start: (kit) => {
      const lease = leaseBackbone(RED, kit.config.backbone);
      void lease.ready.then((backbone) => inUse.set(kit.id, backbone)).catch(() => undefined);
      return {
        input: async () => {
          await lease.ready;
        },
        close: async () => {
          inUse.delete(kit.id);
          await lease.release();
        },
      };
    },
  });
}

const modules = [backboneNode, user, ...core('catch')] as never[];
const flow = (backbone: string, more: object = {}): FlowNode[] => [
  { id: 'b', type: 'folkmoot-backbone', bus: 'in-process', storePath: ':memory:', ...more },
  ...onTab(['u1', 'u2'].map((id) => ({ id, type: 'test-user', backbone, wires: [] }))),
];

describe('connections in a flow', function () {
  this.timeout(30_000);
  before(startServer);
  after(stopServer);
  afterEach(unload);

  it('are shared by all nodes that choose them, and differ from the process’s own', async () => {
    await load(modules, flow('b'));
    await until(() => inUse.size === 2);
    assert.equal(inUse.get('u1'), inUse.get('u2'));
    const chosen = inUse.get('u1');
    await unload();
    await load(modules, flow(''));
    await until(() => inUse.size === 2);
    assert.equal(inUse.get('u1'), inUse.get('u2'));
    assert.notEqual(inUse.get('u1'), chosen);
  });

  it('are refused in words under a name of a house that does not fit into topics', async () => {
    const common = { bus: 'in-process', store: 'embedded', storePath: ':memory:' } as const;
    const message = /^"House" is ".*", but the name of a house has no \/, \+ and # in it\. Open the node/;
    for (const house of ['a/b', 'a+', '#'])
      await assert.rejects(openBackbone({ ...common, house }), { code: 'FOLKMOOT_BAD_SETTING', message });
    const opened = await openBackbone({ ...common, house: ' house one ' });
    assert.equal(opened.house, 'house one');
    await opened.close();
  });

  it('are closed with their last user', async () => {
    await load(modules, flow('b'));
    await until(() => inUse.size === 2);
    const { bus, store } = inUse.get('u1') as Backbone;
    await unload();
    assert.equal(bus.state, 'closed');
    await assert.rejects(store.get('k'), { code: 'FOLKMOOT_STORE_FAILED' });
  });

  it('outlive a deploy with the same settings, also as another node, and are closed by others', async () => {
    await load(modules, flow('b'));
    await until(() => inUse.size === 2);
    const first = inUse.get('u1') as Backbone;
    for (const kind of ['full', 'flows', 'nodes'] as const) {
      await deploy(flow('b', { name: kind }), kind);
      await until(() => inUse.size === 2);
      assert.equal(inUse.get('u1'), first);
    }
    const renamed = flow('b2').map((n) => (n.id === 'b' ? { ...n, id: 'b2' } : n));
    await deploy(renamed, 'full');
    await until(() => inUse.size === 2);
    assert.equal(inUse.get('u1'), first);
    assert.equal(first.bus.state, 'up');
    await deploy(flow('b2', { id: 'b2', house: 'another' }), 'full');
    await until(() => inUse.size === 2 && first.bus.state === 'closed');
    assert.notEqual(inUse.get('u1'), first);
  });

  it('are closed after a deploy that leaves nobody who uses them', async () => {
    await load(modules, flow('b'));
    await until(() => inUse.size === 2);
    const { bus } = inUse.get('u1') as Backbone;
    await deploy([flow('b')[0] as FlowNode, ...onTab([])], 'full');
    await until(() => bus.state === 'closed');
  });

  it('are closed when a deploy makes nothing of it in time', async () => {
    const clock = fakeClock();
    useClock(clock);
    await load(modules, flow(''));
    await until(() => inUse.size === 2);
    const { bus } = inUse.get('u1') as Backbone;
    await deploy([...flow(''), { id: 'x', type: 'not-installed', z: 'f', wires: [] }], 'full').catch(() => undefined);
    assert.notEqual(bus.state, 'closed');
    await clock.advance(limits.deployLingerMs);
    await until(() => bus.state === 'closed');
    useClock();
  });

  it('say in words that the chosen ones are missing', async () => {
    await load(modules, [
      ...flow('nowhere'),
      { id: 'c', z: 'f', type: 'catch', scope: ['u1'], uncaught: false, wires: [['caught']] },
      { id: 'caught', z: 'f', type: 'helper', wires: [] },
    ]);
    const caught = nextAt('caught');
    node('u1').receive({ payload: 1 });
    assert.equal(((await caught).error as { code: string }).code, 'FOLKMOOT_MISSING_CONFIG');
    assert.equal(inUse.size, 0);
  });

  it('leave one client after twenty deploys while the broker is down', async () => {
    const broker = await startAedes();
    await broker.kill();
    const at = (i: number) => flow('b', { bus: 'mqtt', busUrl: broker.url, name: `deploy ${i}` });
    await load(modules, at(0));
    for (let i = 1; i <= 20; i += 1) await deploy(at(i), 'nodes');
    await broker.restart();
    await until(() => broker.clients() === 1, 20_000);
    await unload();
    await until(() => broker.clients() === 0, 5_000);
    await broker.stop();
  });
});
