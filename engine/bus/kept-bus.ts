/** A bus with an outbox behind `keep`, each message of an outbox given once to each handler, and all of it counted. */
import { asError, folkmootError } from '../errors.ts';
import type { Bus, Outgoing } from './bus.ts';
import { withWindow } from './message-window.ts';
import type { BusMetrics } from './metrics.ts';
import type { Outbox } from './outbox.ts';

/**
 * Closing it closes both.
 * @param takes Which of the messages that ask for it the outbox may keep; the others go by the bus's own queue.
 */
export function withOutbox(
  bus: Bus,
  outbox: Outbox,
  metrics: BusMetrics,
  takes: (message: Outgoing) => boolean = () => true,
): Bus {
  const counted = async <T>(topic: string, work: Promise<T>, isOutbox = false): Promise<T> => {
    try {
      const result = await work;
      if (!isOutbox) metrics.countOut(topic);
      return result;
    } catch (error) {
      metrics.failed(topic, asError(error).message);
      throw error;
    }
  };
  return {
    kind: bus.kind,
    get state() {
      return bus.state;
    },
    onState: (listener) => bus.onState(listener),
    publish: (topic, message, signal) =>
      message.keep && takes(message)
        ? counted(topic, outbox.publish(topic, message, signal), true)
        : counted(topic, bus.publish(topic, message, signal)),
    subscribe: (pattern, handler, options) =>
      bus.subscribe(
        pattern,
        withWindow(handler, (topic) => metrics.dropped(topic, 'came before')),
        options,
      ),
    request: (topic, message, options) => counted(topic, bus.request(topic, message, options)),
    onProblem: (listener) => bus.onProblem(listener),
    async close() {
      outbox.close(folkmootError('FOLKMOOT_BUS_LOST', 'The connection was closed on purpose.'));
      await bus.close();
    },
  };
}
