/** Work of a stream that several houses share: done by one of them, whenever one dies, stands still or comes back. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { until as isSo } from '../../engine/bus/bus.contract.ts';
import { fakeClock } from '../../engine/clock.ts';
import type { TakenInfo } from '../../engine/moot.ts';
import { agent, config, modules as team, router } from '../../test/red/team-flow.ts';
import { arrivals, load, node, onTab, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import { startValkey, type TestValkey } from '../../test/valkey-server.ts';
import applyNode from '../apply/apply.ts';
import { runFeed, useClock, type RunEnded } from '../shared/process.ts';
import type { RedMessage } from '../shared/red.ts';
import busInNode from './bus-in.ts';

const key = 'folkmoot:stream:jobs';
const group = 'team';
const modules = [...team, applyNode, busInNode] as never[];
const helper = (id: string, ...wires: string[]) => ({ id, type: 'helper', wires: [wires] });

describe('work of a stream that houses share', function () {
  this.timeout(30_000);
  let server: TestValkey;
  let client: Redis;
  let storePath: string;
  let ended: RunEnded[] = [];
  let stop: () => void;
  before(async () => {
    [server, storePath] = await Promise.all([startValkey(), mkdtemp(join(tmpdir(), 'folkmoot-shared-'))]);
    client = new Redis(server.url);
    stop = runFeed.onEnded((run) => ended.push(run));
    await startServer();
  });
  after(async () => {
    stop();
    await stopServer();
    client.disconnect();
    await server.stop();
    await rm(storePath, { recursive: true, force: true });
  });
  beforeEach(async () => {
    ended = [];
    await client.flushall();
  });
  afterEach(async () => {
    useClock();
    await unload();
  });

  /** What is asked of the agent, and what goes to apply, is held until the spec lets it go. */
  const start = async (from: 'router' | 'held' = 'router') => {
    const places = { store: 'valkey', storeUrl: server.url, storePath, house: 'home' };
    await load(modules, [
      { id: 'b', type: 'folkmoot-backbone', bus: 'in-process', ...places },
      ...config(),
      ...onTab([
        { id: 'in', type: 'folkmoot-bus-in', mode: 'stream', stream: 'jobs', shareWork: true, shareName: group, backbone: 'b', wires: [[from]] }, // prettier-ignore
        router(['hold'], { backbone: 'b', wires: [['held'], ['fallback'], ['events'], ['hold']] }),
        helper('hold', 'lights'),
        agent('lights', 'lights', ['SetLight'], { backbone: 'b' }),
        helper('held', 'apply'),
        { id: 'apply', type: 'folkmoot-apply', language: 'lang', backbone: 'b', rows: [{ kind: 'function', target: 'SetLight', waitMs: 50 }], outputs: 2, wires: [['report'], ['lamp']] }, // prettier-ignore
        ...['lamp', 'report', 'fallback', 'events'].map((id) => helper(id)),
      ]),
    ]);
    const [asked, held, lamp, report] = ['hold', 'held', 'lamp', 'report'].map(arrivals) as [
      RedMessage[],
      RedMessage[],
      RedMessage[],
      RedMessage[],
    ];
    await isSo('its group', async () =>
      JSON.stringify(await client.call('XINFO', 'GROUPS', key).catch(() => '')).includes(group),
    );
    return { asked, held, lamp, report };
  };
  const add = async () =>
    (await client.xadd(key, '*', 'payload', 'turn the kitchen light on')) ?? assert.fail('no entry');
  const holder = async (id: string) => ((await client.xpending(key, group, id, id, 1)) as unknown[][])[0]?.[1];
  const claim = (id: string) => client.xclaim(key, group, 'elsewhere', 0, id, 'JUSTID');
  const markOf = (id: string) => `folkmoot:{${key}}:did:${group}:${id}`;
  const mark = (id: string, consumer: string) => client.set(markOf(id), consumer);
  const marked = (id: string) => client.get(markOf(id));
  const go = (from: string, [message]: readonly RedMessage[]) => node(from).send(message as RedMessage);
  const takenOf = (message: RedMessage | undefined): TakenInfo =>
    message?.moot?.request?.taken ?? assert.fail('not taken');

  /** A house that was stopped while its agent was asked. */
  const interrupted = async () => {
    const { asked } = await start();
    const id = await add();
    await until(() => asked.length === 1);
    await unload();
    assert.notEqual(await holder(id), undefined);
    return id;
  };
  /** Nobody is asked, nothing is sent, and the run is over. */
  const isLeft = async () => {
    const { asked, held, lamp } = await start();
    await until(() => ended.length === 1);
    assert.deepEqual([ended[0]?.outcome, asked.length, held.length, lamp.length], ['cancelled', 0, 0, 0]);
    await isSo('no open run', async () => (await client.keys('*:runs:*')).length === 0);
  };

  it('goes on after a restart when nobody took it over, and is acknowledged when it is done', async () => {
    const id = await interrupted();
    const { asked, held, lamp, report } = await start();
    await until(() => asked.length === 1);
    go('hold', asked);
    await until(() => held.length === 1);
    go('held', held);
    await until(() => report.length === 1);
    assert.equal(lamp.length, 1);
    await isSo('it is acknowledged', async () => (await holder(id)) === undefined);
    assert.equal(await marked(id), takenOf(held[0]).consumer);
  });

  it('ends after a restart when another house has it: nobody is asked, and it stays with that house', async () => {
    const id = await interrupted();
    await claim(id);
    await isLeft();
    assert.equal(await holder(id), 'elsewhere');
  });

  it('ends after a restart when another house did it', async () => {
    const id = await interrupted();
    await claim(id);
    await client.xack(key, group, id);
    await isLeft();
  });

  it('goes on after a restart when it had begun to act, for then no other does it', async () => {
    const id = await interrupted();
    // Killed between its mark and what it did.
    await mark(id, String(await holder(id)));
    await claim(id);
    await client.xack(key, group, id);
    const { asked, held, lamp, report } = await start();
    await until(() => asked.length === 1);
    go('hold', asked);
    await until(() => held.length === 1);
    go('held', held);
    await until(() => report.length === 1);
    assert.equal(lamp.length, 1);
  });

  it('is not acted on by a house that stood still while another one took it', async () => {
    const { asked, held, lamp } = await start();
    const id = await add();
    await until(() => asked.length === 1);
    await claim(id);
    go('hold', asked);
    await until(() => ended.length === 1);
    assert.deepEqual([ended[0]?.outcome, held.length, lamp.length], ['cancelled', 0, 0]);
    // Not acknowledged for the other one.
    const next = await add();
    await until(() => asked.length === 2);
    assert.deepEqual([await holder(id), typeof (await holder(next))], ['elsewhere', 'string']);
  });

  it('is not given to the flow when another house had begun to act, or this one had done it', async () => {
    const clock = fakeClock();
    const first = await start('held');
    // Whether a run takes it is not decided before the end.
    useClock(clock);
    const [theirs, ours, fresh] = [await add(), await add(), await add()];
    await until(() => first.held.length === 3);
    const consumer = String(await holder(ours));
    await unload();
    useClock();
    await mark(theirs, 'elsewhere');
    await mark(ours, consumer);
    const { held } = await start('held');
    await until(() => held.length === 1);
    assert.equal(takenOf(held[0]).id, fresh);
    await isSo('all are acknowledged', async () => Number((await client.xpending(key, group))[0]) === 0);
    assert.equal(held.length, 1);
    assert.equal(await marked(fresh), consumer);
  });

  it('is not carried out by apply without a run either, when another house took it', async () => {
    const { held, lamp, report } = await start('held');
    const id = await add();
    await until(() => held.length === 1);
    const mutation = {
      id: 'm1',
      function: 'SetLight',
      parameters: { room: 'kitchen', state: 'on' },
      risk: 'reversible',
    };
    const message = { ...held[0], moot: { ...held[0]?.moot, mutations: [mutation] } } as RedMessage;
    await claim(id);
    go('held', [message]);
    const next = await add();
    await until(() => held.length === 2);
    go('held', [{ ...held[1], moot: { ...held[1]?.moot, mutations: [{ ...mutation, id: 'm2' }] } } as RedMessage]);
    await until(() => report.length === 1);
    assert.equal(lamp.length, 1);
    assert.equal(takenOf(lamp[0]).id, next);
  });
});
