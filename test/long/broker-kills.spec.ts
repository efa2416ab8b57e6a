import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../engine/bus/bus.contract.ts';
import { startMosquitto } from '../mosquitto.ts';
import { randomFrom, seed } from '../red/tier.ts';
import { atRate, openKept } from './broker-kills.ts';
import { lateWire } from './late-wire.ts';

const kills = 10;
const perSecond = 200;
/** What the broker acknowledged reaches the receiver, and comes back to the sender, so much later. */
const lateMs = { sender: 100, receiver: 50 };
/** With its usual 20 unacknowledged messages for each client it would pass on too few in this time. */
const lines = ['max_inflight_messages 100'];

describe('a broker that is killed ten times under 200 messages a second', function () {
  this.timeout(300_000);

  it('loses nothing without it being counted, and nothing is handled twice', async () => {
    const random = randomFrom(seed());
    const [broker, folder] = await Promise.all([
      startMosquitto({ lines }),
      mkdtemp(path.join(tmpdir(), 'folkmoot-kills-')),
    ]);
    const wires = await Promise.all([lateMs.sender, lateMs.receiver].map((ms) => lateWire(broker.port, ms)));
    const [sender, receiver] = await Promise.all(
      ['sender', 'receiver'].map((name, n) => openKept(wires[n]?.url ?? '', name, path.join(folder, name))),
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
    const again = (sender.metrics.snapshot().topics['home/lamp/set']?.out ?? 0) - sent;
    const figures = {
      kills,
      sent,
      handled: handled.size,
      again,
      missing,
      counted,
      twice,
      backwards,
      repeated,
      ...outbox,
    };
    console.log(`      ${JSON.stringify(figures)}`);
    await Promise.all([sender.close(), receiver.close()]);
    await Promise.all([broker.stop(), ...wires.map((wire) => wire.close())]);
    await rm(folder, { recursive: true, force: true });
    assert.ok(sent > kills * perSecond, `${sent}`);
    assert.equal(refused.length, 0, refused[0]);
    assert.ok(missing <= counted, `${missing} are missing, ${counted} were counted`);
    assert.deepEqual([twice, backwards], [0, 0]);
    // Else nothing was acknowledged and lost, and nothing came again: then this shows little.
    assert.ok(again > kills && repeated > kills, `${again} sent again, ${repeated} came again`);
  });
});
