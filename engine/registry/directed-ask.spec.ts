import assert from 'node:assert/strict';
import { answered, askedHouse, never } from '../../test/registry-house.ts';
import type { BusMessage } from '../bus/bus.ts';
import { ourTopics } from '../bus/topics.ts';
import { limits } from '../limits.ts';
import { callTool } from './directed-ask.ts';
import { presenceWill } from './presence.ts';

describe('a directed ask', () => {
  const houses = askedHouse();

  it('is answered by the agent’s own work', async () => {
    const { works, settle, serve, ask } = houses();
    const mutation = { id: 'm', function: 'SetLight', parameters: { room: 'hall' }, risk: 'reversible' as const };
    serve(({ payload }) => answered(`I do: ${String(payload)}`, { mutations: [mutation] }));
    await settle();
    const answer = await ask();
    assert.equal(answer.status, 'answered');
    assert.equal(answer.payload, 'I do: light on');
    assert.deepEqual(answer.mutations, [mutation]);
    const [work] = works;
    assert.deepEqual([work?.moot.conversation, work?.moot.user, work?.moot.depth], ['c1', 'anna', 2]);
    assert.notEqual(work?.run, 'r1');
    assert.equal(work?.moot.ask, undefined);
  });

  it('gives the same answer when the same ask comes again, and works once', async () => {
    const { works, settle, serve, ask } = houses();
    serve(async ({ payload }) => answered(`${String(payload)} ${works.length}`));
    await settle();
    const both = await Promise.all([ask('a'), ask('b')]);
    assert.deepEqual(
      both.map(({ payload }) => payload),
      ['a 1', 'a 1'],
    );
    assert.equal((await ask('c')).payload, 'a 1');
    const other = await ask('c', { moot: { ask: { id: 'ask:r1/s2' } } });
    assert.equal(other.payload, 'c 2');
  });

  it('lets nobody name an ask of somebody else: the answer is that of the one who asks', async () => {
    const { works, settle, serve, ask } = houses();
    serve(({ payload }) => answered(payload));
    await settle();
    assert.equal((await ask('secret')).payload, 'secret');
    const asked = await ask('mine', { sender: { house: 'west', process: 'process-of-west' } });
    assert.equal(asked.payload, 'mine');
    assert.equal(new Set(works.map(({ id }) => id)).size, 2);
  });

  it('ends at its deadline in words, and the other side stops working', async () => {
    const { clock, works, settle, serve, ask } = houses();
    serve(never);
    await settle();
    const asked = ask();
    await settle();
    assert.equal(works[0]?.signal.aborted, false);
    await clock.advance(5_000);
    const answer = await asked;
    assert.equal(answer.status, 'timeout');
    assert.equal(answer.payload, 'Lamp took longer than 5 seconds.');
    assert.equal(answer.error?.code, 'FOLKMOOT_DEADLINE');
    assert.equal(works[0]?.signal.aborted, true);
  });

  it('is cancelled at the other side when the asker stops', async () => {
    const { works, settle, serve, ask } = houses();
    serve(never);
    await settle();
    const abort = new AbortController();
    const asked = ask('x', { signal: abort.signal });
    await settle();
    abort.abort(new Error('enough'));
    assert.equal((await asked).status, 'cancelled');
    await settle();
    assert.equal(works[0]?.signal.aborted, true);
    assert.equal((await ask('y', { signal: AbortSignal.abort() })).status, 'cancelled');
  });

  it('ends at once when the agent’s process goes away while it works', async () => {
    const { bus, north, settle, serve, ask } = houses();
    serve(never);
    await settle();
    const asked = ask();
    await settle();
    const { topic, payload } = presenceWill(north.identity);
    await bus.publish(topic, { payload, retain: true });
    await settle();
    const answer = await asked;
    assert.deepEqual([answer.status, answer.payload], ['failed', 'Lamp went away while it worked.']);
    assert.equal(answer.error?.code, 'FOLKMOOT_NOT_HERE');
  });

  it('is not sent to an agent that is not there', async () => {
    const { bus, north, settle, ask } = houses();
    const seen: BusMessage[] = [];
    await bus.subscribe('folkmoot/v1/agents/+/ask', (message) => void seen.push(message));
    await north.presence.close();
    await settle();
    assert.equal((await ask()).payload, 'Lamp is not there right now.');
    assert.equal((await ask('x', { agentId: 'unknown' })).error?.code, 'FOLKMOOT_NOT_HERE');
    await settle();
    assert.equal(seen.length, 0);
  });

  it('passes over answers that come from another or belong to another ask', async () => {
    const { bus, south, ask } = houses();
    await bus.subscribe(ourTopics.agentAsk('lamp-agent'), async ({ responseTopic = '', correlation = '' }) => {
      const say = (payload: string, process: string, of = correlation) =>
        bus.publish(responseTopic, { payload, correlation: of, properties: { PROCESS: process } });
      const good = JSON.stringify({ status: 'answered', payload: 'forged' });
      await say('{', 'process-of-west');
      await say(good, 'process-of-west');
      await say(good, '');
      await say(good, 'process-of-north', 'another');
      await say(JSON.stringify({ status: 'answered', payload: 'true' }), 'process-of-north');
    });
    assert.equal((await ask()).payload, 'true');
    assert.equal(south.registry.messages.dropped('answer'), 3);
    assert.equal(south.registry.messages.dropped('answer', 'wrong sender'), 3);
  });

  it('is refused in words to whoever may not ask, and counted', async () => {
    const { north, settle, ask } = houses();
    north.serve(
      'lamp-agent',
      () => Promise.resolve(answered('x')),
      ({ house }) => (house === 'south' ? 'You may not ask here.' : undefined),
    );
    await settle();
    const answer = await ask();
    assert.deepEqual([answer.status, answer.payload], ['refused', 'You may not ask here.']);
    assert.equal(answer.error?.code, 'FOLKMOOT_NOT_ALLOWED');
    assert.equal(north.registry.messages.dropped('ask', 'not allowed'), 1);
  });

  it('is refused in words while the agent rests, and its asker may still stop what is in work', async () => {
    const { north, settle, works, ask } = houses();
    let rests: string | undefined;
    north.serve(
      'lamp-agent',
      (one) => {
        works.push(one);
        return one.payload === 'long' ? never() : Promise.resolve(answered('done'));
      },
      undefined,
      () => rests,
    );
    await settle();
    const abort = new AbortController();
    const inWork = ask('long', { signal: abort.signal, moot: { ask: { id: 'ask:r/long' } } });
    await settle();
    rests = 'Not now.';
    const answer = await ask();
    assert.deepEqual([answer.status, answer.payload, works.length], ['refused', 'Not now.', 1]);
    abort.abort();
    await inWork;
    await settle();
    assert.equal(works[0]?.signal.aborted, true);
    rests = undefined;
    assert.equal((await ask()).payload, 'done');
  });

  it('is refused when it can’t be worked on: another kind, no words, too long, in a circle, too many', async () => {
    const { clock, settle, serve, ask } = houses();
    serve(never);
    await settle();
    const status = async (...of: Parameters<typeof ask>) => (await ask(...of)).status;
    assert.equal(await status('x', { kind: 'memory' }), 'refused');
    assert.equal(await status('  '), 'refused');
    assert.equal(await status(7), 'refused');
    assert.equal(await status('x'.repeat(limits.promptChars + 1)), 'refused');
    assert.equal(await status('x', { moot: { depth: limits.runDepth + 1, ask: { id: 'ask:r/deep' } } }), 'refused');
    const open = Array.from({ length: limits.directedAsksOpen }, (_, n) =>
      ask('x', { moot: { ask: { id: `ask:r/${n}` } } }),
    );
    await settle();
    assert.equal((await ask('x', { moot: { ask: { id: 'ask:r/last' } } })).error?.code, 'FOLKMOOT_LIMIT');
    await clock.advance(5_000);
    await Promise.all(open);
  });

  it('never makes an agent speak where its answer would be taken for something else', async () => {
    const { bus, north, settle, serve } = houses();
    serve(() => answered('x'));
    const spoken: string[] = [];
    await bus.subscribe('#', ({ topic }) => void spoken.push(topic));
    await settle();
    spoken.length = 0;
    const topics = [
      undefined,
      'a/#',
      ourTopics.control,
      ourTopics.agent('lamp-agent'),
      '/es/nachobrito/amica/user/request/v1',
      '$SYS/x',
    ];
    for (const responseTopic of topics) {
      const message = { payload: JSON.stringify({ v: 1, kind: 'step', payload: 'light on' }), correlation: '1' };
      await bus.publish(ourTopics.agentAsk('lamp-agent'), { ...message, ...(responseTopic ? { responseTopic } : {}) });
    }
    await settle();
    assert.deepEqual(new Set(spoken), new Set([ourTopics.agentAsk('lamp-agent')]));
    assert.equal(north.registry.messages.dropped('ask', 'no response topic'), topics.length);
  });

  it('is a failed answer when the work fails or gives too much', async () => {
    const { settle, serve, ask } = houses();
    serve(({ payload }) => {
      if (payload === 'fail') throw new Error('oh');
      return answered('x'.repeat(limits.busPayloadBytes));
    });
    await settle();
    assert.equal((await ask('fail')).payload, 'Something went wrong here.');
    const long = await ask('long', { moot: { ask: { id: 'ask:r1/s3' } } });
    assert.deepEqual([long.status, long.error?.code], ['failed', 'FOLKMOOT_LIMIT']);
  });

  it('ends in words when the bus can’t carry it', async () => {
    const { ask } = houses();
    const answer = await ask('x'.repeat(limits.busPayloadBytes));
    assert.deepEqual([answer.status, answer.payload], ['failed', 'Lamp can’t be reached right now.']);
  });

  it('reaches a tool that a plain program has announced', async () => {
    const { bus, south, settle } = houses();
    const card = {
      v: 1,
      toolId: 'scale',
      name: 'Scale',
      purpose: 'Weighs',
      schema: { type: 'object' },
      channel: 'bus',
    };
    await bus.publish(ourTopics.tool('scale'), { payload: JSON.stringify(card), retain: true });
    const calls: unknown[] = [];
    await bus.subscribe(ourTopics.toolCall('scale'), async ({ payload, responseTopic = '', correlation = '' }) => {
      calls.push(JSON.parse(Buffer.from(payload).toString()));
      await bus.publish(responseTopic, {
        payload: JSON.stringify({ status: 'answered', payload: { kg: 3 } }),
        correlation,
      });
    });
    await settle();
    const call = { id: 'ask:r1/s1/t1', arguments: { of: 'bag' }, conversation: 'c1' };
    const options = { bus, registry: south.registry, sender: south.sender, deadlineMs: 1_000 };
    const answer = await callTool({ ...options, toolId: 'scale', call, signal: new AbortController().signal });
    assert.deepEqual(answer.payload, { kg: 3 });
    assert.deepEqual(calls, [{ v: 1, ...call, deadline: 1_000 }]);
  });
});
