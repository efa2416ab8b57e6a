/** A batch of events in words, for a team that is told of it without a rule's sentence. */
import { limits } from '../limits.ts';
import type { EventRecord } from '../moot.ts';
import { wordsOf } from './sentence.ts';

/** "hall_motion occupancy is true; hall_motion illuminance is 12 lx" */
export const eventsText = (events: readonly EventRecord[]): string =>
  events
    .map(
      ({ source, kind, value, unit }) =>
        `${wordsOf(source)} ${wordsOf(kind)} is ${wordsOf(value)}${unit ? ` ${unit}` : ''}`,
    )
    .join('; ')
    .slice(0, limits.requestChars);
