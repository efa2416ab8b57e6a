import type { Reading } from './reading.ts';

const holding = new Set(['i', 'we', 'you', 'is', 'are']);

/** An order or a question; also a statement that says what shall be so: "the wolf eats the sheep". */
export const isMoving = ({ clause: { mood, tokens, isDenied }, evidence }: Reading): boolean =>
  mood !== 'statement' ||
  (!isDenied && evidence.byAgent.some(({ verb }) => verb >= 1) && !tokens.some(({ text }) => holding.has(text)));
