import assert from 'node:assert/strict';
import { createInProcessBus } from '../bus/in-process.ts';
import { createBusMetrics } from '../bus/metrics.ts';
import { readOur } from '../bus/our-message.ts';
import { ourTopics } from '../bus/topics.ts';
import type { MetricsBody } from '../bus/watch-schemas.ts';
import { fakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import { publishMetrics } from './metrics-publisher.ts';

describe('counters on the bus', () => {
  async function setUp() {
    const clock = fakeClock();
    const bus = createInProcessBus({ clock });
    const metrics = createBusMetrics({ clock });
    const told: MetricsBody[] = [];
    await bus.subscribe(ourTopics.metrics, (message) => {
      const reading = readOur('metrics', message);
      assert.ok('body' in reading, JSON.stringify(reading));
      told.push(reading.body);
      // As a bus counts what it carries.
      metrics.countOut(ourTopics.metrics);
    });
    const stop = publishMetrics({ bus, metrics, clock, process: 'p', house: 'h' });
    return { clock, metrics, told, stop };
  }

  it('are told once a minute when nothing happens', async () => {
    const { clock, told, stop } = await setUp();
    await clock.advance(limits.metricsEveryMs - 1);
    assert.equal(told.length, 0);
    await clock.advance(1 + limits.metricsEveryMs);
    assert.equal(told.length, 2);
    stop();
    assert.equal(clock.waiting, 0);
  });

  it('are told after a change, once a second at most, and never because they were told', async () => {
    const { clock, metrics, told, stop } = await setUp();
    for (let n = 0; n < 1_000; n += 1) {
      metrics.countIn('folkmoot/v1/agents/x/ask');
      metrics.dropped('folkmoot/v1/agents/x/ask', 'wrong field');
    }
    await clock.advance(limits.metricsChangeMs);
    assert.equal(told.length, 1);
    const counted = told[0]?.topics['folkmoot/v1/agents/+/ask'];
    assert.deepEqual([counted?.in, counted?.dropped], [1_000, { 'wrong field': 1_000 }]);
    await clock.advance(20 * limits.metricsChangeMs);
    assert.equal(told.length, 1);
    metrics.countOut('x');
    await clock.advance(limits.metricsChangeMs);
    assert.equal(told.length, 2);
    assert.deepEqual([told[1]?.process, told[1]?.house], ['p', 'h']);
    stop();
    assert.equal(clock.waiting, 0);
  });
});
