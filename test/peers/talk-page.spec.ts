/** The program in Python on the page about streams, run as it stands there. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { systemClock } from '../../engine/clock.ts';
import { createTownhallSeat } from '../../engine/conversation/townhall-seat.ts';
import { createStreams, type Streams } from '../../engine/valkey/streams.ts';
import { root } from '../structure/sources.ts';
import { startValkey, type TestValkey } from '../valkey-server.ts';
import { installPython } from './programs.ts';

describe('the townhall’s third one, in Python', function () {
  this.timeout(240_000);
  let folder: string;
  let server: TestValkey;
  let streams: Streams;
  let client: Redis;
  let smith: ChildProcess | undefined;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'folkmoot-talk-'));
    await installPython(folder);
    server = await startValkey();
    client = new Redis(server.url);
    const onProblem = (problem: Error) => assert.fail(problem);
    streams = createStreams({ server: { url: server.url }, clock: systemClock, onProblem });
  });
  after(async () => {
    smith?.kill('SIGKILL');
    streams?.close();
    client?.disconnect();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const lines = async () =>
    (await streams.before('townhall', undefined, 100)).map(
      ({ fields }) => `${String(fields['role'])}: ${String(fields['text'])}`,
    );
  const untilSaid = async (line: string, said: () => string) => {
    for (const end = Date.now() + 20_000; !(await lines()).includes(line); await pause(20)) {
      assert.ok(Date.now() < end, `"${line}" is not among: ${(await lines()).join(' | ')}\n${said()}`);
    }
  };

  it('talks with a role of ours, and neither answers itself', async () => {
    const page = await readFile(path.join(root, 'docs', 'backbone.md'), 'utf8');
    const [, script = ''] = /```python\n([^]*?)```/.exec(page) ?? [];
    assert.match(script, /redis\.Redis\(/);
    const here = script.replace('redis.Redis(', `redis.Redis(port=${server.port}, `);
    const child = spawn('python3', ['-c', here], { env: { ...process.env, PYTHONPATH: folder } });
    smith = child;
    let said = '';
    child.stderr.on('data', (data: Buffer) => (said += data.toString()));
    const seat = createTownhallSeat({
      role: 'Mayor',
      clock: systemClock,
      cooldownMs: 1,
      replies: 2,
      stream: {
        before: (id, count) => streams.before('townhall', id, count),
        after: (id, count) => streams.after('townhall', id, count),
        add: (entry) => streams.add('townhall', { ...entry }),
      },
      speak: ({ last }) => Promise.resolve(last.role === 'Judge' ? 'Bandits!' : 'I did.'),
      onProblem: (problem) => assert.fail(problem),
    });
    const take = seat.take.bind(seat);
    const group = streams.group({ key: 'townhall', group: 'Mayor', consumer: 'Mayor', handle: take });
    await group.ready;
    // Its group begins when it runs: until then it hears nothing.
    const isThere = async () => JSON.stringify(await client.call('XINFO', 'GROUPS', 'townhall')).includes('"Smith"');
    for (const end = Date.now() + 20_000; !(await isThere()); await pause(20)) assert.ok(Date.now() < end, said);
    await streams.add('townhall', { role: 'Judge', text: 'Order!' });
    await untilSaid('Smith: Did you say: I did.?', () => said);
    const all = await lines();
    console.log(`      ${all.join(' | ')}`);
    assert.ok(all.some((line) => line.startsWith('Mayor: ')));
    const roles = all.map((line) => line.split(':')[0]);
    assert.ok(
      roles.every((role, n) => role !== roles[n - 1]),
      all.join(' | '),
    );
    seat.close();
    group.close();
  });
});
