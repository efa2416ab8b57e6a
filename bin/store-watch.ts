/** Hears from the nodes whether the home's memory on a server can be used: that look is the only one. */
import type { EventEmitter } from 'node:events';

/** As the connections node tells it. */
interface StoreState {
  readonly address?: string;
  readonly state?: string;
  readonly reason?: string;
}

/** Nothing when the server at the address can be used; else why not, in words. Waits at most so long. Never rejects. */
export type UntilStore = (address: string, ms: number) => Promise<string | undefined>;

const silent = 'nobody answers there';

/** Hears from now on. */
export function watchStore(events: EventEmitter): UntilStore {
  const known = new Map<string, StoreState>();
  const heard = new Set<() => void>();
  events.on('folkmoot:store', (state: StoreState) => {
    if (state.address === undefined || (state.state !== 'up' && state.state !== 'down')) return;
    known.set(state.address, state);
    for (const tell of heard) tell();
  });
  return async (address, ms) => {
    if (!known.has(address)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      const tell = () => known.has(address) && resolve();
      heard.add(tell);
      await promise;
      heard.delete(tell);
      clearTimeout(timer);
    }
    const { state, reason } = known.get(address) ?? { state: 'down' };
    return state === 'up' ? undefined : (reason ?? silent).replace(/^\S+: /, '');
  };
}
