/** What people are told when nobody else found words: never how it works inside. */
import { limits } from '../limits.ts';
import type { Outcome } from '../moot.ts';

/**
 * Why nobody found words. `interrupted`: the process ended before there were any. `untaken`: it was kept for a flow that
 * did not come back. `nobody`: the flow leads nowhere. `paused`: somebody has paused the house.
 */
export type ForcedCause = Outcome | 'silence' | 'closed' | 'interrupted' | 'untaken' | 'nobody' | 'paused';

const words: Partial<Record<ForcedCause, string>> = {
  timeout: 'Sorry, this took too long, so I stopped waiting for it. Please ask again.',
  failed: 'Sorry, something went wrong, so I have no answer. Please ask again.',
  limit: 'Sorry, that was too much at once. Please ask for less.',
  cancelled: 'That was stopped before it was finished.',
  closed:
    'I am being stopped in the middle of this and go on with it when I am back. Please have a look before you ask again.',
  interrupted:
    'Sorry, I was interrupted and can’t tell whether that was done. Please have a look before you ask again.',
  untaken: 'Sorry, I was being changed just then and did not begin with that. Please ask again.',
  paused: 'The house is paused, so nothing is done. Please ask again when it goes on.',
  nobody: 'Sorry, nobody is there to answer that at the moment.',
};

/** The whole answer to another house. */
export function pausedWords(house: string, by: string): string {
  const name = by.replace(/\p{Cc}+/gu, ' ').slice(0, limits.registryNameChars);
  return `The house “${house}” is paused by ${name}, so nothing is done. Please ask again when it goes on.`;
}

/** The whole reply. */
export const forcedWords = (cause: ForcedCause): string => words[cause] ?? 'Sorry, I have no answer to that.';
