/** Application data for agents that work with GraphQL. */
import { loadBoard } from '../../engine/blackboard/stored-board.ts';
import type { Moot } from '../../engine/moot.ts';
import type { Backbone } from '../backbone/lease.ts';

/** What came with the message, else what its conversation's board holds. */
export async function applicationData(
  { store }: Backbone,
  { data, conversation }: Pick<Moot, 'data' | 'conversation'>,
): Promise<string | undefined> {
  return data !== undefined || !conversation ? data : (await loadBoard(store, conversation)).board.data;
}
