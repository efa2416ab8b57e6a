/** Messages that must not come late: sent now, or an error. */
import assert from 'node:assert/strict';
import { startAedes } from '../../test/aedes.ts';
import type { TestBroker } from '../../test/broker.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { newTopic, textOf, until } from './bus.contract.ts';
import type { Bus } from './bus.ts';
import { createMqttBus } from './mqtt.ts';

const quick = { reconnectMinMs: 50, reconnectMaxMs: 400, connectTimeoutMs: 200 };

for (const start of [startMosquitto, startAedes] as (() => Promise<TestBroker>)[]) {
  describe(`messages that must not come late, on ${start === startAedes ? 'aedes' : 'mosquitto'}`, function () {
    this.timeout(20_000);
    let broker: TestBroker;
    let bus: Bus;
    before(async () => {
      broker = await start();
    });
    after(() => broker.stop());
    beforeEach(async () => {
      bus = createMqttBus({ url: broker.url, ...quick });
      await until('the connection', () => bus.state === 'up');
    });
    afterEach(() => bus.close());

    it('are sent as others are while the connection stands', async () => {
      const topic = newTopic();
      const got: string[] = [];
      await bus.subscribe(topic, (message) => void got.push(textOf(message)));
      await bus.publish(topic, { payload: 'now', onlyNow: true });
      await until('the message', () => got.length === 1);
    });

    it('are an error at once while the broker is gone, and never come afterwards', async () => {
      const topic = newTopic();
      const got: string[] = [];
      await bus.subscribe(topic, (message) => void got.push(textOf(message)));
      await broker.kill();
      await until('the loss', () => bus.state === 'down');
      await assert.rejects(bus.publish(topic, { payload: 'late', onlyNow: true }), { code: 'FOLKMOOT_BUS_LOST' });
      const kept = bus.publish(topic, { payload: 'kept' });
      await broker.restart();
      await kept;
      await until('what was kept', () => got.includes('kept'));
      assert.deepEqual(got, ['kept']);
    });

    it('that are under way when the broker dies end as an error or as sent, and are not sent again', async () => {
      const topic = newTopic();
      const ends = Array.from({ length: 50 }, (_, n) =>
        bus.publish(topic, { payload: `n${n}`, onlyNow: true }).then(
          () => 'sent',
          (error: { code?: string }) => error.code,
        ),
      );
      await broker.kill();
      for (const end of await Promise.all(ends)) assert.match(String(end), /^(sent|FOLKMOOT_BUS_LOST)$/);
      await broker.restart();
      const got: string[] = [];
      await bus.subscribe(topic, (message) => void got.push(textOf(message)));
      await bus.publish(topic, { payload: 'fence' });
      await until('the fence', () => got.includes('fence'));
      assert.deepEqual(got, ['fence']);
    });
  });
}
