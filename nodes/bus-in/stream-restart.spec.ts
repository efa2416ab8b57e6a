/** Work of a stream that a restart interrupts: it comes again, unless its run goes on by itself. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { startValkey, type TestValkey } from '../../test/valkey-server.ts';
import { arrivals, load, onTab, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import { until as isSo } from '../../engine/bus/bus.contract.ts';
import { createRunRecords } from '../../engine/plan/run-records.ts';
import { createValkeyStore } from '../../engine/store/valkey.ts';
import backboneNode from '../backbone/backbone.ts';
import { processClock, runFeed } from '../shared/process.ts';
import busInNode from './bus-in.ts';

const key = 'folkmoot:stream:jobs';

describe('an entry of a stream that was worked on when Node-RED ended', function () {
  this.timeout(30_000);
  let server: TestValkey;
  let client: Redis;
  let storePath: string;
  before(async () => {
    [server, storePath] = await Promise.all([startValkey(), mkdtemp(join(tmpdir(), 'folkmoot-jobs-'))]);
    client = new Redis(server.url);
    await startServer();
  });
  after(async () => {
    await stopServer();
    client.disconnect();
    await server.stop();
    await rm(storePath, { recursive: true, force: true });
  });
  beforeEach(async () => void (await client.flushall()));
  afterEach(unload);

  const start = async () => {
    const places = { store: 'valkey', storeUrl: server.url, storePath, house: 'home' };
    await load([backboneNode, busInNode] as never[], [
      { id: 'b', type: 'folkmoot-backbone', bus: 'valkey-streams', busUrl: server.url, ...places },
      ...onTab([
        { id: 'in', type: 'folkmoot-bus-in', mode: 'stream', stream: 'jobs', role: 'team', backbone: 'b', wires: [['seen']] }, // prettier-ignore
        { id: 'seen', type: 'helper', wires: [] },
      ]),
    ]);
    return arrivals('seen');
  };
  const hasGroup = async () =>
    JSON.stringify(await client.call('XINFO', 'GROUPS', key).catch(() => '')).includes('"team"');
  const pending = async () => Number((await client.xpending(key, 'team'))[0]);
  const interrupted = async () => {
    const seen = await start();
    await isSo('its group', hasGroup);
    await client.xadd(key, '*', 'payload', 'mow');
    await until(() => seen.length === 1);
    const request = seen[0]?.moot?.request ?? assert.fail('no request');
    await unload();
    assert.equal(await pending(), 1);
    return request;
  };

  it('comes again, marked so, when no run had begun', async () => {
    const { id } = await interrupted();
    const seen = await start();
    await until(() => seen.length === 1);
    assert.equal(seen[0]?.moot?.request?.id, id);
    assert.equal((seen[0] as { stream?: { isAgain: boolean } }).stream?.isAgain, true);
  });

  it('is not passed on again when its run goes on, and is acknowledged when that ends', async () => {
    const request = await interrupted();
    const store = createValkeyStore({ url: server.url, house: 'home' });
    const records = createRunRecords(store, { owner: 'router', house: 'home', clock: processClock });
    await records.open({ run: 'r1', text: 'mow', request }, processClock.now());
    await store.close();
    const seen = await start();
    await client.xadd(key, '*', 'payload', 'after it');
    await until(() => seen.length === 1);
    assert.equal(seen[0]?.payload, 'after it');
    runFeed.ended({ run: 'r2', owner: 'router', request: seen[0]?.moot?.request ?? request, outcome: 'done' });
    await isSo('the second is acknowledged', async () => (await pending()) === 1);
    runFeed.ended({ run: 'r1', owner: 'router', request, outcome: 'done' });
    await isSo('the first is acknowledged', async () => (await pending()) === 0);
    assert.equal(seen.length, 1);
  });
});
