/** What becomes of asks when the broker dies and comes back: asker and asked lose it, and come back one after the other. */
import assert from 'node:assert/strict';
import { losableWire, type LosableWire } from '../../test/losable-wire.ts';
import { answered, aBus, never, openHouse, someAgent, type House } from '../../test/registry-house.ts';
import type { Bus, BusMessage } from '../bus/bus.ts';
import { ourTopics } from '../bus/topics.ts';
import { fakeClock, type FakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import type { AskAnswer } from '../moot.ts';
import type { DirectedAsk } from './ask-service.ts';
import { askDirected, callTool } from './directed-ask.ts';
import { returnMs } from './outage.ts';
import { presenceWill } from './presence.ts';
import { backEveryMs, backMs } from './repeated-request.ts';

describe('a directed ask and a broker that dies', () => {
  let clock: FakeClock;
  let broker: Bus;
  let wires: { readonly north: LosableWire; readonly south: LosableWire };
  let north: House;
  let south: House;
  let works: DirectedAsk[];
  let asks: BusMessage[];
  beforeEach(async () => {
    clock = fakeClock();
    broker = aBus(clock);
    wires = { north: losableWire(broker, 'north', clock), south: losableWire(broker, 'south', clock) };
    north = await openHouse({ bus: wires.north.bus, clock, house: 'north' });
    south = await openHouse({ bus: wires.south.bus, clock, house: 'south' });
    north.cards.join(someAgent('lamp-agent', { name: 'Lamp' }), () => undefined);
    [works, asks] = [[], []];
    await broker.subscribe(ourTopics.agentAsk('lamp-agent'), (message) => void asks.push(message));
    await settle();
  });
  afterEach(async () => {
    await north.close();
    await south.close();
    await broker.close();
    await clock.advance(limits.registryReadyMs);
    assert.equal(clock.waiting, 0);
  });
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await clock.advance(0);
  };
  const serve = (answer: (ask: DirectedAsk) => AskAnswer | Promise<AskAnswer>) =>
    north.serve('lamp-agent', async (one) => {
      works.push(one);
      return answer(one);
    });
  const asker = (signal = new AbortController().signal) => ({
    ...{ bus: wires.south.bus, registry: south.registry, sender: south.sender, deadlineMs: 60_000, signal },
  });
  const ask = (more: Partial<Parameters<typeof askDirected>[0]> = {}) => {
    const moot = { v: 1 as const, run: 'r1', ask: { id: 'ask:r1/s1' } };
    return askDirected({ ...asker(), clock, agentId: 'lamp-agent', kind: 'step', payload: 'on', moot, ...more });
  };
  /** The agent's work, which ends when the spec says so. */
  const longWork = (): ((words: string) => void) => {
    const { promise, resolve } = Promise.withResolvers<AskAnswer>();
    serve(() => promise);
    return (words) => resolve(answered(words));
  };
  const dies = async () => {
    wires.north.lose();
    wires.south.lose();
    await clock.advance(1_000);
  };
  const comesBack = async (...who: readonly ('north' | 'south')[]) => {
    for (const one of who) wires[one].comeBack();
    await settle();
  };
  /** Whether it is answered by now, and how. */
  const look = async (asked: ReturnType<typeof ask>) => {
    await settle();
    const answer = await Promise.race([asked, Promise.resolve(undefined)]);
    return answer && [answer.status, answer.payload];
  };

  it('whose answer was lost with it is asked again, and gets the same answer of the same work', async () => {
    const end = longWork();
    await settle();
    const asked = ask();
    await settle();
    await dies();
    end('done');
    await settle();
    await comesBack('north', 'south');
    await clock.advance(backMs - 1);
    assert.equal(await look(asked), undefined);
    await clock.advance(1);
    assert.deepEqual(await look(asked), ['answered', 'done']);
    assert.equal(works.length, 1);
    assert.equal(new Set(asks.map(({ correlation }) => correlation)).size, 2, 'under another correlation');
    assert.deepEqual(
      asks.map(({ payload }) => (JSON.parse(Buffer.from(payload).toString()) as { deadline: number }).deadline),
      [60_000, 60_000 - 1_000 - backMs],
    );
    await clock.advance(backEveryMs * 2);
    assert.equal(asks.length, 2, 'and not any more');
  });

  it('that is in work joins that work, also when the asker alone lost the broker', async () => {
    const end = longWork();
    await settle();
    const asked = ask();
    await settle();
    await dies();
    await comesBack('north', 'south');
    await clock.advance(returnMs + backEveryMs);
    wires.south.lose();
    await clock.advance(1_000);
    wires.south.comeBack(false);
    await clock.advance(backMs);
    assert.equal(await look(asked), undefined);
    assert.equal(asks.length, 6);
    end('done');
    assert.deepEqual(await look(asked), ['answered', 'done']);
    assert.equal(works.length, 1);
  });

  it('is asked again and again until who was asked is back', async () => {
    serve(() => answered('done'));
    await settle();
    wires.south.lose();
    await clock.advance(1_000);
    wires.north.lose();
    await comesBack('south');
    const asked = ask();
    await settle();
    await clock.advance(backMs + backEveryMs);
    assert.equal(works.length, 0);
    await comesBack('north');
    await clock.advance(backEveryMs - 1);
    assert.equal(await look(asked), undefined);
    await clock.advance(1);
    assert.deepEqual(await look(asked), ['answered', 'done']);
    assert.deepEqual([asks.length, works.length], [4, 1]);
  });

  it('that the loss broke off on its way out is asked when the broker is back', async () => {
    serve(() => answered('done'));
    await settle();
    const asked = ask();
    wires.south.lose();
    await clock.advance(1_000);
    assert.equal(await look(asked), undefined);
    await comesBack('south');
    await clock.advance(backMs);
    assert.deepEqual(await look(asked), ['answered', 'done']);
  });

  it('waits for one that is said to be offline meanwhile, for whoever comes back says so a moment later', async () => {
    const end = longWork();
    await settle();
    const asked = ask();
    await settle();
    await dies();
    await comesBack('south');
    const { topic, payload } = presenceWill(north.identity);
    await broker.publish(topic, { payload, retain: true });
    await clock.advance(returnMs - 1);
    assert.equal(south.registry.agent('lamp-agent')?.status, 'offline');
    assert.equal(await look(asked), undefined);
    end('done');
    await comesBack('north');
    await clock.advance(backEveryMs);
    assert.deepEqual(await look(asked), ['answered', 'done']);
  });

  it('of one that does not come back ends when it had its time, also when nobody says that it is gone', async () => {
    serve(never);
    await settle();
    const asked = ask();
    await settle();
    await dies();
    await comesBack('south');
    await clock.advance(returnMs - 1);
    assert.equal(await look(asked), undefined);
    await clock.advance(1);
    assert.deepEqual(await look(asked), ['failed', 'Lamp went away while it worked.']);
    assert.equal((await ask()).payload, 'Lamp is not there right now.');
    await comesBack('north');
    assert.equal(south.registry.agent('lamp-agent')?.status, 'online');
  });

  it('ends at once when who was asked goes away later, or where only its own connection was lost', async () => {
    serve(never);
    await settle();
    const asked = ask();
    await settle();
    wires.south.lose();
    await clock.advance(1_000);
    wires.south.comeBack(false);
    await clock.advance(returnMs);
    assert.equal(await look(asked), undefined, 'a broker that forgot nothing would have told');
    const { topic, payload } = presenceWill(north.identity);
    await broker.publish(topic, { payload, retain: true });
    assert.deepEqual(await look(asked), ['failed', 'Lamp went away while it worked.']);
  });

  it('ends at its deadline or when the asker stops, also while the broker is away, and a closed one at once', async () => {
    serve(never);
    await settle();
    const abort = new AbortController();
    const moot = (n: number) => ({ v: 1 as const, ask: { id: `ask:r1/s${n}` } });
    const late = ask({ deadlineMs: 5_000, moot: moot(1) });
    const stopped = ask({ signal: abort.signal, moot: moot(2) });
    const closed = ask({ moot: moot(3) });
    await settle();
    await dies();
    abort.abort();
    assert.deepEqual(await look(stopped), ['cancelled', 'It was stopped.']);
    await clock.advance(4_000);
    assert.deepEqual(await look(late), ['failed', 'Lamp can’t be reached right now.']);
    assert.equal((await ask()).payload, 'Lamp can’t be reached right now.', 'at once when it begins without');
    await wires.south.bus.close();
    assert.deepEqual(await look(closed), ['failed', 'Lamp can’t be reached right now.']);
  });

  it('is asked again, but a tool is never called twice', async () => {
    const card = { v: 1, toolId: 'valve', name: 'Valve', purpose: 'Opens', schema: { type: 'object' }, channel: 'bus' };
    await broker.publish(ourTopics.tool('valve'), { payload: JSON.stringify(card), retain: true });
    let calls = 0;
    await broker.subscribe(ourTopics.toolCall('valve'), () => void (calls += 1));
    await settle();
    const called = callTool({ ...asker(), toolId: 'valve', call: { id: 'ask:r1/s1/t1', arguments: {} } });
    await settle();
    await dies();
    await comesBack('south');
    await clock.advance(60_000);
    assert.deepEqual([(await called).status, calls], ['timeout', 1]);
  });
});
