import assert from 'node:assert/strict';
import { createInProcessBus } from '../bus/in-process.ts';
import { createProblems, createState } from '../bus/subscribers.ts';
import { createOurMessages } from '../bus/our-message.ts';
import { ourTopics } from '../bus/topics.ts';
import { fakeClock } from '../clock.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import type { Store } from '../store/store.ts';
import { readSenders } from './senders.ts';
import { createControl, type ControlOptions } from './control.ts';

describe('control of a house', () => {
  const clock = fakeClock();
  const problems: string[] = [];
  const report = (problem: Error) => void problems.push(problem.message);
  const setUp = () => {
    const bus = createInProcessBus({ clock });
    const store = createEmbeddedStore({ path: ':memory:', clock });
    const heard: string[] = [];
    void bus.subscribe(ourTopics.control, ({ payload }) => void heard.push(Buffer.from(payload).toString()));
    const open = async (of: Store = store, house = 'h', more: Partial<ControlOptions> = {}) => {
      const messages = createOurMessages({ clock, report });
      const control = createControl({ bus, store: of, house, clock, messages, report, ...more });
      await control.ready;
      return Object.assign(Object.create(control) as typeof control, {
        end: async () => {
          await control.close();
          messages.close();
        },
      });
    };
    const say = async (body: object | string, properties: Record<string, string> = {}) => {
      const payload = typeof body === 'string' ? body : JSON.stringify(body);
      await bus.publish(ourTopics.control, { payload, properties, retain: true });
      await clock.advance(0);
    };
    return { bus, store, heard, open, say };
  };
  /** A store on a server that can't be reached until `state` is `up`. */
  const awayStore = (store: Store) => {
    const state = createState('down', createProblems());
    const link: NonNullable<Store['link']> = {
      get state() {
        return state.now;
      },
      onState: state.on,
    };
    const check = () => {
      if (state.now !== 'up') throw new Error('away');
    };
    const away: Store = {
      ...store,
      link,
      get: async (key) => {
        check();
        return store.get(key);
      },
      put: async (...given) => {
        check();
        return store.put(...given);
      },
    };
    return { away, state };
  };
  const at = (ms: number) => new Date(clock.now() + ms).toISOString();

  it('is neither paused nor told before anybody set it', async () => {
    const { heard, open } = setUp();
    const control = await open();
    assert.deepEqual([control.state, control.isPaused, heard], [undefined, false, []]);
    await control.end();
  });

  it('is kept over a restart, told to all retained, and heard from others', async () => {
    const { store, heard, open, say } = setUp();
    const control = await open();
    const changes: boolean[] = [];
    control.onChange(({ paused }) => void changes.push(paused));
    await control.set({ paused: true }, 'ana');
    await clock.advance(0);
    assert.deepEqual(JSON.parse(heard.at(-1) ?? '{}'), { paused: true, shadow: false, by: 'ana', since: at(0) });
    await say({ paused: false, shadow: true, by: 'ben', since: at(5) });
    assert.deepEqual(control.state, { paused: false, shadow: true, by: 'ben', since: at(5) });
    assert.deepEqual(changes, [true, false]);
    await control.end();
    const again = await open(store);
    assert.deepEqual(again.state?.by, 'ben');
    await again.end();
  });

  it('goes by the newer of two, whoever hears which first, and the store outlives the broker’s memory', async () => {
    const { heard, open, say } = setUp();
    const control = await open();
    await control.set({ paused: true }, 'ana');
    await say({ paused: false, shadow: false, by: 'old', since: at(-1_000) });
    assert.equal(control.isPaused, true);
    // Who was told the old one is told what counts.
    assert.match(heard.at(-1) ?? '', /"by":"ana"/);
    await say('');
    assert.match(heard.at(-1) ?? '', /"by":"ana"/);
    await control.end();
  });

  it('is taken from those who may ask only, where they are listed', async () => {
    const { store, open, say } = setUp();
    const control = await open(store, 'h', { senders: readSenders('ana'), sender: { house: 'h', process: 'p' } });
    const body = (by: string, ms: number) => ({ paused: true, shadow: false, by, since: at(ms) });
    await say(body('mallory', 1));
    await say(body('mallory', 2), { USER_NAME: 'mallory' });
    assert.equal(control.isPaused, false);
    assert.ok(problems.some((text) => text.includes('not allowed')));
    await say(body('ana', 3), { USER_NAME: 'ana' });
    assert.equal(control.isPaused, true);
    await control.end();
  });

  it('answers whoever asks just now: with what counts here, or why it is not taken', async () => {
    const { bus, store, open } = setUp();
    const control = await open(store, 'h', { senders: readSenders('ana'), sender: { house: 'h', process: 'p' } });
    const topic = ourTopics.answers('cli');
    const answers: [string, string, string, unknown][] = [];
    await bus.subscribe(topic, ({ payload, properties, correlation = '' }) => {
      const answer = JSON.parse(Buffer.from(payload).toString()) as { status: string; payload: unknown };
      answers.push([correlation, properties['HOUSE'] ?? '', answer.status, answer.payload]);
    });
    const ask = async (ms: number, user: string, responseTopic = topic) => {
      const payload = JSON.stringify({ paused: true, shadow: false, by: user, since: at(ms) });
      const to = { responseTopic, correlation: `c${ms}`, properties: { USER_NAME: user } };
      await bus.publish(ourTopics.control, { payload, retain: true, ...to });
      await clock.advance(0);
    };
    await ask(2, 'ana');
    await ask(1, 'ana');
    await ask(3, 'mallory');
    await ask(3_600_000, 'ana');
    await ask(4, 'ana', ourTopics.control);
    const counts = { paused: true, shadow: false, by: 'ana', since: at(2) };
    assert.deepEqual(answers, [
      ['c2', 'h', 'answered', counts],
      ['c1', 'h', 'answered', counts],
      ['c3', 'h', 'refused', 'It comes from mallory, who may not ask here.'],
      [
        'c3600000',
        'h',
        'refused',
        `It says that it is of ${at(3_600_000)}, which is more than ten minutes ahead of the clock here.`,
      ],
    ]);
    answers.length = 0;
    for (const payload of ['garbage', '{"paused":true}'])
      await bus.publish(ourTopics.control, { payload, responseTopic: topic, correlation: 'x' });
    await clock.advance(1_000);
    assert.deepEqual(
      answers.map(([, , status, words]) => [status, /JSON|required/.test(String(words))]),
      [
        ['refused', true],
        ['refused', true],
      ],
    );
    await control.end();
  });

  it('is heard from others while the store is away, and what the store holds counts when it is back and newer', async () => {
    const { store, open, say } = setUp();
    const first = await open();
    await first.set({ paused: true }, 'ana');
    await first.end();
    const { away, state: link } = awayStore(store);
    const opening = open(away);
    await say({ paused: false, shadow: true, by: 'ben', since: at(-1_000) });
    link.set('up');
    const control = await opening;
    assert.deepEqual([control.isPaused, control.isShadow, control.state?.by], [true, false, 'ana']);
    await control.end();

    link.set('down');
    const again = open(away);
    await say({ paused: false, shadow: true, by: 'eve', since: at(1_000) });
    link.set('up');
    const newer = await again;
    assert.deepEqual([newer.isPaused, newer.isShadow, newer.state?.by], [false, true, 'eve']);
    await newer.end();
  });

  it('closes while the store is away', async () => {
    const { bus, store } = setUp();
    const { away } = awayStore(store);
    const messages = createOurMessages({ clock, report });
    const control = createControl({ bus, store: away, house: 'h', clock, messages, report });
    await control.close();
    messages.close();
  });

  it('takes nothing that is in no right form, or from the future', async () => {
    const { open, say } = setUp();
    const control = await open();
    for (const body of [
      '{"paused":',
      { paused: 'yes', shadow: false, by: 'x', since: at(0) },
      { paused: true, shadow: false, by: 'x', since: 'never' },
      { paused: true, shadow: false, by: 'x', since: at(3_600_000) },
    ])
      await say(body);
    assert.equal(control.state, undefined);
    assert.ok(problems.some((text) => text.includes('from the future')));
    await control.end();
  });
});
