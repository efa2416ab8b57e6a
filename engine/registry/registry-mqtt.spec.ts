/** Houses in processes of their own on a real broker: killed, and with the broker killed under them. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { TestBroker } from '../../test/broker.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { openHouse, someAgent, type House } from '../../test/registry-house.ts';
import { until } from '../bus/bus.contract.ts';
import type { Bus } from '../bus/bus.ts';
import { createMqttBus } from '../bus/mqtt.ts';
import { systemClock } from '../clock.ts';
import { askDirected } from './directed-ask.ts';
import { presenceWill } from './presence.ts';

const program = fileURLToPath(new URL('../../test/registry-house.child.ts', import.meta.url));

describe('houses on a broker', function () {
  this.timeout(20_000);
  let broker: TestBroker;
  let bus: Bus;
  let south: House;
  let children: ChildProcess[];
  beforeEach(async () => {
    broker = await startMosquitto();
    const identity = { house: 'south', process: 'p-south', since: new Date().toISOString() };
    const will = presenceWill(identity);
    bus = createMqttBus({ url: broker.url, clientId: 'folkmoot-p-south', will, reconnectMinMs: 20 });
    south = await openHouse({ bus, clock: systemClock, ...identity });
    children = [];
  });
  afterEach(async () => {
    for (const child of children) await killed(child);
    await south.close();
    await bus.close();
    await broker.stop();
  });
  const killed = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const start = async () => {
    const child = spawn(process.execPath, [program, broker.url, 'north'], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    await once(child.stdout, 'data');
    return child;
  };
  /** It has begun with what never ends. */
  const begun = (child: ChildProcess & { readonly stdout: Readable }) => once(child.stdout, 'data');
  const status = () => south.registry.agent('lamp-agent')?.status;
  const ask = (payload: string, id = 's1') =>
    askDirected({
      clock: systemClock,
      ...{ bus, registry: south.registry, sender: south.sender, agentId: 'lamp-agent', kind: 'step', payload },
      moot: { v: 1, ask: { id: `ask:r1/${id}` } },
      deadlineMs: 10_000,
      signal: new AbortController().signal,
    });

  it('ask each other, and one that is killed in the middle is said to be gone long before the deadline', async () => {
    const child = await start();
    await until('it is there', () => status() === 'online');
    assert.equal((await ask('light on')).payload, 'done: light on');
    const asked = ask('never', 's2');
    await begun(child);
    const since = Date.now();
    child.kill('SIGKILL');
    const answer = await asked;
    const ms = Date.now() - since;
    console.log(`      a killed process is told after ${ms} ms`);
    assert.equal(answer.payload, 'lamp-agent went away while it worked.');
    assert.ok(ms < 3_000);
    assert.equal(status(), 'offline');
    // Who comes later is told so as well.
    const late = createMqttBus({ url: broker.url });
    const told: string[] = [];
    await late.subscribe(
      'folkmoot/v1/presence/p-north',
      ({ payload }) => void told.push(Buffer.from(payload).toString()),
    );
    await until('what is retained', () => told.length > 0);
    assert.match(told[0] ?? '', /"status":"offline"/);
    await late.close();
    await start();
    await until('it is there again', () => status() === 'online');
    assert.equal((await ask('again', 's3')).payload, 'done: again');
  });

  it('show presence and cards again when the broker was killed and forgot them', async () => {
    await start();
    south.cards.join(someAgent('lawn-agent'), () => undefined);
    await until('it is there', () => status() === 'online');
    await broker.kill();
    await until('the connection is gone', () => bus.state === 'down');
    assert.equal((await ask('while it is down')).status, 'failed');
    await broker.restart();
    const other = createMqttBus({ url: broker.url });
    const found: string[] = [];
    await other.subscribe('folkmoot/v1/+/+', ({ topic }) => void found.push(topic));
    const topics = ['presence/p-north', 'presence/p-south', 'agents/lamp-agent', 'agents/lawn-agent'];
    await until('all of it', () => topics.every((topic) => found.includes(`folkmoot/v1/${topic}`)), 15_000);
    assert.equal((await ask('after', 's4')).payload, 'done: after');
    await other.close();
  });
});
