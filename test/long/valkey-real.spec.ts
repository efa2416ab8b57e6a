/** What specs of the engine show with a Redis or Valkey, whichever is there, with a real Valkey. */
import assert from 'node:assert/strict';
import { describeBus, until } from '../../engine/bus/bus.contract.ts';
import { createValkeyPubsubBus } from '../../engine/bus/valkey-pubsub.ts';
import { createValkeyStreamsBus } from '../../engine/bus/valkey-streams.ts';
import { checkpointerContract } from '../../engine/store/checkpointer.contract.ts';
import { storeContract } from '../../engine/store/store.contract.ts';
import { createValkeyStore } from '../../engine/store/valkey.ts';
import { startValkeyBench, type ValkeyBench } from '../valkey-place.ts';
import { realValkeyProgram } from '../valkey-server.ts';

describe('a real Valkey', function () {
  this.timeout(120_000);
  let bench: ValkeyBench;
  before(async () => void (bench = await startValkeyBench({ program: realValkeyProgram(), persists: true })));
  after(() => bench?.stop());

  storeContract('the store on Valkey', { persists: true, makePlace: () => bench.makePlace() });

  checkpointerContract('the store on Valkey', async (clock) => ({
    ...(await bench.makePlace()),
    passTime: async (ms) => {
      await clock.advance(ms);
      await bench.passTime(ms);
    },
  }));

  for (const [name, create, sharesWork] of [
    ['streams', createValkeyStreamsBus, true],
    ['channels', createValkeyPubsubBus, false],
  ] as const) {
    describe(`carries the bus over its ${name}`, () => {
      describeBus({
        isShared: true,
        sharesWork,
        make: async (options) => {
          const bus = create({ url: bench.server.url, ...options });
          await until('the connection', () => bus.state === 'up');
          return bus;
        },
      });
    });
  }

  it('keeps every acknowledged change when it is killed again and again, and doubles none', async () => {
    const store = createValkeyStore(bench.options({ deadlineMs: 60_000 }));
    const log = 'folkmoot:{kill}:log';
    let last = 0;
    let told = { goal: Infinity, resolve: () => undefined as void };
    let isOver = false;
    const writing = (async () => {
      while (!isOver) {
        last = await store.append(log, [last + 1]);
        if (last >= told.goal) told.resolve();
      }
    })();
    const rounds = 20;
    for (let round = 0; round < rounds; round += 1) {
      await new Promise<void>((resolve) => void (told = { goal: last + 20, resolve }));
      await bench.server.kill();
      await bench.server.restart();
    }
    isOver = true;
    await writing;
    const kept = (await store.readLast<number>(log, 10_000)).map(({ value }) => value);
    assert.deepEqual(
      kept,
      Array.from({ length: last }, (_, n) => n + 1),
    );
    console.log(`      ${rounds} kills, ${last} changes: none lost, none twice`);
    await store.close();
  });
});
