import assert from 'node:assert/strict';
import { aBus, answered, openHouse, someAgent, type House } from '../../test/registry-house.ts';
import type { Bus } from '../bus/bus.ts';
import { ourTopics } from '../bus/topics.ts';
import { fakeClock, type FakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import type { AskAnswer } from '../moot.ts';
import type { DirectedAsk } from './ask-service.ts';
import { askDirected } from './directed-ask.ts';

describe('the end of a directed ask', () => {
  let clock: FakeClock;
  let bus: Bus;
  let north: House;
  let south: House;
  let works: DirectedAsk[];
  beforeEach(async () => {
    clock = fakeClock();
    bus = aBus(clock);
    north = await openHouse({ bus, clock, house: 'north' });
    south = await openHouse({ bus, clock, house: 'south' });
    north.cards.join(someAgent('lamp-agent', { name: 'Lamp' }), () => undefined);
    works = [];
    await settle();
  });
  afterEach(async () => {
    await north.close();
    await south.close();
    await bus.close();
    await clock.advance(limits.registryReadyMs);
    assert.equal(clock.waiting, 0);
  });
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await clock.advance(0);
  };
  const serve = (answer: (ask: DirectedAsk) => AskAnswer | Promise<AskAnswer>, id = 'lamp-agent') =>
    north.serve(id, async (ask) => {
      works.push(ask);
      return answer(ask);
    });
  const ask = (payload: unknown = 'light on', more: Partial<Parameters<typeof askDirected>[0]> = {}) =>
    askDirected({
      clock,
      bus,
      registry: south.registry,
      sender: south.sender,
      agentId: 'lamp-agent',
      kind: 'step',
      payload,
      moot: { v: 1, run: 'r1', conversation: 'c1', user: 'anna', depth: 1, ask: { id: 'ask:r1/s1' } },
      deadlineMs: 5_000,
      signal: new AbortController().signal,
      ...more,
    });
  const never = () => new Promise<AskAnswer>(() => undefined);

  it('stops at its deadline by itself, for an asker that is no more', async () => {
    serve(never);
    await settle();
    const heard: string[] = [];
    await bus.subscribe('others/answers', ({ payload }) => void heard.push(Buffer.from(payload).toString()));
    const payload = JSON.stringify({ v: 1, kind: 'step', payload: 'x', deadline: 3_000 });
    await bus.publish(ourTopics.agentAsk('lamp-agent'), { payload, responseTopic: 'others/answers', correlation: '1' });
    await settle();
    await clock.advance(2_999);
    assert.equal(works[0]?.signal.aborted, false);
    await clock.advance(1);
    await settle();
    assert.equal(works[0]?.signal.aborted, true);
    assert.equal((JSON.parse(heard[0] ?? '{}') as { status?: string }).status, 'cancelled');
  });

  it('is asked again when the agent was made anew while it worked, within the same deadline', async () => {
    const first = serve(never);
    await settle();
    const asked = ask();
    await settle();
    await first.close();
    await settle();
    serve(() => answered('after all'));
    await clock.advance(limits.directedAgainMs);
    await settle();
    assert.deepEqual([(await asked).payload, works.length, works[0]?.signal.aborted], ['after all', 2, true]);
    assert.equal(works[0]?.id, works[1]?.id, 'the same ask');
  });

  it('is not asked again for ever, nor when the asker stops meanwhile, nor after its deadline', async () => {
    serve(() => ({ status: 'cancelled', payload: null, mutations: [] }));
    await settle();
    const last = ask();
    await clock.advance(limits.directedAgainMs * (limits.directedAskAgain + 1));
    await settle();
    assert.equal((await last).status, 'cancelled');
    assert.equal(works.length, 1, 'the same ask has the same answer');

    const abort = new AbortController();
    const stopped = ask('x', { signal: abort.signal });
    await settle();
    abort.abort();
    assert.equal((await stopped).payload, 'It was stopped.');

    const short = ask('y', { deadlineMs: limits.directedAgainMs });
    await settle();
    assert.equal((await short).status, 'cancelled');
  });
});
