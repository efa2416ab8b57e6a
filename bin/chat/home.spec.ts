/** The home behind the chat: which one is asked, and what is said where none answers. */
import assert from 'node:assert/strict';
import type { Bus, BusMessage } from '../../engine/bus/bus.ts';
import { createInProcessBus } from '../../engine/bus/in-process.ts';
import { ourTopics } from '../../engine/bus/topics.ts';
import { fakeClock, type FakeClock } from '../../engine/clock.ts';
import { createAskedHome } from './home.ts';

describe('the home behind the chat', () => {
  let clock: FakeClock;
  let bus: Bus;
  beforeEach(() => {
    clock = fakeClock();
    bus = createInProcessBus({ clock });
  });
  afterEach(() => bus.close());

  const list = { kind: 'agents', operation: 'list' } as const;
  const asked = (heard?: string, house?: string) =>
    createAskedHome({ bus, clock, user: 'ana', house, heard: () => heard }).ask(list);
  const present = (house: string, status = 'online', process = `p-${house}`) =>
    bus.publish(ourTopics.presence(process), {
      payload: JSON.stringify({ v: 1, process, house, status, since: '2026-01-01T00:00:00Z' }),
      retain: true,
    });
  /** Answers with its name, or as it is told. */
  const serve = (house: string, payload?: string) =>
    bus.subscribe(ourTopics.homeAsk(house), ({ responseTopic = '', correlation = '' }: BusMessage) => {
      const answer = payload ?? JSON.stringify({ v: 1, status: 'answered', payload: house });
      void bus.publish(responseTopic, { payload: answer, correlation });
    });

  it('is the one that is named, else the one that answered last, else the only one that is here', async () => {
    for (const house of ['named', 'last', 'here']) await serve(house);
    await present('here');
    await present('gone', 'offline');
    await present('here', 'online', 'p-another');
    assert.deepEqual([await asked('last', 'named'), await asked('last'), await asked()], ['named', 'last', 'here']);
  });

  it('is not guessed where there are several, and said where there is none', async () => {
    await assert.rejects(asked(), { message: /^No home is here that keeps boards and a team\./ });
    await present('north');
    await present('south');
    await assert.rejects(asked(), { message: 'Several homes are here: north, south. Say which with --house NAME.' });
  });

  it('says that one which is another program does not answer that', async () => {
    const rejected = assert.rejects(asked('old'), {
      message: '“old” does not answer that. It may be another program, or an older one. Everything else works.',
    });
    await clock.advance(5_000);
    await rejected;
  });

  it('tells the words of a refusal, and that an answer can not be read', async () => {
    await serve('south', JSON.stringify({ v: 1, status: 'refused', payload: 'Sorry, no.' }));
    await assert.rejects(asked('south'), { message: 'Sorry, no.' });
    await serve('north', 'x');
    await assert.rejects(asked('north'), { message: '“north” answered something that can not be read.' });
  });
});
