/** The only place where a node's look of state is written (node-red-conventions.md 5). */
import type { RedStatus } from './red.ts';

const looks = {
  idle: {},
  thinking: { fill: 'blue', shape: 'dot' },
  waiting: { fill: 'yellow', shape: 'ring' },
  /** A person is asked before it goes on. */
  approval: { fill: 'yellow', shape: 'dot' },
  /** Some agents of a folder can't be used. */
  agents: { fill: 'yellow', shape: 'ring' },
  done: { fill: 'green', shape: 'dot' },
  failed: { fill: 'red', shape: 'dot' },
  connecting: { fill: 'yellow', shape: 'ring' },
  connected: { fill: 'green', shape: 'dot' },
  disconnected: { fill: 'red', shape: 'ring' },
} as const satisfies Record<string, RedStatus>;

export type NodeState = keyof typeof looks;

/** @param text A number such as `3/5`, or nothing: then the catalogue's word for the state. */
export function statusOf(type: string, state: NodeState, text?: string): RedStatus {
  return state === 'idle' ? {} : { ...looks[state], text: text ?? `${type}.status.${state}` };
}
