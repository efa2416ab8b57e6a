import assert from 'node:assert/strict';
import { answered, askedHouse, never } from '../../test/registry-house.ts';
import { ourTopics } from '../bus/topics.ts';
import { limits } from '../limits.ts';

describe('the end of a directed ask', () => {
  const houses = askedHouse();

  it('stops at its deadline by itself, for an asker that is no more', async () => {
    const { clock, bus, works, settle, serve } = houses();
    serve(never);
    await settle();
    const heard: string[] = [];
    await bus.subscribe('others/answers', ({ payload }) => void heard.push(Buffer.from(payload).toString()));
    const payload = JSON.stringify({ v: 1, kind: 'step', payload: 'x', deadline: 3_000 });
    await bus.publish(ourTopics.agentAsk('lamp-agent'), { payload, responseTopic: 'others/answers', correlation: '1' });
    await settle();
    await clock.advance(2_999);
    assert.equal(works[0]?.signal.aborted, false);
    await clock.advance(1);
    await settle();
    assert.equal(works[0]?.signal.aborted, true);
    assert.equal((JSON.parse(heard[0] ?? '{}') as { status?: string }).status, 'cancelled');
  });

  it('is asked again when the agent was made anew while it worked, within the same deadline', async () => {
    const { clock, works, settle, serve, ask } = houses();
    const first = serve(never);
    await settle();
    const asked = ask();
    await settle();
    await first.close();
    await settle();
    serve(() => answered('after all'));
    await clock.advance(limits.directedAgainMs);
    await settle();
    assert.deepEqual([(await asked).payload, works.length, works[0]?.signal.aborted], ['after all', 2, true]);
    assert.equal(works[0]?.id, works[1]?.id, 'the same ask');
  });

  it('is not asked again for ever, nor when the asker stops meanwhile, nor after its deadline', async () => {
    const { clock, works, settle, serve, ask } = houses();
    serve(() => ({ status: 'cancelled', payload: null, mutations: [] }));
    await settle();
    const last = ask();
    await clock.advance(limits.directedAgainMs * (limits.directedAskAgain + 1));
    await settle();
    assert.equal((await last).status, 'cancelled');
    assert.equal(works.length, 1, 'the same ask has the same answer');

    const abort = new AbortController();
    const stopped = ask('x', { signal: abort.signal });
    await settle();
    abort.abort();
    assert.equal((await stopped).payload, 'It was stopped.');

    const short = ask('y', { deadlineMs: limits.directedAgainMs });
    await settle();
    assert.equal((await short).status, 'cancelled');
  });
});
