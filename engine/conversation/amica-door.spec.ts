/** Requests over restarts: each door here is another process on the same store. */
import assert from 'node:assert/strict';
import { writeRequest } from '../bus/amica.ts';
import type { AmicaRequest } from '../bus/amica.ts';
import { createInProcessBus } from '../bus/in-process.ts';
import { amicaTopics } from '../bus/topics.ts';
import { fakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import { createRunRecords, openRequests } from '../plan/run-records.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import { createAmicaDoor } from './amica-door.ts';
import { createRequestMemory } from './intake-memory.ts';
import { createRequestLedger } from './request-ledger.ts';

const house = 'h';
const requestsKey = 'folkmoot:{h}:requests:';

async function setUp() {
  const clock = fakeClock();
  const store = createEmbeddedStore({ path: ':memory:', clock });
  // What a broker does is not what is shown here.
  const bus = Object.assign(Object.create(createInProcessBus({ clock })) as ReturnType<typeof createInProcessBus>, {
    kind: 'mqtt' as const,
  });
  const heard: string[] = [];
  const problems: string[] = [];
  await bus.subscribe('#', ({ topic, payload }) => {
    const body = JSON.parse(Buffer.from(payload).toString()) as { message?: string; conversationId?: string };
    if (topic === amicaTopics.events) heard.push(`ended ${body.conversationId}`);
    else if (topic !== amicaTopics.requests) heard.push(`${topic.split('/').at(-1)}: ${body.message}`);
  });
  /** Ends as a power cut does: nothing of it is heard or written any more. */
  const start = async (memory = createRequestMemory()) => {
    let isCut = false;
    const alive = async <T>(work: () => Promise<T>): Promise<T> => (isCut ? new Promise<T>(() => undefined) : work());
    const accepted: AmicaRequest[] = [];
    const ownStore = {
      ...store,
      put: (...put: Parameters<typeof store.put>) => alive(() => store.put(...put)),
      delete: (...of: Parameters<typeof store.delete>) => alive(() => store.delete(...of)),
    };
    const ownBus = Object.assign(Object.create(bus) as typeof bus, {
      publish: (...of: Parameters<typeof bus.publish>) => alive(() => bus.publish(...of)),
    });
    const report = (problem: Error) => void problems.push(problem.message);
    const door = createAmicaDoor({
      bus: ownBus,
      clock,
      agentId: 'house-agent',
      requests: createRequestLedger({ store: ownStore, house, clock, memory, onProblem: report }),
      refused: createRequestMemory(),
      openRequests: () => openRequests(store, house),
      record: async () => undefined,
      report,
    });
    const taker = { owner: 'in', deadlineMs: 60_000, accept: (request: AmicaRequest) => void accepted.push(request) };
    const taken = await door.take(taker);
    return {
      ...door,
      accepted,
      taken,
      taker,
      door,
      close: () => taken.leave(),
      async cut() {
        isCut = true;
        const closed = taken.leave();
        await clock.advance(limits.closeWaitMs);
        await closed;
      },
    };
  };
  const ask = async (id: string, text = 'mow') => {
    const { topic, message } = writeRequest({
      messageId: id,
      conversationId: `c-${id}`,
      userName: 'ana',
      message: text,
      atMs: 0,
    });
    await bus.publish(topic, message);
    await clock.advance(0);
  };
  const records = createRunRecords(store, { owner: 'router', house, clock });
  const run = (id: string) =>
    records.open({ run: `run-${id}`, text: 'mow', request: { id, via: 'amica' } }, clock.now());
  return { clock, store, heard, problems, start, ask, run, records };
}

describe('requests over a restart', () => {
  it('are written before they leave', async () => {
    const { store, start, ask } = await setUp();
    const door = await start();
    await ask('m');
    assert.equal(door.accepted.length, 1);
    const [record] = await store.scan<{ state: string; text: string }>(requestsKey);
    assert.deepEqual([record?.value.state, record?.value.text], ['open', 'mow']);
    assert.ok((record?.expiresAt ?? 0) > 0);
    await door.cut();
  });

  it('get their first reply again, with the end of the conversation, and are not acted on again', async () => {
    const { clock, heard, start, ask, problems } = await setUp();
    const first = await start();
    await ask('m');
    await clock.advance(1_000);
    await first.desk.finish('m', 'Mown.');
    await first.cut();
    const second = await start();
    assert.ok(await second.wasAnswered('m'));
    await ask('m');
    await clock.advance(60_000);
    assert.equal(second.accepted.length, 0);
    assert.deepEqual(heard, ['m: Mown.', 'ended c-m', 'm: Mown.', 'ended c-m']);
    assert.match(problems.join(), /repeated id/);
  });

  it('are sent the reply that was decided but perhaps not sent', async () => {
    const { clock, store, heard, start } = await setUp();
    const first = await start();
    first.desk.expect({ id: 'm', conversation: 'c-m' }, { deadlineMs: 60_000 });
    void first.desk.finish('m', 'Mown.');
    await first.cut();
    assert.deepEqual(heard, []);
    await start();
    await clock.advance(1_000);
    assert.deepEqual(heard, ['m: Mown.', 'ended c-m']);
    const [record] = await store.scan<{ state: string }>(requestsKey);
    assert.equal(record?.value.state, 'answered');
    await start();
    await clock.advance(60_000);
    assert.equal(heard.length, 2);
  });

  it('hear nothing while their run goes on, and then its reply once', async () => {
    const { clock, heard, start, ask, run } = await setUp();
    const first = await start();
    await ask('m');
    await run('m');
    await first.cut();
    const second = await start();
    await ask('m');
    await clock.advance(30_000);
    assert.deepEqual([heard, second.accepted], [[], []]);
    await second.desk.finish('m', 'Mown.');
    await clock.advance(60_000);
    assert.deepEqual(heard, ['m: Mown.', 'ended c-m']);
  });

  it('are told that they were interrupted when nothing goes on with them, and never act again', async () => {
    const { clock, heard, start, ask, run, records, problems } = await setUp();
    const first = await start();
    for (const id of ['never', 'ended', 'reported']) await ask(id);
    await run('ended');
    await records.end('run-ended', { outcome: 'done' });
    await first.cut();
    const second = await start();
    for (const id of ['never', 'ended']) await ask(id);
    const reported = second.desk.finish('reported', 'Mown after all.');
    await clock.advance(limits.replyGraceMs);
    assert.equal(await reported, 'sent');
    const words = heard
      .filter((line) => /interrupted/.test(line))
      .map((line) => line.split(':')[0])
      .sort();
    assert.deepEqual(words, ['ended', 'never']);
    assert.ok(heard.includes('reported: Mown after all.'));
    await ask('never');
    await clock.advance(60_000);
    assert.equal(heard.filter((line) => line.startsWith('never: ')).length, 2);
    assert.equal(second.accepted.length, 0);
    assert.ok(problems.every((problem) => /repeated id/.test(problem)));
  });

  it('are answered by the process itself when it is only deployed anew', async () => {
    const { clock, heard, start, ask } = await setUp();
    const memory = createRequestMemory();
    const first = await start(memory);
    await ask('m');
    const closed = first.close();
    await clock.advance(1_000);
    await closed;
    assert.match(heard[0] ?? '', /being stopped/);
    await start(memory);
    await clock.advance(60_000);
    assert.equal(heard.length, 2);
  });

  it('are kept as many as there is room for, and expire', async () => {
    const { clock, store, start, ask } = await setUp();
    const first = await start(createRequestMemory(3));
    for (let n = 0; n < 5; n += 1) {
      await ask(`m-${n}`);
      await clock.advance(1_000);
      await first.desk.finish(`m-${n}`, 'Done.');
    }
    const kept = await store.scan<{ id: string }>(requestsKey);
    assert.deepEqual(
      kept.map(({ value }) => value.id),
      ['m-2', 'm-3', 'm-4'],
    );
    await clock.advance(limits.requestIdExpiryMs);
    assert.deepEqual(await store.scan(requestsKey), []);
    await first.close();
  });

  it('are known to another process on the same store too', async () => {
    const { clock, heard, start, ask } = await setUp();
    const first = await start();
    const second = await start();
    await ask('m');
    assert.equal(first.accepted.length + second.accepted.length, 1);
    const [door] = first.accepted.length ? [first] : [second];
    void door?.desk.finish('m', 'Mown.');
    await clock.advance(1_000);
    assert.deepEqual(heard, ['m: Mown.', 'ended c-m']);
    await Promise.all([first.close(), second.close()]);
  });

  it('go on when the store holds what a newer program wrote, which is reported and never acted on', async () => {
    const { clock, heard, store, problems, start, ask } = await setUp();
    await store.put(`${requestsKey}new`, { v: 2, id: 'new' });
    const door = await start();
    await ask('new');
    await ask('m');
    assert.deepEqual(
      door.accepted.map(({ messageId }) => messageId),
      ['m'],
    );
    assert.match(problems[0] ?? '', /newer program/);
    await clock.advance(1_000);
    assert.deepEqual(heard, []);
    await door.cut();
  });
});

describe('requests while their taker is made anew', () => {
  const setUpTaken = async () => {
    const made = await setUp();
    const door = await made.start();
    const ids = () => door.accepted.map(({ messageId }) => messageId);
    return { ...made, door, ids };
  };

  it('wait, and go to the next taker in order, once each', async () => {
    const { clock, heard, ask, door, ids } = await setUpTaken();
    await ask('before');
    door.pause();
    await ask('a');
    await door.taken.leave({ returns: true });
    for (const id of ['b', 'c', 'b']) await ask(id);
    assert.deepEqual(ids(), ['before']);
    const next = await door.take(door.taker);
    assert.ok(next.isFirst);
    assert.deepEqual(ids(), ['before']);
    door.proceed({ all: false });
    await ask('d');
    assert.deepEqual(ids(), ['before', 'a', 'b', 'c', 'd']);
    void door.desk.finish('before', 'Mown.');
    void door.desk.finish('a', 'Mown.');
    await clock.advance(limits.replyFirstMs);
    assert.deepEqual(heard.filter((line) => !line.startsWith('ended')).sort(), ['a: Mown.', 'before: Mown.']);
    const closed = door.door.close();
    await clock.advance(1_000);
    await closed;
    assert.equal(clock.waiting, 0);
  });

  it('go to nobody who is there while nodes are closed', async () => {
    const { ask, door, ids } = await setUpTaken();
    door.pause();
    await ask('a');
    assert.deepEqual(ids(), []);
    door.proceed();
    assert.deepEqual(ids(), ['a']);
    await door.cut();
  });

  it('get words when no taker comes, after which nothing is subscribed', async () => {
    const { clock, heard, ask, door, ids, store } = await setUpTaken();
    door.pause();
    await door.taken.leave({ returns: true });
    await ask('a');
    await clock.advance(limits.deployLingerMs - 1);
    assert.deepEqual(heard, []);
    await clock.advance(1 + limits.replyFirstMs);
    assert.match(heard[0] ?? '', /^a: Sorry, I was being changed just then/);
    await ask('b');
    assert.deepEqual(await store.get(`${requestsKey}b`), undefined);
    await door.take(door.taker);
    door.proceed();
    await ask('c');
    assert.deepEqual(ids(), ['c']);
    await door.cut();
  });

  it('get words soon when all else stands without a taker, or when it is all stopped', async () => {
    for (const end of ['proceed', 'close'] as const) {
      const { clock, heard, ask, door } = await setUpTaken();
      await ask('open');
      door.pause();
      await door.taken.leave({ returns: true });
      await ask('a');
      if (end === 'proceed') door.proceed();
      const closed = end === 'close' ? door.door.close() : undefined;
      await clock.advance(limits.takerWaitMs + limits.replyFirstMs);
      await closed;
      assert.match(heard.find((line) => line.startsWith('a: ')) ?? '', /did not begin with that/);
      assert.equal(
        heard.some((line) => line.startsWith('open: ')),
        end === 'close',
      );
      if (end === 'proceed') await door.cut();
    }
  });

  it('are told that they were interrupted when all was made anew and no run had them', async () => {
    const { clock, heard, ask, door } = await setUpTaken();
    for (const id of ['lost', 'run', 'answered']) await ask(id);
    door.desk.extend('run', 60_000);
    door.pause();
    await door.taken.leave({ returns: true });
    await ask('waits');
    await door.take(door.taker);
    door.proceed({ all: true });
    void door.desk.finish('answered', 'Mown.');
    await clock.advance(limits.replyGraceMs);
    const replies = heard.filter((line) => !line.startsWith('ended'));
    assert.equal(replies.length, 2);
    assert.match(replies.find((line) => line.startsWith('lost: ')) ?? '', /interrupted/);
    await door.cut();
  });
});
