/** The townhall's form on a real server, beside a program of others that knows only its commands. */
import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import { startValkey } from '../../test/valkey-server.ts';
import type { TestValkey } from '../../test/valkey-server.ts';
import { systemClock } from '../clock.ts';
import { until } from '../bus/bus.contract.ts';
import { createStreams } from '../valkey/streams.ts';
import type { Streams } from '../valkey/streams.ts';
import { createTownhallSeat } from './townhall-seat.ts';
import type { TalkTurn, TownhallSeatOptions } from './townhall-seat.ts';
import { readTalk } from './townhall.ts';

describe('a townhall on a Valkey stream', function () {
  this.timeout(20_000);
  let server: TestValkey;
  let python: Redis;
  let streams: Streams;
  let problems: string[] = [];
  before(async () => {
    server = await startValkey();
    const { Redis: Client } = await import('ioredis');
    python = new Client(server.port, '127.0.0.1');
  });
  after(async () => {
    python.disconnect();
    await server.stop();
  });
  beforeEach(async () => {
    await python.flushall();
    problems = [];
    streams = createStreams({
      server: { url: server.url, reconnectMinMs: 50 },
      clock: systemClock,
      onProblem: (problem) => problems.push(problem.message),
    });
  });
  afterEach(() => {
    streams.close();
    assert.deepEqual(problems, []);
  });

  const listen = async (role: string, got: string[], options: { readonly consumer?: string } = {}) => {
    const group = streams.group({
      key: 'townhall',
      group: role,
      consumer: role,
      handle: (entry) => void got.push(readTalk(entry)?.text ?? ''),
      ...options,
    });
    await group.ready;
    return group;
  };
  /** Somebody in the townhall, without a pause between two replies. */
  const sit = async (role: string, speak: TownhallSeatOptions['speak']) => {
    const seat = createTownhallSeat({
      role,
      clock: systemClock,
      cooldownMs: 1,
      stream: {
        before: (id, count) => streams.before('townhall', id, count),
        after: (id, count) => streams.after('townhall', id, count),
        add: (entry) => streams.add('townhall', { ...entry }),
      },
      speak,
      onProblem: (problem) => problems.push(problem.message),
    });
    const handle: Parameters<Streams['group']>[0]['handle'] = (entry, how) => seat.take(entry, how);
    await streams.group({ key: 'townhall', group: role, consumer: role, handle }).ready;
    return seat;
  };
  const pending = async (group: string) => Number((await python.xpending('townhall', group))[0]);

  it('gives each role every entry once (84)', async () => {
    const roles = ['Mayor', 'Judge', 'Villager'];
    const got = roles.map((): string[] => []);
    for (const [index, role] of roles.entries()) await listen(role, got[index] ?? []);
    for (let n = 0; n < 20; n += 1) await python.xadd('townhall', '*', 'role', 'Captain', 'text', `line ${n}`);
    await until('all of them', () => got.every((lines) => lines.length >= 20));
    await until('they are acknowledged', async () => (await pending('Judge')) === 0);
    assert.deepEqual(
      got.map((lines) => lines.length),
      [20, 20, 20],
    );
    assert.deepEqual(
      got[0],
      Array.from({ length: 20 }, (_, n) => `line ${n}`),
    );
  });

  it('gives those who share the work each entry once between them', async () => {
    const got: string[] = [];
    await listen('team', got, { consumer: 'one' });
    await listen('team', got, { consumer: 'two' });
    for (let n = 0; n < 20; n += 1) await python.xadd('townhall', '*', 'role', 'Captain', 'text', `line ${n}`);
    await until('all of them', () => got.length >= 20);
    await until('they are acknowledged', async () => (await pending('team')) === 0);
    assert.equal(new Set(got).size, 20);
    assert.equal(got.length, 20);
  });

  it('writes entries of exactly role and text, and a program of others answers them (85)', async () => {
    await python.xgroup('CREATE', 'townhall', 'Villager', '$', 'MKSTREAM');
    const seat = await sit('Mayor', ({ last }) => Promise.resolve(`I heard: ${last.text}`));
    await python.xadd('townhall', '*', 'role', 'Villager', 'text', 'Bandits!');
    await python.xadd('townhall', '*', 'role', 'Villager', 'nothing', 'useful');
    await until('the answer', async () => (await python.xlen('townhall')) === 3);
    const [, , answer] = await python.xrange('townhall', '-', '+');
    assert.deepEqual(answer?.[1], ['role', 'Mayor', 'text', 'I heard: Bandits!']);
    await until('all is acknowledged', async () => (await pending('Mayor')) === 0);
    seat.close();
  });

  it('shows what was not read and what was said before it, own lines as "You", and is not answered by itself (86, 87, 88, 91)', async () => {
    for (let n = 1; n <= 12; n += 1)
      await python.xadd('townhall', '*', 'role', n === 8 ? 'Mayor' : 'Judge', 'text', `${n}`);
    const turns: TalkTurn[] = [];
    const seat = await sit('Mayor', (turn) => Promise.resolve(`answer ${turns.push(turn)}`));
    const together = python.multi();
    for (const text of ['a', 'b', 'c']) together.xadd('townhall', '*', 'role', 'Villager', 'text', text);
    await together.xadd('townhall', '*', 'role', 'Villager', 'nothing', 'useful').exec();
    await until('the answer', async () => (await python.xlen('townhall')) === 17);
    await until('its own line was read as well', async () => (await pending('Mayor')) === 0);
    await python.xadd('townhall', '*', 'role', 'Judge', 'text', 'd');
    await until('the second answer', async () => (await python.xlen('townhall')) === 19);
    const told = [
      ['Judge: 6', 'Judge: 7', 'You: 8', 'Judge: 9', 'Judge: 10', 'Judge: 11', 'Judge: 12', 'Villager: a', 'Villager: b', 'Villager: c'], // prettier-ignore
      // One of the nine before it has no text.
      ['Judge: 9', 'Judge: 10', 'Judge: 11', 'Judge: 12', 'Villager: a', 'Villager: b', 'Villager: c', 'You: answer 1', 'Judge: d'], // prettier-ignore
    ];
    assert.deepEqual(
      turns.map(({ text }) => text.split('\n\n')),
      told,
    );
    seat.close();
  });

  it('adds its first line only to an empty stream, and clears it when that is wanted (92)', async () => {
    const kickoff = { role: 'Captain', text: 'Bandits in the woods. We need a plan.' };
    assert.equal(await streams.addFirst('townhall', kickoff), true);
    assert.equal(await streams.addFirst('townhall', kickoff), false);
    assert.equal(await python.xlen('townhall'), 1);
    await streams.clear('townhall');
    assert.equal(await python.xlen('townhall'), 0);
    const raced = await Promise.all([1, 2, 3, 4].map(() => streams.addFirst('townhall', kickoff)));
    assert.deepEqual(raced.toSorted(), [false, false, false, true]);
  });

  it('keeps no more than its limit, and nothing older than its age', async () => {
    const small = createStreams({
      server: { url: server.url },
      clock: systemClock,
      entries: 200,
      ageMs: 60_000,
      onProblem: (problem) => problems.push(problem.message),
    });
    for (let n = 0; n < 5; n += 1)
      await Promise.all(Array.from({ length: 200 }, () => small.add('jobs', { payload: 'x' })));
    // Whole blocks of a hundred entries are taken away.
    assert.ok((await python.xlen('jobs')) <= 300, String(await python.xlen('jobs')));
    for (let n = 1; n <= 300; n += 1) await python.xadd('old', `${n}-0`, 'payload', 'x');
    await small.add('old', { payload: 'new' });
    const left = await python.xrange('old', '-', '+');
    assert.ok(left.length <= 101, String(left.length));
    assert.deepEqual(left.at(-1)?.[1], ['payload', 'new']);
    small.close();
  });

  it('reads back what was said before, and goes on after it was cleared', async () => {
    for (let n = 0; n < 15; n += 1) await streams.add('townhall', { role: 'A', text: String(n) });
    const all = await streams.before('townhall', undefined, 100);
    const older = await streams.before('townhall', all[12]?.id, 3);
    assert.deepEqual(
      older.map((entry) => readTalk(entry)?.text),
      ['9', '10', '11'],
    );
    const got: string[] = [];
    await listen('B', got);
    await streams.clear('townhall');
    await streams.add('townhall', { role: 'A', text: 'anew' });
    await until('the new one', () => got.length === 1);
  });
});
