/** `folkmoot pause`, `resume` and `shadow` over a real broker, with homes that do it and one that does not. */
import assert from 'node:assert/strict';
import { createMqttBus } from '../../engine/bus/mqtt.ts';
import { createOurMessages } from '../../engine/bus/our-message.ts';
import { ourTopics } from '../../engine/bus/topics.ts';
import { systemClock as clock } from '../../engine/clock.ts';
import { createControl, type Control } from '../../engine/people/control.ts';
import { readSenders } from '../../engine/people/senders.ts';
import { createPresence } from '../../engine/registry/presence.ts';
import { createEmbeddedStore } from '../../engine/store/embedded.ts';
import type { TestBroker } from '../../test/broker.ts';
import { callFolkmoot, runFolkmoot } from '../../test/command-line.ts';
import { startMosquitto } from '../../test/mosquitto.ts';

describe('folkmoot pause, resume and shadow', function () {
  this.timeout(30_000);
  let broker: TestBroker;
  const open: (() => Promise<void> | void)[] = [];
  beforeEach(async () => {
    broker = await startMosquitto();
  });
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
    await broker.stop();
  });

  async function home(house: string, allowed?: string): Promise<Control> {
    const identity = { house, process: `p-${house}`, since: new Date().toISOString() };
    const bus = createMqttBus({ url: broker.url });
    const store = createEmbeddedStore({ path: ':memory:', clock });
    const report = () => undefined;
    const messages = createOurMessages({ clock, report });
    const senders = allowed === undefined ? {} : { senders: readSenders(allowed) };
    const control = createControl({ bus, store, house, clock, messages, report, sender: identity, ...senders });
    open.push(
      () => bus.close(),
      () => store.close(),
      () => messages.close(),
      () => control.close(),
    );
    await control.ready;
    const presence = createPresence(bus, identity, { clock, report });
    open.push(() => presence.close());
    return control;
  }
  const folkmoot = (...words: string[]) => callFolkmoot([...words, '--broker', broker.url, '--user', 'ana']);

  it('change only what they are about, and tell what each home does', async () => {
    const [north, south] = [await home('north'), await home('south')];
    for (const [words, state, paused, shadow] of [
      [['shadow', 'on'], 'going on, in shadow: nothing is sent to devices', false, true],
      [['pause'], 'paused, in shadow: nothing is sent to devices', true, true],
      [['shadow', 'off'], 'paused', true, false],
      [['resume'], 'going on', false, false],
    ] as const) {
      const { code, out, err } = await folkmoot(...words);
      assert.deepEqual([code, out, err], [0, `north: ${state}\nsouth: ${state}\n`, ''], words.join(' '));
      for (const one of [north, south]) {
        assert.deepEqual([one.isPaused, one.isShadow, one.state?.by], [paused, shadow, 'ana'], words.join(' '));
      }
    }
  });

  it('say which home does not take it, with exit code 1', async () => {
    const [north, south] = [await home('north'), await home('south', 'ben')];
    const { code, out, err } = await folkmoot('pause');
    assert.deepEqual([code, out], [1, 'north: paused\n']);
    assert.equal(err, 'south does not take it: It comes from ana, who may not ask here.\n');
    assert.deepEqual([north.isPaused, south.isPaused], [true, false]);
  });

  it('leave it at the broker for a home that comes later, as programs of their own too', async () => {
    const { code, out } = await runFolkmoot(['pause', '--broker', broker.url, '--user', 'ana']);
    assert.deepEqual([code, out], [0, 'Told to the broker: paused. No home answered.\n']);
    const late = await home('late');
    const { out: later } = await folkmoot('shadow', 'on');
    assert.equal(later, 'late: paused, in shadow: nothing is sent to devices\n');
    assert.equal(late.isPaused, true);
  });

  it('say what the broker does not let this user do, and what is wrong with their words', async () => {
    await broker.stop();
    broker = await startMosquitto({ acl: ['topic read #'] });
    const refused = await folkmoot('pause');
    assert.deepEqual([refused.code, refused.out], [1, '']);
    assert.match(refused.err, new RegExp(`^The broker refused a message to "${ourTopics.control}": .* Take a user`));
    for (const words of [['shadow'], ['shadow', 'maybe'], ['shadow', 'on', 'off'], ['pause', 'x']]) {
      assert.equal((await folkmoot(...words)).code, 2, words.join(' '));
    }
    const nameless = await callFolkmoot(['pause', '--broker', broker.url, '--user', ' ']);
    assert.deepEqual([nameless.code, nameless.err.split('.')[0]], [2, '--user is a name of at most 200 characters']);
  });
});
