/** Connections whose store is a Valkey server, in real Node-RED. */
import assert from 'node:assert/strict';
import { load, onTab, startServer, stopServer, unload, until, type FlowNode } from '../../test/red/red.ts';
import { startValkeyBench, type ValkeyBench } from '../../test/valkey-place.ts';
import { conversationsOf } from '../shared/conversations.ts';
import { defineNode } from '../shared/define-node.ts';
import { config, text } from '../shared/fields.ts';
import type { Red } from '../shared/red.ts';
import backboneNode from './backbone.ts';
import { leaseBackbone, type Backbone } from './lease.ts';

const inUse = new Map<string, Backbone>();

function user(RED: Red): void {
  defineNode(RED, {
    type: 'test-user',
    fields: { name: text(), backbone: config('folkmoot-backbone') },
    start: (kit) => {
      const lease = leaseBackbone(RED, kit.config.backbone);
      void lease.ready.then((backbone) => inUse.set(kit.id, backbone)).catch(() => undefined);
      return {
        close: async () => {
          inUse.delete(kit.id);
          await lease.release();
        },
      };
    },
  });
}

describe('connections with a store on a Valkey server', function () {
  this.timeout(30_000);
  let bench: ValkeyBench;
  before(async () => {
    bench = await startValkeyBench({ password: 'secret' });
    await startServer();
  });
  after(async () => {
    await stopServer();
    await bench.stop();
  });
  afterEach(unload);

  const open = async (...backbones: readonly object[]): Promise<Backbone[]> => {
    const nodes = backbones.map((more, n): FlowNode => ({ id: `b${n}`, type: 'folkmoot-backbone', ...more }));
    const users = backbones.map((_, n) => ({ id: `u${n}`, type: 'test-user', backbone: `b${n}`, wires: [] }));
    await load([backboneNode, user] as never[], [...nodes, ...onTab(users)]);
    await until(() => inUse.size === backbones.length);
    return backbones.map((_, n) => inUse.get(`u${n}`) as Backbone);
  };
  const url = () => bench.server.url.replace('//', '//:secret@');

  it('keep what is theirs there by house, and conversations for all houses', async () => {
    const common = { store: 'valkey', storeUrl: url(), storePath: ':memory:', conversationDays: 7 };
    const [home, cabin] = (await open({ ...common, house: 'home' }, { ...common, house: 'cabin' })) as [
      Backbone,
      Backbone,
    ];
    await home.store.put('folkmoot:{run-1}:run', { v: 1 });
    assert.equal(await cabin.store.get('folkmoot:{run-1}:run'), undefined);
    await conversationsOf(home).append('c1', [{ messageType: 'USER_MESSAGE', source: 'ana', text: 'hello' }]);
    assert.equal((await conversationsOf(cabin).readLast('c1', 1))[0]?.text, 'hello');
    assert.ok((await bench.client.keys('*')).includes('folkmoot:home:{run-1}:run'));
    const days = (await bench.client.ttl('conversation:c1')) / 86_400;
    assert.ok(days > 6.9 && days <= 7, `${days} days`);
  });

  it('say in words that the password is wrong, and without an address use this computer’s store', async () => {
    const [wrong, blank] = (await open(
      { store: 'valkey', storeUrl: bench.server.url, storePath: ':memory:' },
      { store: 'valkey', storeUrl: '', storePath: ':memory:' },
    )) as [Backbone, Backbone];
    const { promise, resolve } = Promise.withResolvers<string>();
    wrong.store.link?.onState((state, reason) => {
      if (state === 'down') resolve(reason ?? '');
    });
    assert.match(await promise, /does not accept user and password/);
    assert.equal(blank.store.link, undefined);
    assert.equal(await blank.store.put('k', 1), 1);
  });
});
