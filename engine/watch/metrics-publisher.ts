/** Counters of a process on the bus (contracts.md 5): once a minute, and after a change at most once a second. */
import type { Bus } from '../bus/bus.ts';
import type { BusMetrics } from '../bus/metrics.ts';
import { ourTopics } from '../bus/topics.ts';
import type { MetricsBody } from '../bus/watch-schemas.ts';
import type { Clock, Timer } from '../clock.ts';
import { canonical } from '../ids.ts';
import { limits } from '../limits.ts';

export interface MetricsPublisherOptions {
  readonly bus: Bus;
  readonly metrics: BusMetrics;
  readonly clock: Clock;
  readonly process: string;
  readonly house: string;
}

/** Not worth a place in a queue: what can't leave now is left out. Gives what ends it. */
export function publishMetrics({ bus, metrics, clock, process, house }: MetricsPublisherOptions): () => void {
  let soon: Timer | undefined;
  let later: Timer | undefined;
  let told = '';

  /** Publishing is a message too: without this one would lead to the next. */
  const others = () => {
    const { topics, ...rest } = metrics.snapshot();
    return canonical({ topics: { ...topics, [ourTopics.metrics]: undefined }, ...rest });
  };
  const tell = () => {
    told = others();
    clock.clearTimer(later);
    later = clock.setTimer(tell, limits.metricsEveryMs);
    if (bus.state !== 'up') return;
    const at = new Date(clock.now()).toISOString();
    const body: MetricsBody = { ...metrics.snapshot(), process, house, at };
    // An acknowledgement would be one more change; who misses one gets the next.
    void bus.publish(ourTopics.metrics, { payload: JSON.stringify(body), qos: 0 }).catch(() => undefined);
  };
  const stopChanges = metrics.onChange(() => {
    soon ??= clock.setTimer(() => {
      soon = undefined;
      if (others() !== told) tell();
    }, limits.metricsChangeMs);
  });
  later = clock.setTimer(tell, limits.metricsEveryMs);
  return () => {
    stopChanges();
    clock.clearTimer(soon);
    clock.clearTimer(later);
  };
}
