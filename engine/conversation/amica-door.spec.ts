/** Requests over restarts: each door here is another process on the same store. */
import assert from 'node:assert/strict';
import { doors as setUp, requestsKey } from '../../test/amica-doors.ts';
import { limits } from '../limits.ts';
import { createRequestMemory } from './intake-memory.ts';

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

  it('know a reply by its id that a killed process had sent and not noted', async () => {
    const { clock, heard, ids, start, ask } = await setUp();
    const first = await start();
    await ask('m');
    void first.desk.part('m', 'It is ');
    first.killBy('mown');
    void first.desk.finish('m', 'It is mown.');
    await clock.advance(1_000);
    await first.cut();
    await start();
    await clock.advance(1_000);
    const [part, last, again, end] = heard;
    assert.deepEqual([part, last, again, end], ['m: It is ', 'm: mown.', 'm: It is mown.', 'ended c-m']);
    assert.equal(ids[1], ids[2]);
    assert.notEqual(ids[0], ids[1]);
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
