/** Tells what these connections carried, dropped and refused, and the last error of each topic. */
import { ourTopics } from '../../engine/bus/topics.ts';
import { watchMetrics } from '../../engine/watch/metrics-publisher.ts';
import type { Backbone } from '../backbone/lease.ts';
import { processClock } from '../shared/process.ts';
import type { BusInKit } from './bus-in.ts';

/** Gives what ends it. */
export function takeCounters(kit: BusInKit, { metrics, house, processId }: Backbone): Promise<() => void> {
  const stop = watchMetrics({
    ...{ metrics, house, clock: processClock, process: processId },
    tell: (payload) => kit.send([{ payload, topic: ourTopics.metrics }]),
  });
  return Promise.resolve(stop);
}
