import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import { createBusMetrics, topicKind } from './metrics.ts';

const make = () => createBusMetrics({ clock: fakeClock() });

describe('what a bus counts', () => {
  it('goes by topic, with ids of messages, runs and processes as one kind', () => {
    const metrics = make();
    for (const id of ['a', 'b']) metrics.countOut(`/es/nachobrito/amica/replies/${id}`);
    metrics.countIn('folkmoot/v1/agents/cook/ask');
    metrics.countIn('home/lamp/set');
    assert.deepEqual(
      Object.entries(metrics.snapshot().topics).map(([topic, counts]) => [topic, counts.in, counts.out]),
      [
        ['/es/nachobrito/amica/replies/+', 0, 2],
        ['folkmoot/v1/agents/+/ask', 1, 0],
        ['home/lamp/set', 1, 0],
      ],
    );
    assert.equal(topicKind('folkmoot/v1/runs/r/events'), 'folkmoot/v1/runs/+/events');
    assert.equal(topicKind('folkmoot/v1/control'), 'folkmoot/v1/control');
  });

  it('holds what was dropped by reason, refused senders, the last error and what was lost', () => {
    const metrics = make();
    metrics.dropped('a', 'not JSON');
    metrics.dropped('a', 'not JSON', 2);
    metrics.refusedSender('a');
    metrics.failed('a', 'first');
    metrics.failed('a', 'x'.repeat(1_000));
    metrics.outboxWaiting(7);
    metrics.maybeLost('a');
    metrics.lost('b', 'too old');
    metrics.heldBack('paused');
    metrics.heldBack('shadow', 2);
    metrics.planned('firstTier');
    metrics.planned('firstTier');
    metrics.planned('planner');
    const { topics, outbox, heldBack, planned } = metrics.snapshot();
    assert.deepEqual(planned, { firstTier: 2, planner: 1, checked: 0, agreed: 0 });
    assert.deepEqual(heldBack, { paused: 1, shadow: 2 });
    assert.deepEqual(topics['a']?.dropped, { 'not JSON': 3 });
    assert.equal(topics['a']?.refusedSenders, 1);
    assert.equal(topics['a']?.lastError?.text.length, limits.metricErrorChars);
    assert.equal(topics['a']?.lastError?.at, '2026-01-01T00:00:00.000Z');
    assert.deepEqual(outbox, { waiting: 7, maybeLost: 1, lost: { 'too old': 1 } });
    assert.match(topics['b']?.lastError?.text ?? '', /too old/);
  });

  it('is bounded: more topics and reasons than the limits are counted together', () => {
    const metrics = make();
    for (let n = 0; n < limits.metricTopics + 50; n += 1) metrics.countIn(`t/${n}`);
    for (let n = 0; n < limits.metricReasons + 50; n += 1) metrics.dropped('t/0', `reason ${n}`);
    const { topics } = metrics.snapshot();
    assert.equal(Object.keys(topics).length, limits.metricTopics + 1);
    assert.equal(topics['others']?.in, 50);
    assert.equal(topics['t/0']?.dropped['others'], 50);
  });

  it('tells of each change until the listener is taken away', () => {
    const metrics = make();
    let changes = 0;
    const stop = metrics.onChange(() => (changes += 1));
    metrics.countIn('a');
    metrics.lost('a', 'full');
    stop();
    metrics.countIn('a');
    assert.equal(changes, 2);
  });
});
