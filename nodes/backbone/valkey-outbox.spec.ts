/** What leaves over a Valkey server, when that server or this process goes and comes back. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { startValkey, type TestValkey } from '../../test/valkey-server.ts';
import { newTopic, textOf, until } from '../../engine/bus/bus.contract.ts';
import type { BusMessage } from '../../engine/bus/bus.ts';
import { writeEnded, writeResponse } from '../../engine/bus/amica.ts';
import { createValkeyStreamsBus } from '../../engine/bus/valkey-streams.ts';
import { openBackbone, type Backbone, type BackboneSettings } from './open-backbone.ts';

describe('what leaves over a Valkey server', function () {
  this.timeout(30_000);
  let server: TestValkey;
  let storePath: string;
  const open: Pick<Backbone, 'close'>[] = [];
  let client: Redis | undefined;
  beforeEach(async () => {
    [server, storePath] = await Promise.all([
      startValkey({ persists: true }),
      mkdtemp(join(tmpdir(), 'folkmoot-outbox-')),
    ]);
  });
  afterEach(async () => {
    client?.disconnect();
    client = undefined;
    for (const backbone of open.splice(0)) await backbone.close();
    await server.stop();
    await rm(storePath, { recursive: true, force: true });
  });
  const start = async (bus: BackboneSettings['bus']) => {
    const backbone = await openBackbone({ bus, busUrl: server.url, store: 'embedded', storePath, house: 'home' });
    open.push(backbone);
    return backbone;
  };
  const up = (backbone: Backbone) => until('the connection', () => backbone.bus.state === 'up', 10_000);

  it('waits for it over a restart of this process, and comes in order and once', async () => {
    const topic = newTopic();
    await server.kill();
    const first = await start('valkey-streams');
    for (const payload of ['1', '2', '3']) {
      first.bus.publish(topic, { payload, keep: 'store' }).catch(() => undefined);
    }
    await until('they wait', () => first.metrics.snapshot().outbox.waiting === 3);
    await until('they are kept', async () => (await first.store.scan('folkmoot:{home}:outbox:')).length === 3);
    await first.close();
    open.splice(0);
    await server.restart();
    const other = createValkeyStreamsBus({ url: server.url });
    open.push(other);
    const got: BusMessage[] = [];
    await until('the other one', () => other.state === 'up');
    await other.subscribe(topic, (message) => void got.push(message));
    const second = await start('valkey-streams');
    await until('all of them', () => got.length === 3, 10_000);
    assert.deepEqual(got.map(textOf), ['1', '2', '3']);
    await until('nothing waits any more', () => second.metrics.snapshot().outbox.waiting === 0);
    await until('nothing is kept', async () => (await second.store.scan('folkmoot:{home}:outbox:')).length === 0);
    assert.deepEqual(second.metrics.snapshot().topics[topic]?.out, 3);
  });

  it('is counted once, also what is not kept', async () => {
    const backbone = await start('valkey-streams');
    await up(backbone);
    const topic = newTopic();
    const out = () => backbone.metrics.snapshot().topics[topic]?.out;
    await backbone.bus.publish(topic, { payload: 'x', keep: 'store' });
    await until('it is counted', () => out() === 1);
    await backbone.bus.publish(topic, { payload: 'y' });
    assert.equal(out(), 2);
  });

  it('is plain on channels where others read it, and kept where it is a reply of ours', async () => {
    const backbone = await start('valkey-pubsub');
    await up(backbone);
    client = new Redis(server.url);
    const texts: string[] = [];
    client.on('message', (_channel, text) => texts.push(text));
    const ended = writeEnded('c-1');
    await client.subscribe('lamp/set', 'es.nachobrito.amica.system.event.v1', 'es.nachobrito.amica.replies.r-1');
    await backbone.bus.publish('lamp/set', { payload: '{"state":"ON"}', keep: 'store' });
    await backbone.bus.publish(ended.topic, { ...ended.message, keep: 'memory' });
    const common = { requestId: 'r-1', conversationId: 'c-1', message: 'on', isComplete: true, sequence: 1, atMs: 0 };
    const reply = writeResponse({ ...common, agentId: 'folkmoot-home' });
    await backbone.bus.publish(reply.topic, { ...reply.message, keep: 'memory' });
    await until('all three', () => texts.length === 3);
    assert.equal(texts[0], '{"state":"ON"}');
    assert.doesNotMatch(texts[1] ?? '', /folkmootProperties/);
    assert.match(texts[2] ?? '', /OUTBOX_ID/);
  });
});
