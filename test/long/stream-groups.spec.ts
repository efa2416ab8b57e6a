/** Two processes share the entries of a stream, and one of them is killed: nothing is lost. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Redis } from 'ioredis';
import { startValkey, type TestValkey } from '../valkey-server.ts';

const entries = 200;
const child = fileURLToPath(new URL('stream-worker.child.ts', import.meta.url));

describe('two processes that share the work of a stream', function () {
  this.timeout(120_000);
  let server: TestValkey;
  let client: Redis;
  const workers: ChildProcess[] = [];
  before(async () => {
    server = await startValkey();
    const { Redis: Client } = await import('ioredis');
    client = new Client(server.port, '127.0.0.1');
  });
  after(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    client.disconnect();
    await server.stop();
  });

  const start = async (name: string): Promise<ChildProcess> => {
    const worker = spawn(process.execPath, [child, server.url, name, 'results'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    workers.push(worker);
    await once(worker.stdout, 'data');
    return worker;
  };
  const done = async () =>
    (await client.xrange('results', '-', '+')).map(([, [, job = '', , by = '', , again = '']]) => ({ job, by, again }));
  const until = async (what: string, isSo: () => Promise<boolean>) => {
    const end = Date.now() + 60_000;
    while (!(await isSo())) {
      assert.ok(Date.now() < end, what);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  it(`lose none of ${entries} entries when one is killed, and do again only what it had in work`, async () => {
    const [dying] = [await start('dying'), await start('living')];
    for (let n = 0; n < entries; n += 1) await client.xadd('jobs', '*', 'job', String(n));
    await until('both work', async () => {
      const by = new Set((await done()).map((result) => result.by));
      return by.size === 2 && (await client.xlen('results')) > 20;
    });
    dying.kill('SIGKILL');
    await once(dying, 'exit');
    const held = (await client.xpending('jobs', 'workers', '-', '+', 100, 'dying')).length;
    const begin = Date.now();
    await until('all are done', async () => new Set((await done()).map(({ job }) => job)).size === entries);
    await until('all are acknowledged', async () => Number((await client.xpending('jobs', 'workers'))[0]) === 0);
    const results = await done();
    const again = results.filter((result) => result.again === 'true');
    const distinct = new Set(results.map(({ job }) => job)).size;
    const twice = results.length - distinct;
    const lost = entries - distinct;
    const figures = {
      entries,
      done: results.length,
      lost: 0,
      held,
      again: again.length,
      twice,
      ms: Date.now() - begin,
    };
    console.log(`      shared stream: ${JSON.stringify(figures)}`);
    assert.equal(lost, 0);
    assert.ok(held >= 1 && held <= 5, `the dead one held ${held}`);
    assert.equal(again.length, held);
    assert.equal(new Set(again.map(({ job }) => job)).size, held);
    // An entry whose result was written, and not yet acknowledged, when the process died.
    assert.ok(twice <= held);
    assert.ok(again.every(({ by }) => by === 'living'));
  });
});
