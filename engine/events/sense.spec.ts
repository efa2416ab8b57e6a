import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import { createSense, type Rule, type SenseEvent, type SenseOptions } from './sense.ts';

const quiet: SenseOptions = {
  rules: [],
  debounceMs: 0,
  coalesceMs: 0,
  coolDownMs: 0,
  dropUnchanged: true,
  ignoreRetained: true,
  ignoreFirstMs: 0,
  units: {},
};

/** Conditions of these specs are JavaScript over the scope. */
const evaluate = async (condition: string, scope: Readonly<Record<string, unknown>>): Promise<unknown> => {
  const names = Object.keys(scope).filter((name) => /^[a-z_]+$/i.test(name));
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call
  return new Function(...names, `return ${condition}`)(...names.map((name) => scope[name]));
};

function aSense(options: Partial<SenseOptions> = {}) {
  const clock = fakeClock();
  const told: SenseEvent[] = [];
  const dropped: string[] = [];
  const problems: string[] = [];
  const sense = createSense(
    { ...quiet, ...options },
    {
      clock,
      evaluate,
      emit: (event) => told.push(event),
      drop: (reason) => dropped.push(reason),
      problem: (error) => problems.push(error.message),
    },
  );
  const hear = (device: string, payload: unknown, more: { retained?: boolean; id?: string } = {}) =>
    sense.take({ topic: `zigbee2mqtt/${device}`, payload, ...more });
  const values = () => told.map(({ events }) => events.map(({ kind, value }) => `${kind}=${String(value)}`).join(' '));
  return { clock, sense, hear, told, dropped, problems, values, sentences: () => told.map((event) => event.sentence) };
}

const rule = (condition: string, sentence = 'it happened', holdsForMs = 0): Rule => ({
  condition,
  sentence,
  holdsForMs,
});

describe('sense', () => {
  it('tells each change with what was before, its unit and its time', async () => {
    const { hear, told, clock } = aSense({ units: { power: 'W' } });
    await hear('plug', { power: 3 });
    await clock.advance(1000);
    await hear('plug', { power: 120 });
    assert.deepEqual(told[1]?.events, [
      { source: 'plug', kind: 'power', value: 120, unit: 'W', previous: 3, time: '2026-01-01T00:00:01.000Z' },
    ]);
  });
  it('drops what did not change, property by property, and reports a message only if nothing of it went on', async () => {
    const { hear, values, dropped } = aSense();
    await hear('hall', { occupancy: true, illuminance: 10 });
    await hear('hall', { occupancy: true, illuminance: 11 });
    await hear('hall', { occupancy: true, illuminance: 11 });
    assert.deepEqual(values(), ['occupancy=true illuminance=10', 'illuminance=11']);
    assert.deepEqual(dropped, ['unchanged']);
  });
  it('passes unchanged values when it is told to', async () => {
    const { hear, values } = aSense({ dropUnchanged: false });
    await hear('button', { action: 'single' });
    await hear('button', { action: 'single' });
    assert.equal(values().length, 2);
  });
  it('waits for quiet before it takes the last value', async () => {
    const { clock, hear, values, dropped } = aSense({ debounceMs: 1000 });
    for (const power of [1, 2, 3]) {
      await hear('plug', { power });
      await clock.advance(600);
    }
    assert.deepEqual(values(), []);
    await clock.advance(400);
    assert.deepEqual(values(), ['power=3']);
    assert.deepEqual(dropped, ['debounced', 'debounced']);
    assert.equal(clock.waiting, 0);
  });
  it('gathers what comes within its time into one batch', async () => {
    const { clock, hear, values } = aSense({ coalesceMs: 500 });
    await hear('hall', { occupancy: true });
    await clock.advance(300);
    await hear('door', { contact: false });
    await clock.advance(200);
    assert.deepEqual(values(), ['occupancy=true contact=false']);
  });
  it('says nothing of one source and kind during its cool-down, and goes on after it', async () => {
    const { clock, hear, values, dropped } = aSense({ coolDownMs: 5000 });
    await hear('hall', { illuminance: 1 });
    await hear('hall', { illuminance: 2 });
    await hear('door', { contact: true });
    await clock.advance(5000);
    await hear('hall', { illuminance: 3 });
    assert.deepEqual(values(), ['illuminance=1', 'contact=true', 'illuminance=3']);
    assert.deepEqual(dropped, ['cool-down']);
  });
  it('ignores retained messages and the first seconds, but conditions know what they said', async () => {
    const { clock, hear, told, dropped } = aSense({
      ignoreFirstMs: 2000,
      rules: [rule('occupancy && illuminance < 50')],
    });
    await hear('hall', { illuminance: 10 }, { retained: true });
    await hear('hall', { occupancy: true });
    await clock.advance(2000);
    await hear('hall', { illuminance: 10 }, { retained: true });
    assert.equal(told.length, 0);
    await hear('hall', { occupancy: true });
    assert.equal(told.length, 1);
    assert.deepEqual(dropped, ['retained', 'just started', 'retained']);
  });
  it('drops repeats by message id, but not another message that has the same id', async () => {
    const { hear, values, dropped } = aSense({ dropUnchanged: false });
    await hear('plug', { power: 1 }, { id: 'a' });
    await hear('plug', { power: 1 }, { id: 'a' });
    await hear('plug', { power: 2 }, { id: 'a' });
    await hear('plug', { power: 2 }, { id: 'b' });
    assert.deepEqual(values(), ['power=1', 'power=2', 'power=2']);
    assert.deepEqual(dropped, ['repeated']);
  });
  it('drops what it cannot read, with the reason', async () => {
    const { hear, dropped, told } = aSense();
    await hear('plug', '{"power":');
    await hear('plug', Buffer.from([0xff]));
    assert.deepEqual(dropped, ['not JSON', 'not text']);
    assert.equal(told.length, 0);
  });
  it('keeps a bounded number of sources', async () => {
    const { hear, told } = aSense();
    for (let index = 0; index < 1_500; index += 1) await hear(`device${index}`, { on: true });
    await hear('device0', { on: true });
    await hear('device1499', { on: true });
    assert.equal(told.length, 1_501);
  });

  describe('with rules', () => {
    const dark = rule('occupancy && illuminance < 50', 'somebody is in the dark: {{illuminance}} lx');

    it('tells a rule in its words once, until the condition failed', async () => {
      const { hear, sentences, dropped } = aSense({ rules: [dark] });
      await hear('hall', { occupancy: true, illuminance: 12, linkquality: 80 });
      await hear('hall', { occupancy: true, illuminance: 11, linkquality: 81 });
      await hear('hall', { occupancy: false });
      await hear('hall', { occupancy: true, illuminance: 9 });
      assert.deepEqual(sentences(), ['somebody is in the dark: 12 lx', 'somebody is in the dark: 9 lx']);
      assert.deepEqual(dropped, ['told already', 'no rule']);
    });
    it('tells nothing in daylight', async () => {
      const { hear, told, dropped } = aSense({ rules: [dark] });
      await hear('hall', { occupancy: true, illuminance: 300 });
      assert.equal(told.length, 0);
      assert.deepEqual(dropped, ['no rule']);
    });
    it('tells the batch when a rule has no sentence', async () => {
      const { hear, sentences, values } = aSense({ rules: [rule('power > 100', '')] });
      await hear('plug', { power: 150 });
      assert.deepEqual(sentences(), [undefined]);
      assert.deepEqual(values(), ['power=150']);
    });
    it('waits until a condition held for long enough without failing', async () => {
      const { clock, hear, sentences } = aSense({ rules: [rule('power < 5', 'it is done: {{power}} W', 60_000)] });
      await hear('plug', { power: 3 });
      await clock.advance(59_000);
      await hear('plug', { power: 20 });
      await clock.advance(10_000);
      await hear('plug', { power: 4 });
      await clock.advance(30_000);
      await hear('plug', { power: 2 });
      await clock.advance(29_999);
      assert.deepEqual(sentences(), []);
      await clock.advance(1);
      assert.deepEqual(sentences(), ['it is done: 2 W']);
      await hear('plug', { power: 1 });
      await clock.advance(600_000);
      assert.equal(sentences().length, 1);
      assert.equal(clock.waiting, 0);
    });
    it('keeps the value from before while it waits, and is not broken off by other properties', async () => {
      const washed = rule('kind === "power" && value < 5 && previous > 100', 'washed', 60_000);
      const { clock, hear, sentences } = aSense({ rules: [washed] });
      await hear('plug', { power: 2, linkquality: 1 });
      await clock.advance(120_000);
      await hear('plug', { power: 150, linkquality: 1 });
      await hear('plug', { power: 3, linkquality: 2 });
      await hear('plug', { power: 2, linkquality: 3 });
      await hear('plug', { linkquality: 4 });
      await clock.advance(60_000);
      assert.deepEqual(sentences(), ['washed']);
    });
    it('knows the highest value since a rule last spoke, however slowly it fell', async () => {
      const washed = rule('power < 5 && state.power === power && highest > 100', 'washed', 1000);
      const { clock, hear, sentences } = aSense({ rules: [washed] });
      for (const power of [1, 180, 60, 20, 3, 2, 40, 3]) {
        await hear('plug', { power });
        await clock.advance(3000);
      }
      assert.deepEqual(sentences(), ['washed']);
    });
    it('watches each source for itself', async () => {
      const { hear, sentences } = aSense({ rules: [rule('contact === false', '{{source}} is open')] });
      await hear('front_door', { contact: false });
      await hear('back_door', { contact: false });
      assert.deepEqual(sentences(), ['front_door is open', 'back_door is open']);
    });
    it('keeps the cool-down of a rule', async () => {
      const { clock, hear, sentences, dropped } = aSense({ coolDownMs: 10_000, rules: [rule('occupancy')] });
      for (const occupancy of [true, false, true]) await hear('hall', { occupancy });
      assert.equal(sentences().length, 1);
      assert.deepEqual(dropped, ['no rule', 'cool-down']);
      await clock.advance(10_000);
      for (const occupancy of [false, true]) await hear('hall', { occupancy });
      assert.equal(sentences().length, 2);
    });
    it('does not miss a short pulse within a batch', async () => {
      const { clock, hear, sentences } = aSense({ coalesceMs: 1000, rules: [rule('occupancy')] });
      for (const occupancy of [true, false]) await hear('hall', { occupancy });
      await clock.advance(1000);
      assert.equal(sentences().length, 1);
    });
    it('never looks at half a message after a debounce', async () => {
      const { clock, hear, told } = aSense({ debounceMs: 1000, rules: [dark] });
      await hear('hall', { illuminance: 300, occupancy: true });
      await clock.advance(1000);
      await hear('hall', { illuminance: 30, occupancy: false });
      await clock.advance(1000);
      assert.equal(told.length, 0);
    });
    it('reports a rule that cannot be evaluated once, and the other rules go on', async () => {
      const { hear, problems, sentences } = aSense({ rules: [rule('no.such.thing'), rule('power > 5', 'high')] });
      for (const power of [1, 2, 10]) await hear('plug', { power });
      assert.equal(problems.length, 1);
      assert.deepEqual(sentences(), ['high']);
    });
  });

  it('leaves no timer behind when it is closed, and tells nothing after that', async () => {
    const { clock, sense, hear, told } = aSense({ coalesceMs: 100, rules: [rule('power < 5', 'low', 1000)] });
    await hear('plug', { power: 1 });
    await clock.advance(100);
    await hear('plug', { power: 2 });
    const last = hear('plug', { power: 3 });
    await sense.close();
    await last;
    await hear('plug', { power: 4 });
    assert.equal(clock.waiting, 0);
    await clock.advance(10_000);
    assert.equal(told.length, 0);
  });
});
