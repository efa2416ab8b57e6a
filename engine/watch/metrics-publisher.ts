/** Counters of a process: on the bus for others (contracts.md 5), and for whoever listens here. */
import type { Bus } from '../bus/bus.ts';
import type { BusMetrics } from '../bus/metrics.ts';
import { ourTopics } from '../bus/topics.ts';
import type { MetricsBody } from '../bus/watch-schemas.ts';
import type { Clock, Timer } from '../clock.ts';
import { canonical } from '../ids.ts';
import { limits } from '../limits.ts';

export interface MetricsWatchOptions {
  readonly metrics: BusMetrics;
  readonly clock: Clock;
  readonly process: string;
  readonly house: string;
  readonly tell: (body: MetricsBody) => void;
}

/** Once a minute, and after a change at most once a second. Gives what ends it. */
export function watchMetrics({ metrics, clock, process, house, tell }: MetricsWatchOptions): () => void {
  let soon: Timer | undefined;
  let later: Timer | undefined;
  let told = '';

  /** Publishing is a message too: without this one would lead to the next. */
  const others = () => {
    const { topics, ...rest } = metrics.snapshot();
    return canonical({ topics: { ...topics, [ourTopics.metrics]: undefined }, ...rest });
  };
  const tellNow = () => {
    told = others();
    clock.clearTimer(later);
    later = clock.setTimer(tellNow, limits.metricsEveryMs);
    tell({ ...metrics.snapshot(), process, house, at: new Date(clock.now()).toISOString() });
  };
  const stopChanges = metrics.onChange(() => {
    soon ??= clock.setTimer(() => {
      soon = undefined;
      if (others() !== told) tellNow();
    }, limits.metricsChangeMs);
  });
  later = clock.setTimer(tellNow, limits.metricsEveryMs);
  return () => {
    stopChanges();
    clock.clearTimer(soon);
    clock.clearTimer(later);
  };
}

export interface MetricsPublisherOptions extends Omit<MetricsWatchOptions, 'tell'> {
  readonly bus: Bus;
}

/** Not worth a place in a queue: what can't leave now is left out. Gives what ends it. */
export const publishMetrics = ({ bus, ...options }: MetricsPublisherOptions): (() => void) =>
  watchMetrics({
    ...options,
    tell(body) {
      if (bus.state !== 'up') return;
      // An acknowledgement would be one more change; who misses one gets the next.
      void bus.publish(ourTopics.metrics, { payload: JSON.stringify(body), qos: 0 }).catch(() => undefined);
    },
  });
