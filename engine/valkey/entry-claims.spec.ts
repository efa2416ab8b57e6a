/** Whose an entry is that several share, with a real server. */
import assert from 'node:assert/strict';
import { Redis } from 'ioredis';
import { startValkey, type TestValkey } from '../../test/valkey-server.ts';
import { until } from '../bus/bus.contract.ts';
import { fakeClock, systemClock, type Clock } from '../clock.ts';
import { isFolkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { createStreams, type Streams } from './streams.ts';
import type { Handled } from './stream-group.ts';

const key = 'folkmoot:stream:jobs';
const group = 'team';

describe('an entry of a stream that several share', function () {
  this.timeout(20_000);
  let server: TestValkey;
  let client: Redis;
  const open: Streams[] = [];
  before(async () => {
    server = await startValkey({ persists: true });
    client = new Redis(server.url);
  });
  after(async () => {
    client.disconnect();
    await server.stop();
  });
  beforeEach(async () => {
    await client.flushall();
    await client.xgroup('CREATE', key, group, '$', 'MKSTREAM');
  });
  afterEach(() => {
    for (const streams of open.splice(0)) streams.close();
  });

  const streamsWith = (clock: Clock = systemClock, more: object = {}): Streams => {
    const made = createStreams({
      server: { url: server.url, reconnectMinMs: 20 },
      clock,
      onProblem: () => undefined,
      ...more,
    });
    open.push(made);
    return made;
  };
  const readBy = async (consumer: string) => {
    const id = (await client.xadd(key, '*', 'payload', 'mow')) ?? assert.fail('no entry');
    await client.xreadgroup('GROUP', group, consumer, 'STREAMS', key, '>');
    return { stream: key, group, consumer, id };
  };
  const claimBy = (consumer: string, id: string) => client.xclaim(key, group, consumer, 0, id);

  it('is held by who has it pending, taken for all others, and over when it was acknowledged or cleared', async () => {
    const { claims } = streamsWith();
    const entry = await readBy('one');
    assert.equal(await claims.look(entry), 'held');
    await claimBy('two', entry.id);
    assert.equal(await claims.look(entry), 'taken');
    assert.equal(await claims.act(entry), 'taken');
    assert.equal(await claims.look({ ...entry, consumer: 'two' }), 'held');
    await client.xack(key, group, entry.id);
    assert.equal(await claims.act(entry), 'over');
    const next = await readBy('one');
    await client.del(key);
    assert.equal(await claims.act(next), 'over');
    assert.deepEqual(await client.keys('*did*'), []);
  });

  it('is done by who began to act, whoever has it pending then', async () => {
    const { claims } = streamsWith();
    const entry = await readBy('one');
    assert.equal(await claims.act(entry), 'begun');
    await claimBy('two', entry.id);
    const other = { ...entry, consumer: 'two' };
    assert.deepEqual([await claims.look(other), await claims.act(other)], ['begun elsewhere', 'begun elsewhere']);
    await client.xack(key, group, entry.id);
    assert.deepEqual([await claims.look(entry), await claims.act(entry)], ['begun', 'begun']);
    // Another group has work of its own.
    await client.xgroup('CREATE', key, 'watchers', '0');
    await client.xreadgroup('GROUP', 'watchers', 'two', 'STREAMS', key, '>');
    assert.equal(await claims.act({ ...other, group: 'watchers' }), 'begun');
  });

  it('is begun by one of those who try at the same time', async () => {
    const all = [streamsWith(), streamsWith(), streamsWith()];
    for (let n = 0; n < 20; n += 1) {
      const entry = await readBy('0');
      const tries = all.flatMap(({ claims }, at) =>
        [0, 1, 2].map(async () => {
          await claimBy(String(at), entry.id);
          return { at, claim: await claims.act({ ...entry, consumer: String(at) }) };
        }),
      );
      const begun = (await Promise.all(tries)).filter(({ claim }) => claim === 'begun');
      assert.equal(new Set(begun.map(({ at }) => at)).size, 1, JSON.stringify(begun));
    }
  });

  it('has its mark as long as the stream keeps entries', async () => {
    const { claims } = streamsWith();
    const entry = await readBy('one');
    await claims.act(entry);
    const [mark = ''] = await client.keys('*did*');
    assert.equal(mark, `folkmoot:{${key}}:did:${group}:${entry.id}`);
    const left = await client.pttl(mark);
    assert.ok(left > limits.streamAgeMs - 60_000 && left <= limits.streamAgeMs, String(left));
  });

  it('is asked about when the server is back', async () => {
    const { claims } = streamsWith();
    const entry = await readBy('one');
    await server.kill();
    const asked = claims.look(entry);
    await server.restart();
    assert.equal(await asked, 'held');
  });

  it('is not asked about any more when that is ended, or refused', async () => {
    const streams = streamsWith();
    const entry = await readBy('one');
    const ending = new AbortController();
    ending.abort(new Error('ended'));
    await assert.rejects(streams.claims.look(entry, ending.signal), /ended/);
    await client.call('ACL', 'SETUSER', 'guest', 'on', '>secret', `~${key}`, '+@all');
    const guest = createStreams({
      server: { url: server.url, user: 'guest', password: 'secret' },
      clock: systemClock,
      onProblem: () => undefined,
    });
    open.push(guest);
    await assert.rejects(guest.claims.act(entry), (error) => isFolkmootError(error, 'FOLKMOOT_BUS_REFUSED'));
    streams.close();
    await assert.rejects(streams.claims.look(entry), (error) => isFolkmootError(error, 'FOLKMOOT_BUS_LOST'));
  });

  it('is not taken back by one that stood still, and not acknowledged by one that leaves it', async () => {
    const clock = fakeClock();
    const work = Promise.withResolvers<Handled>();
    const taken: string[] = [];
    const member = streamsWith(clock).group({
      ...{ key, group, consumer: 'one', idleMs: 3_000 },
      handle({ id }) {
        taken.push(id);
        return work.promise;
      },
    });
    await member.ready;
    const ids = [await client.xadd(key, '*', 'n', '1'), await client.xadd(key, '*', 'n', '2')].map(String);
    await until('both were taken', () => taken.length === 2);
    const [lost = '', kept = ''] = ids;
    await claimBy('two', lost);
    const idle = async (id: string) => ((await client.xpending(key, group, id, id, 1)) as unknown[][])[0];
    const since = Date.now();
    await client.xclaim(key, group, 'one', 0, kept, 'IDLE', 60_000, 'JUSTID');
    await clock.advance(1_000);
    await until('its own is not idle', async () => Number((await idle(kept))?.[2]) <= Date.now() - since);
    assert.deepEqual([(await idle(kept))?.[1], (await idle(lost))?.[1]], ['one', 'two']);
    work.resolve('left');
    // It reads on, and what comes after is done.
    const third = String(await client.xadd(key, '*', 'n', '3'));
    await until('the third', () => taken.includes(third));
    assert.deepEqual(await Promise.all([lost, kept].map(async (id) => (await idle(id))?.[1])), ['two', 'one']);
  });
});
