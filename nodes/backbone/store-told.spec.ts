/** Whoever runs Node-RED hears whether the memory on a server can be used. */
import assert from 'node:assert/strict';
import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { freePort } from '../../test/free-port.ts';
import { load, onTab, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import { startValkey } from '../../test/valkey-server.ts';
import blackboardNode from '../blackboard/blackboard.ts';
import backboneNode from './backbone.ts';

const { events } = createRequire(import.meta.url)('@node-red/util') as { events: EventEmitter };

describe('the memory of connections, on a server', function () {
  this.timeout(20_000);
  before(startServer);
  after(stopServer);
  afterEach(unload);

  it('is told as event when it comes, without user and password, and when it does not', async () => {
    const told: { address: string; state: string; reason?: string }[] = [];
    const hear = (state: (typeof told)[number]) => told.push(state);
    events.on('folkmoot:store', hear);
    const server = await startValkey({ args: ['--requirepass', 'secret'] });
    const start = async (storeUrl: string) => {
      told.length = 0;
      await load([backboneNode, blackboardNode] as never[], [
        { id: 'b', type: 'folkmoot-backbone', bus: 'in-process', store: 'valkey', storeUrl, storePath: ':memory:' },
        ...onTab([{ id: 'board', type: 'folkmoot-blackboard', backbone: 'b', wires: [[]] }]),
      ]);
    };
    try {
      await start(`redis://:secret@127.0.0.1:${server.port}`);
      await until(() => told.some(({ state }) => state === 'up'));
      assert.ok(told.every(({ address }) => address === `redis://127.0.0.1:${server.port}`));
      await unload();
      await start(`redis://127.0.0.1:${await freePort()}`);
      await until(() => told.some(({ state }) => state === 'down'));
      assert.match(told.find(({ state }) => state === 'down')?.reason ?? '', /no Valkey server listens there/);
      assert.ok(told.every(({ state }) => state !== 'up'));
    } finally {
      events.off('folkmoot:store', hear);
      await server.stop();
    }
  });
});
