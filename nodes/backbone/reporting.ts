/** What a backbone tells others of itself, and hears of all: counters and control. Only where the bus is shared. */
import { createOurMessages } from '../../engine/bus/our-message.ts';
import { createControl, type Control } from '../../engine/people/control.ts';
import { publishMetrics } from '../../engine/watch/metrics-publisher.ts';
import { processClock } from '../shared/process.ts';
import type { Backbone } from './open-backbone.ts';

/** Problems wait for somebody who can say them: the first listener does. */
export interface Reporting {
  readonly control: Control;
  onProblem(listener: (problem: Error) => void): () => void;
}

/** Nothing where the bus stays within the process. */
export const reportingOf = (backbone: Backbone): Reporting | undefined =>
  backbone.bus.kind === 'in-process' ? undefined : backbone.once('reporting', () => begin(backbone));

function begin(backbone: Backbone): Reporting {
  const { bus, store, house, processId: process, metrics } = backbone;
  const listeners = new Set<(problem: Error) => void>();
  const report = (problem: Error) => {
    const [first] = listeners;
    first?.(problem);
  };
  const messages = createOurMessages({ clock: processClock, report });
  const control = createControl({ bus, store, house, clock: processClock, messages, report });
  const stop = publishMetrics({ bus, metrics, clock: processClock, process, house });
  backbone.onClose(async () => {
    stop();
    await control.close();
    messages.close();
  });
  return {
    control,
    onProblem(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
