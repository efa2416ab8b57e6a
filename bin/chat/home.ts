/** The home behind the chat: asked for boards and for its team, which are no matter of an agent. */
import type { Bus } from '../../engine/bus/bus.ts';
import { readOur } from '../../engine/bus/our-message.ts';
import type { HomeAskBody } from '../../engine/bus/our-payloads.ts';
import { senderProperties } from '../../engine/bus/our-properties.ts';
import { ourPatterns, ourTopics } from '../../engine/bus/topics.ts';
import type { Clock } from '../../engine/clock.ts';
import { asError, isFolkmootError } from '../../engine/errors.ts';
import { newId } from '../../engine/ids.ts';
import { retainedCame } from '../../engine/registry/fence.ts';

export interface AskedHome {
  /** What it answers. @throws Error in words for people. */
  ask(question: Omit<HomeAskBody, 'v'>): Promise<unknown>;
}

export interface AskedHomeOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  /** Who asks. */
  readonly user: string;
  /** Its name, as one gave it; nothing: that of `heard`, else the only one that is here. */
  readonly house?: string | undefined;
  /** Of whoever answered last. */
  readonly heard: () => string | undefined;
}

const withinMs = 5_000;
const elseWorks = 'Everything else works.';

export function createAskedHome({ bus, clock, user, house, heard }: AskedHomeOptions): AskedHome {
  return {
    async ask(question) {
      const asked = house ?? heard() ?? (await onlyHouse(bus, clock));
      const payload = JSON.stringify({ v: 1, ...question } satisfies HomeAskBody);
      const message = { payload, properties: senderProperties({ user }), onlyNow: true };
      const answer = await bus
        .request(ourTopics.homeAsk(asked), message, { timeoutMs: withinMs })
        .catch((error: unknown) => {
          if (!isFolkmootError(error, 'FOLKMOOT_DEADLINE')) throw asError(error);
          throw new Error(`“${asked}” does not answer that. It may be another program, or an older one. ${elseWorks}`);
        });
      const reading = readOur('answer', answer);
      if (!('body' in reading)) throw new Error(`“${asked}” answered something that can not be read.`);
      const { status, payload: given, error } = reading.body;
      if (status === 'answered') return given;
      throw new Error(typeof given === 'string' ? given : (error?.message ?? 'That did not work.'));
    },
  };
}

/** The one that shows that it is here. */
async function onlyHouse(bus: Bus, clock: Clock): Promise<string> {
  const houses = new Map<string, string>();
  const subscription = await bus.subscribe(ourPatterns.presence, (message) => {
    const reading = readOur('presence', message);
    if ('body' in reading && reading.body.status === 'online') houses.set(reading.body.process, reading.body.house);
  });
  try {
    // Where one may not write there, what is retained has come all the same by the time this is told.
    await retainedCame(bus, ourTopics.answers(`chat-${newId()}`), clock).catch(() => undefined);
  } finally {
    await subscription.close();
  }
  const [first, ...others] = [...new Set(houses.values())].sort();
  if (first === undefined) throw new Error(`No home is here that keeps boards and a team. ${elseWorks}`);
  if (others.length === 0) return first;
  throw new Error(`Several homes are here: ${[first, ...others].join(', ')}. Say which with --house NAME.`);
}
