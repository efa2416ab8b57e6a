/** Commands that were sent and may still fail; the last ones are remembered for failures that come late. */
import { limits } from '../limits.ts';
import type { Order } from './decide.ts';
import type { Result } from './report.ts';

export interface Flight {
  readonly order: Order;
  /** What is known by now. */
  result(): Result;
  readonly isSettled: boolean;
  /** Resolves when it was confirmed or failed. */
  readonly settled: Promise<void>;
  /** True when people were told that it was done. */
  isReported: boolean;
  /** Resolves when the ledger knows that it was sent. */
  written: Promise<void>;
  confirm(): void;
  fail(reason: string): void;
}

export interface Flights {
  start(order: Order): Flight;
  find(id: string): Flight | undefined;
}

export function createFlights(): Flights {
  const flights = new Map<string, Flight>();
  return {
    start(order) {
      const flight = createFlight(order);
      flights.delete(order.mutation.id);
      flights.set(order.mutation.id, flight);
      for (const [id, oldest] of flights) {
        if (flights.size <= limits.appliedMemory || !oldest.isReported) break;
        flights.delete(id);
      }
      return flight;
    },
    find: (id) => flights.get(id),
  };
}

function createFlight(order: Order): Flight {
  let failure: string | undefined;
  let isSettled = false;
  const { promise: settled, resolve } = Promise.withResolvers<void>();
  const settle = () => {
    isSettled = true;
    resolve();
  };
  return {
    order,
    settled,
    isReported: false,
    written: Promise.resolve(),
    get isSettled() {
      return isSettled;
    },
    result() {
      const { mutation, spec } = order;
      return failure === undefined
        ? { mutation, spec, state: 'applied' }
        : { mutation, spec, state: 'failed', reason: failure };
    },
    confirm: settle,
    fail(reason) {
      failure ??= reason;
      settle();
    },
  };
}
