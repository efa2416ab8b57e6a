/** When connections are tried, seen from the other side: with the limits that people have, on a clock that is turned. */
import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { mock } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../limits.ts';
import { connectValkey } from '../valkey/connection.ts';
import { createMqttBus } from './mqtt.ts';

const tickMs = 250;
const nothing = () => undefined;

const clients: readonly (readonly [name: string, open: (port: number) => Promise<() => unknown>])[] = [
  [
    'a broker',
    async (port) => {
      const bus = createMqttBus({ url: `mqtt://127.0.0.1:${port}` });
      return () => bus.close();
    },
  ],
  [
    'a Valkey server',
    async (port) => {
      const connection = await connectValkey({ url: `redis://127.0.0.1:${port}` }, { up: nothing, down: nothing });
      return () => connection.close();
    },
  ],
];

describe('tries to connect', function () {
  this.timeout(30_000);
  before(() => Promise.all([import('mqtt'), import('ioredis')]));
  afterEach(() => mock.timers.reset());

  for (const [name, open] of clients) {
    it(`to ${name} that throws out whoever comes are never less than a second nor more than a minute apart`, async () => {
      const tries: number[] = [];
      const server = createServer((socket) => {
        tries.push(Date.now());
        socket.on('error', nothing).destroy();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
      const close = await open((server.address() as AddressInfo).port);
      for (let seen = 0; tries.length < 12;) {
        // The network is real: it gets its time, more of it after a try.
        await pause(tries.length > seen ? 20 : 1);
        seen = tries.length;
        mock.timers.tick(tickMs);
        assert.ok(Date.now() < 1_200_000, `only ${tries.length} tries in 20 minutes`);
      }
      const between = tries.slice(1).map((at, n) => at - (tries[n] ?? 0));
      mock.timers.reset();
      await close();
      server.close();
      assert.ok(Math.min(...between) >= limits.busReconnectMinMs, between.join(', '));
      assert.ok(Math.max(...between) <= limits.busReconnectMaxMs, between.join(', '));
      // They grow, and then stay near to the most.
      assert.ok(
        between.slice(-3).every((ms) => ms > limits.busReconnectMaxMs / 2),
        between.join(', '),
      );
    });
  }
});
