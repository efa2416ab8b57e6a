/**
 * What we publish as it comes back over a subscription of our own: only then has the broker surely passed it on. A broker
 * that is killed loses messages that it had acknowledged already.
 */
import type { Bus, BusMessage, Subscription } from './bus.ts';
import { limits } from '../limits.ts';
import { amicaTopics } from './topics.ts';

/** The user property by which a repetition is known. */
export const outboxProperty = 'OUTBOX_ID';

export interface Echoes {
  /** Resolves when messages to this topic come back, or with false when the broker doesn't let us listen there. */
  listen(topic: string): Promise<boolean>;
  close(): void;
}

interface Ear {
  readonly standing: Promise<Subscription | undefined>;
}

const replies = amicaTopics.replies('');

/** One subscription for all replies; a topic of its own for everything else. */
const patternOf = (topic: string): string => (topic.startsWith(replies) ? amicaTopics.replies('+') : topic);

/** Topics are let go when there are more than `limits.outboxTopics`, the one longest not used first. */
export function createEchoes(bus: Pick<Bus, 'subscribe'>, heard: (id: string) => Promise<void>): Echoes {
  const ears = new Map<string, Ear>();
  const receive = ({ properties, retained }: BusMessage) => {
    const id = properties[outboxProperty];
    return id && !retained ? heard(id) : undefined;
  };
  const end = ({ standing }: Ear) => void standing.then((made) => made?.close()).catch(() => undefined);
  return {
    async listen(topic) {
      const pattern = patternOf(topic);
      const known = ears.get(pattern);
      const ear = known ?? { standing: bus.subscribe(pattern, receive).catch(() => undefined) };
      ears.delete(pattern);
      ears.set(pattern, ear);
      const [oldest] = ears;
      if (ears.size > limits.outboxTopics && oldest) {
        ears.delete(oldest[0]);
        end(oldest[1]);
      }
      return (await ear.standing) !== undefined;
    },
    close() {
      for (const ear of ears.values()) end(ear);
      ears.clear();
    },
  };
}
