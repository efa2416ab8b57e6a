/** Two buses with outboxes over one broker, one of which speaks under load while the broker is killed again and again. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Bus } from '../../engine/bus/bus.ts';
import { withOutbox } from '../../engine/bus/kept-bus.ts';
import { createBusMetrics, type BusMetrics } from '../../engine/bus/metrics.ts';
import { createMqttBus } from '../../engine/bus/mqtt.ts';
import { createOutbox } from '../../engine/bus/outbox.ts';
import { createOutboxShelf } from '../../engine/bus/outbox-shelf.ts';
import { systemClock } from '../../engine/clock.ts';
import { createEmbeddedStore } from '../../engine/store/embedded.ts';

export interface KeptHouse {
  readonly bus: Bus;
  readonly metrics: BusMetrics;
  readonly problems: readonly string[];
  close(): Promise<void>;
}

/** As a backbone opens it. @param folder Of its store. */
export async function openKept(url: string, name: string, folder: string, most = 5_000): Promise<KeptHouse> {
  const clock = systemClock;
  const store = createEmbeddedStore({ path: folder, clock });
  const metrics = createBusMetrics({ clock });
  const problems: string[] = [];
  const report = (problem: unknown) => void problems.push(String(problem));
  // Both try each second: who listens is back before the outbox begins again.
  const raw = createMqttBus({ url, clientId: `folkmoot-${name}`, metrics, clock, reconnectMaxMs: 1_000 });
  const shelf = createOutboxShelf({ store, house: name, processId: name, report });
  const outbox = createOutbox({ bus: raw, clock, metrics, shelf, most, ageMs: 3_600_000, report });
  const bus = withOutbox(raw, outbox, metrics);
  bus.onProblem(report);
  return {
    bus,
    metrics,
    problems,
    async close() {
      await bus.close();
      await store.close();
    },
  };
}

/** Calls `send` with 0, 1, 2, … so often a second until the signal aborts. Gives how many. */
export async function atRate(perSecond: number, signal: AbortSignal, send: (n: number) => void): Promise<number> {
  const began = performance.now();
  let n = 0;
  while (!signal.aborted) {
    for (const due = ((performance.now() - began) * perSecond) / 1000; n < due; n += 1) send(n);
    await pause(10);
  }
  return n;
}
