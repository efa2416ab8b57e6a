/** When connections are tried, seen from the other side: with the limits that people have, on a clock that is turned. */
import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { mock } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../limits.ts';
import { connectValkey } from '../valkey/connection.ts';
import { createMqttBus } from './mqtt.ts';

const tickMs = 250;
const nothing = () => undefined;

/** The least that a server says: what it answers to a packet of the client. */
const broker = ([first]: Buffer): Buffer | undefined => {
  if (first === 0x10) return Buffer.from([0x20, 3, 0, 0, 0]);
  return first === 0xc0 ? Buffer.from([0xd0, 0]) : undefined;
};
const loaded = 'redis_version:7.0.0\r\nloading:0\r\n';
const valkey = (): Buffer => Buffer.from(`$${loaded.length}\r\n${loaded}\r\n`);

const clients: readonly (readonly [
  name: string,
  open: (port: number) => Promise<() => unknown>,
  answer: (packet: Buffer) => Buffer | undefined,
])[] = [
  [
    'a broker',
    async (port) => {
      const bus = createMqttBus({ url: `mqtt://127.0.0.1:${port}` });
      return () => bus.close();
    },
    broker,
  ],
  [
    'a Valkey server',
    async (port) => {
      const connection = await connectValkey({ url: `redis://127.0.0.1:${port}` }, { up: nothing, down: nothing });
      return () => connection.close();
    },
    valkey,
  ],
];

async function listen(take: (socket: Socket) => void): Promise<readonly [server: Server, port: number]> {
  const server = createServer((socket) => take(socket.on('error', nothing)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return [server, (server.address() as AddressInfo).port];
}

/** A server that lets everybody in, turns all away, or says nothing more to those who are in. */
async function changingServer(answer: (packet: Buffer) => Buffer | undefined) {
  const tries: number[] = [];
  const inside = new Set<Socket>();
  let mood: 'open' | 'shut' | 'silent' = 'open';
  const [server, port] = await listen((socket) => {
    tries.push(Date.now());
    if (mood === 'shut') return void socket.destroy();
    inside.add(socket.on('close', () => inside.delete(socket)));
    socket.on('data', (packet) => {
      const said = mood === 'silent' ? undefined : answer(packet);
      if (said) socket.write(said);
    });
  });
  const cut = () => {
    for (const socket of inside) socket.destroy();
  };
  return {
    tries,
    inside,
    port,
    silence: () => void (mood = 'silent'),
    shut() {
      mood = 'shut';
      cut();
    },
    open: () => void (mood = 'open'),
    close() {
      cut();
      server.close();
    },
  };
}

describe('tries to connect', function () {
  this.timeout(30_000);
  before(() => Promise.all([import('mqtt'), import('ioredis')]));
  afterEach(() => mock.timers.reset());

  for (const [name, open, answer] of clients) {
    it(`to ${name} that throws out whoever comes are never less than a second nor more than a minute apart`, async () => {
      const tries: number[] = [];
      const [server, port] = await listen((socket) => {
        tries.push(Date.now());
        socket.destroy();
      });
      mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
      const close = await open(port);
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

    it(`to ${name} begin with the smallest pause again after a connection that stood for a while`, async () => {
      const server = await changingServer(answer);
      mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
      const close = await open(server.port);
      const pauses: number[] = [];
      const isThere = () => server.inside.size > 0;
      for (let outage = 0; outage < 3; outage += 1) {
        await turn(() => isThere());
        await turn(standsFor(limits.busSteadyMs + tickMs));
        server.shut();
        const [lost, before] = [Date.now(), server.tries.length];
        // The longer it lasts, the longer the pauses become.
        await turn(() => server.tries.length >= before + 3);
        pauses.push((server.tries[before] ?? 0) - lost);
        server.open();
      }
      mock.timers.reset();
      await close();
      server.close();
      const most = limits.busReconnectMinMs * 1.5 + 2 * tickMs;
      assert.ok(
        pauses.every((ms) => ms >= limits.busReconnectMinMs && ms <= most),
        pauses.join(', '),
      );
    });
  }

  it('begin with the smallest pause also when the broker fell silent', async () => {
    const server = await changingServer(broker);
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
    const bus = createMqttBus({ url: `mqtt://127.0.0.1:${server.port}` });
    let lost = 0;
    bus.onState((state) => {
      if (state === 'down') lost = Date.now();
    });
    await turn(() => bus.state === 'up');
    server.shut();
    const before = server.tries.length;
    await turn(() => server.tries.length >= before + 5);
    server.open();
    await turn(() => bus.state === 'up');
    await turn(standsFor(limits.busSteadyMs + tickMs));
    server.silence();
    const last = server.tries.length;
    await turn(() => server.tries.length > last);
    const ms = (server.tries[last] ?? 0) - lost;
    mock.timers.reset();
    await bus.close();
    server.close();
    assert.ok(ms <= limits.busReconnectMinMs * 1.5 + 2 * tickMs, `${ms}`);
  });
});

const standsFor = (ms: number): (() => boolean) => {
  const since = Date.now();
  return () => Date.now() - since >= ms;
};

/** Turns the clock until it is so. The network is real: it gets its time. */
async function turn(until: () => boolean): Promise<void> {
  const since = Date.now();
  while (!until()) {
    await pause(2);
    mock.timers.tick(tickMs);
    await pause(2);
    assert.ok(Date.now() - since < 600_000, 'it was never so in ten minutes');
  }
}
