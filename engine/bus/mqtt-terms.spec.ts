/** What a broker does not take, and two programs of one name: errors once, and no loop. */
import assert from 'node:assert/strict';
import { startMosquitto } from '../../test/mosquitto.ts';
import { newTopic, until } from './bus.contract.ts';
import { createMqttBus } from './mqtt.ts';

const quick = { reconnectMinMs: 50, reconnectMaxMs: 400, connectTimeoutMs: 200 };

describe('a connection to a broker', function () {
  this.timeout(20_000);

  it('refuses what is larger than the broker takes, before it would end the connection over it', async () => {
    const broker = await startMosquitto({ lines: ['max_packet_size 2000'] });
    const bus = createMqttBus({ url: broker.url, ...quick });
    const states: string[] = [];
    bus.onState((state) => states.push(state));
    await until('the connection', () => bus.state === 'up');
    const large = { payload: 'x'.repeat(1_990) };
    await assert.rejects(bus.publish(newTopic(), large), { code: 'FOLKMOOT_LIMIT' });
    await bus.publish(newTopic(), { payload: 'x'.repeat(1_500) });
    assert.deepEqual(states.slice(-1), ['up']);
    assert.equal(states.filter((state) => state === 'down').length, 0);
    await bus.close();
    await broker.stop();
  });

  it('takes another name when it is thrown out by a namesake again and again, so that both stay', async () => {
    const broker = await startMosquitto();
    const buses = [1, 2].map(() => createMqttBus({ url: broker.url, clientId: 'folkmoot-twin', ...quick }));
    let losses = 0;
    for (const bus of buses) bus.onState((state) => void (state === 'down' && (losses += 1)));
    const areUp = () => buses.every(({ state }) => state === 'up');
    await until('a loss', () => losses > 2, 10_000);
    let calmSince = Date.now();
    await until(
      'a peace that lasts',
      () => {
        if (!areUp()) calmSince = Date.now();
        return Date.now() - calmSince > 3 * quick.reconnectMaxMs;
      },
      15_000,
    );
    const before = losses;
    const got: string[] = [];
    const topic = newTopic();
    for (const [n, bus] of buses.entries()) await bus.subscribe(topic, () => void got.push(`${n}`));
    await buses[0]?.publish(topic, { payload: 'x' });
    await until('both have it', () => got.length === 2);
    assert.equal(losses, before);
    await Promise.all(buses.map((bus) => bus.close()));
    await broker.stop();
  });
});
