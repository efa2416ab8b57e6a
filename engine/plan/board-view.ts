/** What an agent sees of the board: only what it accepts, the newest `limits.askMutations`, oldest first (row 55). */
import { limits } from '../limits.ts';
import type { Mutation } from '../moot.ts';

export function boardView(board: readonly Mutation[], accepts: readonly string[]): Mutation[] {
  return board.filter((mutation) => accepts.includes(mutation.function)).slice(-limits.askMutations);
}
