/** While the memory is away, each run says so once. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fakeClock } from '../../engine/clock.ts';
import { freePort } from '../../test/free-port.ts';
import { agent, config, modules, router } from '../../test/red/team-flow.ts';
import { arrivals, load, node, onTab, settle, startServer, stopServer, unload } from '../../test/red/red.ts';
import { useClock } from './process.ts';

describe('a run while the memory is away', function () {
  this.timeout(30_000);
  let storePath: string;
  before(async () => {
    storePath = await mkdtemp(join(tmpdir(), 'folkmoot-away-'));
    await startServer();
    // Loaded before, for that takes real time, and the clock of a run stands still meanwhile.
    await import('@langchain/langgraph');
  });
  after(async () => {
    await stopServer();
    await rm(storePath, { recursive: true, force: true });
  });
  afterEach(async () => {
    useClock();
    await unload();
  });

  /** What all nodes wrote into the log. */
  const logged = (id: string) => {
    const spies = node(id) as unknown as Record<'warn' | 'error', { args: unknown[][] }>;
    return [...spies.warn.args, ...spies.error.args].map(([what]) => String(what));
  };
  const event = [{ source: 'x', kind: 'ConversationEnded', value: 'c1', time: '2026-01-01T00:00:00Z' }];
  const minutes = { payload: 'ended', moot: { v: 1 as const, event } };
  const request = { payload: 'turn the kitchen light on' };

  for (const [who, message] of [
    ['minute taker', minutes],
    ['router', request],
  ] as const) {
    for (const end of ['the second output', 'Catch']) {
      it(`is told once by a ${who} whose failures go to ${end}`, async () => {
        const clock = fakeClock();
        const places = { store: 'valkey', storeUrl: `redis://127.0.0.1:${await freePort()}`, storePath, house: 'home' };
        const wires = [['result'], end === 'Catch' ? [] : ['fallback'], ['events']];
        const asked = agent('lights', 'lights', ['SetLight'], { backbone: 'b' });
        await load(modules, [
          { id: 'b', type: 'folkmoot-backbone', bus: 'in-process', ...places },
          ...config(),
          ...onTab([
            ...(who === 'router'
              ? [router(['lights'], { id: 'one', backbone: 'b', wires: [...wires, ['lights']] }), asked]
              : [agent('one', who, [], { backbone: 'b', work: 'minutes', wires: [...wires, []] })]),
            { id: 'c', type: 'catch', scope: null, uncaught: false, wires: [['caught']] },
            ...['result', 'fallback', 'events', 'caught'].map((id) => ({ id, type: 'helper', wires: [] })),
          ]),
        ]);
        const [events, caught, fallback] = [arrivals('events'), arrivals('caught'), arrivals('fallback')];
        useClock(clock);
        node('one').receive(message);
        const isOver = () => events.some(({ topic }) => topic === 'ended');
        // Each try to connect is real, the pauses between them and all limits are the clock's.
        for (let n = 0; n < 1000 && !isOver(); n += 1) {
          await pause(2);
          await clock.advance(500);
        }
        assert.ok(isOver());
        // Saving the steps of an ended run, and what else there may be.
        for (let n = 0; n < 50; n += 1) {
          await settle();
          await clock.advance(500);
        }
        const [words = '', ...more] = logged('one');
        assert.match(words, /The store at redis:\S+ cannot be reached/);
        assert.deepEqual(more, []);
        assert.equal(caught.length + fallback.length, 1);
      });
    }
  }
});
