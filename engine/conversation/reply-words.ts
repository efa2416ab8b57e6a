/** What people are told when nobody else found words: never how it works inside. */
import type { Outcome } from '../moot.ts';

/** Why nobody found words. `interrupted`: the process ended before there were any. */
export type ForcedCause = Outcome | 'silence' | 'closed' | 'interrupted';

const words: Partial<Record<ForcedCause, string>> = {
  timeout: 'Sorry, this took too long, so I stopped waiting for it. Please ask again.',
  failed: 'Sorry, something went wrong, so I have no answer. Please ask again.',
  limit: 'Sorry, that was too much at once. Please ask for less.',
  cancelled: 'That was stopped before it was finished.',
  closed:
    'I am being stopped in the middle of this and go on with it when I am back. Please have a look before you ask again.',
  interrupted:
    'Sorry, I was interrupted and can’t tell whether that was done. Please have a look before you ask again.',
};

/** The whole reply. */
export const forcedWords = (cause: ForcedCause): string => words[cause] ?? 'Sorry, I have no answer to that.';
