/** Changes of boards on the bus (contracts.md 5): who watches sees those of other nodes and processes too. */
import type { Bus, Subscription } from '../bus/bus.ts';
import { ourPatterns, ourTopics } from '../bus/topics.ts';
import type { BoardChange } from './board.ts';

/** A change with the conversation that the board belongs to. */
export type SharedChange = BoardChange & { readonly conversation: string };

/** Resolves when the bus has them. */
export async function publishChanges(bus: Bus, changes: readonly SharedChange[]): Promise<void> {
  for (const change of changes)
    await bus.publish(ourTopics.boardChanges(change.conversation), { payload: JSON.stringify(change) });
}

/** What can't be read is left out. */
export function watchChanges(bus: Bus, listener: (change: SharedChange) => void): Promise<Subscription> {
  return bus.subscribe(ourPatterns.boards, ({ payload }) => {
    const change = parsed(payload);
    if (change) listener(change);
  });
}

const kinds: readonly unknown[] = ['mutation', 'message', 'data', 'cleared'];

function parsed(payload: Uint8Array): SharedChange | undefined {
  try {
    const change = JSON.parse(new TextDecoder().decode(payload)) as Partial<SharedChange> | null;
    const isChange =
      kinds.includes(change?.kind) && typeof change?.conversation === 'string' && typeof change.revision === 'number';
    return isChange ? (change as SharedChange) : undefined;
  } catch {
    return undefined;
  }
}
