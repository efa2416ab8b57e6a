import assert from 'node:assert/strict';
import { fakeClock, type FakeClock } from '../clock.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import type { Store } from '../store/store.ts';
import { createSenseMemory, type SenseMemory } from './sense-memory.ts';
import { createSense, type Rule, type SenseEvent, type SenseOptions } from './sense.ts';

const washed: Rule = {
  condition: 'kind === "power" && highest > 100 && value < 5',
  holdsForMs: 20_000,
  sentence: 'the washing is done: {{value}} W after {{previous}} W',
};
const dark: Rule = { condition: 'occupancy && illuminance < 50', holdsForMs: 0, sentence: 'dark' };

const evaluate = async (condition: string, scope: Readonly<Record<string, unknown>>): Promise<unknown> => {
  const names = Object.keys(scope);
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call
  return new Function(...names, `return ${condition}`)(...names.map((name) => scope[name]));
};

interface House {
  readonly clock: FakeClock;
  readonly store: Store;
}

const aHouse = (): House => {
  const clock = fakeClock();
  return { clock, store: createEmbeddedStore({ path: ':memory:', clock }) };
};

/** A sense node of this house from a start to its end. */
function started({ clock, store }: House, options: Partial<SenseOptions> = {}, ready?: Promise<SenseMemory>) {
  const told: SenseEvent[] = [];
  const dropped: string[] = [];
  const problems: string[] = [];
  const memory = createSenseMemory(store, 'washer', clock);
  let isAlive = true;
  const mortal: SenseMemory = { ...memory, save: async (changed) => (isAlive ? memory.save(changed) : undefined) };
  const sense = createSense(
    {
      rules: [washed],
      debounceMs: 0,
      coalesceMs: 0,
      coolDownMs: 0,
      dropUnchanged: true,
      ignoreRetained: true,
      ignoreFirstMs: 2000,
      units: { power: 'W' },
      ...options,
    },
    {
      clock,
      evaluate,
      emit: (event) => isAlive && told.push(event),
      drop: (reason) => dropped.push(reason),
      problem: (error) => problems.push(error.message),
      memory: {
        ready: ready ?? Promise.resolve(mortal),
        lightOrigin: (origin) => ({ light: origin }),
        problem: (error) => problems.push(error.message),
      },
    },
  );
  let count = 0;
  return {
    told,
    dropped,
    problems,
    sense,
    sentences: () => told.map(({ sentence }) => sentence),
    hear: (device: string, payload: unknown, retained = false) =>
      sense.take({ topic: `zigbee2mqtt/${device}`, payload, retained, id: `${(count += 1)}`, origin: 'm' }),
    /** As a power cut: nothing more is written. */
    async kill() {
      isAlive = false;
      await sense.close();
    },
  };
}

/** Its first seconds are over, the machine ran and stopped, and its rule waits. */
async function aWaitingRule(house: House, options: Partial<SenseOptions> = {}) {
  const first = started(house, options);
  await house.clock.advance(2000);
  await first.hear('plug', { power: 450 });
  await house.clock.advance(60_000);
  await first.hear('plug', { power: 2 });
  await house.clock.advance(5000);
  return first;
}

describe('sense over a restart', () => {
  it('tells a rule that waited when its time is over, with the values from before', async () => {
    const house = aHouse();
    await (await aWaitingRule(house)).kill();
    const second = started(house);
    await house.clock.advance(14_999);
    assert.deepEqual(second.sentences(), []);
    await house.clock.advance(1);
    assert.deepEqual(second.sentences(), ['the washing is done: 2 W after 450 W']);
    assert.deepEqual(second.told[0]?.events, [
      { source: 'plug', kind: 'power', value: 2, unit: 'W', previous: 450, time: '2026-01-01T00:01:02.000Z' },
    ]);
    assert.deepEqual(second.told[0]?.origin, { light: 'm' });
    await house.clock.advance(600_000);
    assert.equal(second.told.length, 1);
  });
  it('tells once, however often it is killed', async () => {
    const house = aHouse();
    const all = [await aWaitingRule(house)];
    for (let turn = 0; turn < 5; turn += 1) {
      await all.at(-1)?.kill();
      await house.clock.advance(7000);
      all.push(started(house));
      await house.clock.advance(2100);
    }
    assert.deepEqual(
      all.flatMap((one) => one.sentences()),
      ['the washing is done: 2 W after 450 W'],
    );
    await all.at(-1)?.hear('plug', { power: 1 });
    await house.clock.advance(60_000);
    assert.equal(all.flatMap((one) => one.sentences()).length, 1);
  });
  it('tells what became due meanwhile after the first seconds, unless that is too long ago', async () => {
    for (const [awayMs, expected] of [
      [600_000, 1],
      [3_600_000 + 16_000, 0],
    ] as const) {
      const house = aHouse();
      await (await aWaitingRule(house)).kill();
      await house.clock.advance(awayMs);
      const second = started(house);
      await house.clock.advance(1999);
      assert.deepEqual(second.sentences(), []);
      await house.clock.advance(1);
      assert.equal(second.sentences().length, expected, `${awayMs} ms`);
      await second.sense.close();
      assert.equal(house.clock.waiting, 0);
    }
  });
  it('ends the wait when a message contradicts, also one that the broker kept or that comes at once', async () => {
    for (const [atMs, isRetained] of [
      [0, true],
      [0, false],
      [2000, false],
      [2000, true],
    ] as const) {
      const house = aHouse();
      await (await aWaitingRule(house)).kill();
      const second = started(house);
      await house.clock.advance(atMs);
      await second.hear('plug', { power: 300 }, isRetained);
      await house.clock.advance(60_000);
      assert.deepEqual(second.sentences(), [], `${atMs} ${isRetained}`);
      await second.hear('plug', { power: 3 });
      await house.clock.advance(20_000);
      assert.deepEqual(second.sentences(), ['the washing is done: 3 W after 300 W']);
    }
  });
  it('goes on waiting when a message of the first seconds says that it still holds', async () => {
    const house = aHouse();
    await (await aWaitingRule(house)).kill();
    const second = started(house);
    await second.hear('plug', { power: 1 }, true);
    await house.clock.advance(15_000);
    assert.deepEqual(second.sentences(), ['the washing is done: 1 W after 450 W']);
  });
  it('knows the values that a wait has not begun with', async () => {
    const house = aHouse();
    const first = started(house);
    await house.clock.advance(2000);
    await first.hear('plug', { power: 450 });
    await house.clock.advance(1000);
    await first.kill();
    await house.clock.advance(120_000);
    const second = started(house);
    await house.clock.advance(2000);
    await second.hear('plug', { power: 2 });
    await house.clock.advance(20_000);
    assert.deepEqual(second.sentences(), ['the washing is done: 2 W after 450 W']);
  });
  it('keeps the cool-down of a rule, and of changes without rules', async () => {
    for (const rules of [[dark], []]) {
      const house = aHouse();
      const first = started(house, { rules, coolDownMs: 300_000 });
      await house.clock.advance(2000);
      await first.hear('hall', { occupancy: true, illuminance: 10 });
      await house.clock.advance(1000);
      await first.kill();
      await house.clock.advance(120_000);
      const second = started(house, { rules, coolDownMs: 300_000 });
      await house.clock.advance(2000);
      await second.hear('hall', { occupancy: true, illuminance: 9 });
      assert.deepEqual([first.told.length, second.told.length], [1, 0]);
      await house.clock.advance(300_000);
      await second.hear('hall', { occupancy: false, illuminance: 10 });
      await second.hear('hall', { occupancy: true, illuminance: 8 });
      assert.ok(second.told.length >= 1);
    }
  });
  it('has told what still holds after a moment, and tells it again when it was away for longer', async () => {
    for (const [awayMs, expected] of [
      [10_000, 0],
      [120_000, 1],
    ] as const) {
      const house = aHouse();
      const first = started(house, { rules: [dark] });
      await house.clock.advance(2000);
      await first.hear('hall', { occupancy: true, illuminance: 10 });
      await first.sense.close();
      await house.clock.advance(awayMs);
      const second = started(house, { rules: [dark] });
      await house.clock.advance(2000);
      await second.hear('hall', { occupancy: true, illuminance: 10 });
      assert.equal(second.told.length, expected, `${awayMs} ms`);
      await second.hear('hall', { occupancy: false });
      await second.hear('hall', { occupancy: true });
      assert.equal(second.told.length, expected + 1);
    }
  });
  it('has a rule that was changed begin anew', async () => {
    const house = aHouse();
    await (await aWaitingRule(house)).kill();
    const second = started(house, { rules: [{ ...washed, holdsForMs: 30_000 }] });
    await house.clock.advance(60_000);
    assert.deepEqual(second.sentences(), []);
  });
  it('forgets all when the node is removed, and what was unheard for a month', async () => {
    const house = aHouse();
    const first = await aWaitingRule(house);
    await first.sense.close();
    const memory = createSenseMemory(house.store, 'washer', house.clock);
    assert.equal((await memory.load()).sources.length, 1);
    await memory.clear();
    assert.deepEqual(await memory.load(), { sources: [] });
    await (await aWaitingRule(house)).kill();
    await house.clock.advance(31 * 24 * 3_600_000);
    assert.deepEqual(await memory.load(), { sources: [] });
  });
  it('keeps no picture, and no more sources than it knows', async () => {
    const house = aHouse();
    const first = started(house, { ignoreFirstMs: 0 });
    await first.hear('camera', { picture: 'x'.repeat(10_000), motion: true });
    for (let index = 0; index < 1100; index += 1) await first.hear(`device${index}`, { on: true });
    await house.clock.advance(1);
    await first.hear('camera', { picture: 'y'.repeat(10_000), motion: true });
    await first.sense.close();
    const { sources } = await createSenseMemory(house.store, 'washer', house.clock).load();
    assert.equal(sources.length, 1000);
    assert.deepEqual(
      sources.at(-1)?.values.map(([kind]) => kind),
      ['motion'],
    );
    assert.equal(sources.at(-1)?.source, 'camera');
  });
  it('works without its memory, and says so once', async () => {
    const house = aHouse();
    await house.store.close();
    const sense = await aWaitingRule(house);
    await house.clock.advance(20_000);
    assert.equal(sense.sentences().length, 1);
    assert.equal(sense.problems.length, 1);
    await sense.sense.close();
    assert.equal(house.clock.waiting, 0);
  });
  it('does not wait for ever for its memory', async () => {
    const house = aHouse();
    const { sense, told, problems } = started(house, { rules: [], ignoreFirstMs: 0 }, new Promise(() => undefined));
    const { clock } = house;
    void sense.take({ topic: 'a/b', payload: { on: true } });
    await clock.advance(4999);
    assert.equal(told.length, 0);
    await clock.advance(1);
    assert.equal(told.length, 1);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /did not answer in time/);
    void sense.close();
    assert.equal(clock.waiting, 0);
  });
});
