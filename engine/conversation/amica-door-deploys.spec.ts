/** Requests while a deploy makes the nodes anew that take them. */
import assert from 'node:assert/strict';
import { doors as setUp, requestsKey } from '../../test/amica-doors.ts';
import { limits } from '../limits.ts';

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
