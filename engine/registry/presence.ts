/** That this process is here (contracts.md 5): retained, said again after each connect; its last will says that it isn't. */
import type { Bus } from '../bus/bus.ts';
import type { PresenceBody } from '../bus/our-payloads.ts';
import { senderProperties } from '../bus/our-properties.ts';
import { createRetained } from '../bus/retained.ts';
import { ourTopics } from '../bus/topics.ts';
import { sleep, type Clock, type Timer } from '../clock.ts';

export interface ProcessIdentity {
  readonly process: string;
  readonly house: string;
  /** ISO 8601. */
  readonly since: string;
}

const body = ({ process, house, since }: ProcessIdentity, status: PresenceBody['status'], seconds?: number): string =>
  JSON.stringify({ v: 1, process, house, status, since, ...(seconds ? { seconds } : {}) } satisfies PresenceBody);

/** A presence that is said again and again counts as gone after so many times in vain. */
export const presenceMisses = 3;

/** For the connection's options: what the broker says when this process is gone without a word. */
export const presenceWill = (identity: ProcessIdentity) => ({
  topic: ourTopics.presence(identity.process),
  payload: body(identity, 'offline'),
  retain: true,
});

export interface Presence {
  /** Says that it leaves. Call it before the bus closes: a clean close suppresses the last will. */
  close(): Promise<void>;
}

/** Longest wait for the broker at a clean close. */
const leaveMs = 500;

export function createPresence(
  bus: Bus,
  identity: ProcessIdentity,
  options: {
    readonly clock: Clock;
    readonly report: (problem: unknown) => void;
    /** For a bus without a last will: it is said again so often. */
    readonly repeatSeconds?: number | undefined;
  },
): Presence {
  const { clock, repeatSeconds } = options;
  const retained = createRetained(bus, options.report);
  const topic = ourTopics.presence(identity.process);
  const properties = senderProperties(identity);
  const expiry = repeatSeconds && repeatSeconds * presenceMisses;
  retained.set(topic, body(identity, 'online', repeatSeconds), properties, expiry);
  let timer: Timer | undefined;
  const repeat = (seconds: number) => {
    timer = clock.setTimer(() => {
      retained.again(topic);
      repeat(seconds);
    }, seconds * 1000);
  };
  if (repeatSeconds) repeat(repeatSeconds);
  return {
    async close() {
      clock.clearTimer(timer);
      retained.close();
      if (bus.state !== 'up') return;
      const waited = new AbortController();
      const message = { payload: body(identity, 'offline'), properties, retain: true, onlyNow: true };
      const said = bus.publish(topic, message).catch(() => undefined);
      await Promise.race([said, sleep(clock, leaveMs, waited.signal)]).finally(() => waited.abort());
    },
  };
}
