/** What becomes of asks while the agent that is asked is made anew by a deploy. */
import assert from 'node:assert/strict';
import { answered, askedHouse, never } from '../../test/registry-house.ts';
import { ourTopics } from '../bus/topics.ts';
import { limits } from '../limits.ts';

describe('a directed ask during a deploy', () => {
  const houses = askedHouse();
  const returns = { returns: true };
  const moot = (n: number) => ({ v: 1 as const, ask: { id: `ask:r1/s${n}` } });

  it('that comes between two of one agent waits for the second, and asks wait in their order', async () => {
    const { works, settle, serve, ask } = houses();
    await serve(never).close(returns);
    const asked = [1, 2, 3].map((n) => ask(`${n}`, { moot: moot(n) }));
    await settle();
    assert.equal(works.length, 0);
    serve(({ payload }) => answered(`done: ${String(payload)}`));
    await settle();
    assert.deepEqual(
      (await Promise.all(asked)).map(({ payload }) => payload),
      ['done: 1', 'done: 2', 'done: 3'],
    );
    assert.deepEqual(
      works.map(({ payload }) => payload),
      ['1', '2', '3'],
    );
  });

  it('that the first was at work on is begun anew by the second, as the same, and the asker waits without asking again', async () => {
    const { bus, works, settle, serve, ask } = houses();
    const heard: string[] = [];
    await bus.subscribe(ourTopics.agentAsk('lamp-agent'), () => void heard.push('ask'));
    await bus.subscribe('folkmoot/v1/answers/+', ({ payload }) => void heard.push(Buffer.from(payload).toString()));
    const first = serve(never);
    await settle();
    const asked = ask();
    await settle();
    await first.close(returns);
    serve(() => answered('after all'));
    await settle();
    assert.equal((await asked).payload, 'after all');
    assert.equal(works[0]?.signal.aborted, true);
    assert.equal(works[0]?.id, works[1]?.id, 'the same ask');
    assert.deepEqual([heard.length, heard[0]], [2, 'ask'], heard.join());
  });

  it('is handed on by one deploy after the other', async () => {
    const { works, settle, serve, ask } = houses();
    const asked = ask();
    let last = serve(never);
    for (let n = 0; n < 10; n += 1) {
      await settle();
      await last.close(returns);
      last = serve(never);
    }
    await settle();
    await last.close(returns);
    serve(() => answered('at last'));
    await settle();
    assert.equal((await asked).payload, 'at last');
    assert.equal(new Set(works.map(({ id }) => id)).size, 1);
  });

  it('that its asker cancels meanwhile is not begun', async () => {
    const { works, settle, serve, ask } = houses();
    await serve(never).close(returns);
    const abort = new AbortController();
    const asked = ask('x', { signal: abort.signal });
    await settle();
    abort.abort(new Error('enough'));
    assert.equal((await asked).status, 'cancelled');
    serve(never);
    await settle();
    assert.deepEqual(
      works.map(({ signal }) => signal.aborted),
      [true],
    );
  });

  it('is answered in words when nobody comes in its place', async () => {
    const { clock, settle, serve, ask } = houses();
    const first = serve(never);
    await settle();
    const inWork = ask('a', { moot: moot(1), deadlineMs: 60_000 });
    await settle();
    await first.close(returns);
    const meanwhile = ask('b', { moot: moot(2), deadlineMs: 60_000 });
    await clock.advance(limits.deployLingerMs);
    for (const answer of await Promise.all([inWork, meanwhile])) {
      assert.deepEqual(
        [answer.status, answer.payload, answer.error?.code],
        ['failed', 'I am not here any more.', 'FOLKMOOT_NOT_HERE'],
      );
    }
    await settle();
  });

  it('is told in words when too many wait already', async () => {
    const { settle, serve, ask } = houses();
    await serve(never).close(returns);
    const all = Array.from({ length: limits.deployHeld + 1 }, (_, n) => ask('x', { moot: moot(n) }));
    await settle();
    const last = await all.at(-1);
    assert.deepEqual([last?.payload, last?.error?.code], ['Too many ask at once. Try again.', 'FOLKMOOT_LIMIT']);
    serve(() => answered('done'));
    await settle();
    const told = (await Promise.all(all)).map(({ payload }) => payload);
    assert.equal(told.filter((payload) => payload === 'done').length, limits.directedAsksOpen);
  });

  it('is refused by the second to whoever may not ask it any more', async () => {
    const { north, settle, serve, ask } = houses();
    await serve(never).close(returns);
    const asked = ask();
    await settle();
    north.serve(
      'lamp-agent',
      () => Promise.resolve(answered('x')),
      () => 'You may not ask here.',
    );
    assert.equal((await asked).payload, 'You may not ask here.');
  });

  it('is not handed on by an agent that is gone for good', async () => {
    const { works, settle, serve, ask } = houses();
    const first = serve(never);
    await settle();
    const asked = ask();
    await settle();
    await first.close();
    await settle();
    serve(never);
    await settle();
    assert.equal(works.length, 1);
    await houses().clock.advance(5_000);
    assert.notEqual((await asked).status, 'answered');
  });
});
