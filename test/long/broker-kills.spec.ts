import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../engine/bus/bus.contract.ts';
import { startMosquitto } from '../mosquitto.ts';
import { randomFrom, seed } from '../red/tier.ts';
import { atRate, openKept } from './broker-kills.ts';

const kills = 10;
const perSecond = 200;

describe('a broker that is killed ten times under 200 messages a second', function () {
  this.timeout(300_000);

  it('loses nothing without it being counted, and nothing is handled twice', async () => {
    const random = randomFrom(seed());
    const [broker, folder] = await Promise.all([startMosquitto(), mkdtemp(path.join(tmpdir(), 'folkmoot-kills-'))]);
    const [sender, receiver] = await Promise.all(
      ['sender', 'receiver'].map((name) => openKept(broker.url, name, path.join(folder, name))),
    );
    assert.ok(sender && receiver);
    const handled = new Map<number, number>();
    const order: number[] = [];
    await receiver.bus.subscribe('home/lamp/set', ({ payload }) => {
      const n = Number(Buffer.from(payload).toString());
      handled.set(n, (handled.get(n) ?? 0) + 1);
      order.push(n);
    });
    await until('both are up', () => sender.bus.state === 'up' && receiver.bus.state === 'up');
    const stop = new AbortController();
    const refused: string[] = [];
    const sending = atRate(perSecond, stop.signal, (n) => {
      sender.bus
        .publish('home/lamp/set', { payload: String(n), keep: 'store' })
        .catch((error: Error) => refused.push(error.message));
    });
    const connects: number[] = [];
    sender.bus.onState((state) => void (state === 'up' && connects.push(Date.now())));
    for (let n = 0; n < kills; n += 1) {
      // Long enough to be connected, to wait for others, and to be under way again.
      await pause(6_000 + random() * 2_000);
      await broker.kill();
      await pause(random() * 1_500);
      await broker.restart();
    }
    await pause(1_000);
    stop.abort();
    const sent = await sending;
    await until('all came back', () => sender.metrics.snapshot().outbox.waiting === 0, 120_000);
    const { outbox } = sender.metrics.snapshot();
    const counted = outbox.maybeLost + Object.values(outbox.lost).reduce((sum, count) => sum + count, 0);
    const missing = Array.from({ length: sent }, (_, n) => n).filter((n) => !handled.has(n)).length;
    const twice = [...handled.values()].filter((count) => count > 1).length;
    const backwards = order.filter((n, at) => at > 0 && n < (order[at - 1] ?? 0)).length;
    const repeated = receiver.metrics.snapshot().topics['home/lamp/set']?.dropped['came before'] ?? 0;
    const figures = { kills, sent, handled: handled.size, missing, counted, twice, backwards, repeated, ...outbox };
    console.log(`      ${JSON.stringify(figures)}`);
    await Promise.all([sender.close(), receiver.close()]);
    await broker.stop();
    await rm(folder, { recursive: true, force: true });
    assert.ok(sent > kills * perSecond, `${sent}`);
    assert.deepEqual(refused, []);
    assert.ok(missing <= counted, `${missing} are missing, ${counted} were counted`);
    assert.deepEqual([twice, backwards], [0, 0]);
  });

  it('is beside a peer that sends garbage a thousand times a second for ten seconds', async () => {
    const [broker, folder] = await Promise.all([startMosquitto(), mkdtemp(path.join(tmpdir(), 'folkmoot-garbage-'))]);
    const [house, peer] = await Promise.all(
      ['house', 'peer'].map((name) => openKept(broker.url, name, path.join(folder, name))),
    );
    assert.ok(house && peer);
    let garbage = 0;
    await house.bus.subscribe('home/#', ({ topic }) => void (topic === 'home/garbage' ? (garbage += 1) : undefined));
    await house.bus.subscribe('home/ask', (question) =>
      house.bus.publish(question.responseTopic ?? '', { payload: 'yes', correlation: question.correlation ?? '' }),
    );
    await until('both are up', () => house.bus.state === 'up' && peer.bus.state === 'up');
    const stop = new AbortController();
    const random = randomFrom(seed());
    const flood = atRate(1_000, stop.signal, () => {
      const payload = Buffer.from(Array.from({ length: 1 + Math.floor(random() * 200) }, () => random() * 256));
      peer.bus.publish('home/garbage', { payload, qos: 0 }).catch(() => undefined);
    });
    const times: number[] = [];
    for (const end = Date.now() + 10_000; Date.now() < end;) {
      const began = performance.now();
      await peer.bus.request('home/ask', { payload: '?' }, { timeoutMs: 5_000 });
      times.push(performance.now() - began);
      await pause(20);
    }
    stop.abort();
    const sent = await flood;
    times.sort((a, b) => a - b);
    const slowest = Math.round(times.at(-1) ?? 0);
    console.log(`      ${sent} of garbage, ${garbage} came; ${times.length} answers, the slowest after ${slowest} ms`);
    await Promise.all([house.close(), peer.close()]);
    await broker.stop();
    await rm(folder, { recursive: true, force: true });
    assert.ok(sent >= 9_000 && times.length > 50);
    assert.ok(slowest < 3_000);
  });
});
