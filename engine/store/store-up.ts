/** Waiting for a store that lies elsewhere. */
import type { Store } from './store.ts';

/**
 * True as soon as the store can be asked, at once where there is no connection that may be lost; false when it is closed
 * or the signal aborts. For what must be read once and can wait, such as what a crash left over.
 */
export function storeUp({ link }: Pick<Store, 'link'>, signal?: AbortSignal): Promise<boolean> {
  if (!link) return Promise.resolve(true);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const giveUp = () => resolve(false);
  signal?.addEventListener('abort', giveUp, { once: true });
  if (signal?.aborted) giveUp();
  const stop = link.onState((state) => {
    if (state === 'up') resolve(true);
    if (state === 'closed') resolve(false);
  });
  return promise.finally(() => {
    stop();
    signal?.removeEventListener('abort', giveUp);
  });
}

/** Whether the store can be asked now; waits only for the end of the first try to connect. */
export function isStoreUp({ link }: Pick<Store, 'link'>): Promise<boolean> {
  if (!link) return Promise.resolve(true);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stop = link.onState((state) => {
    if (state !== 'connecting') resolve(state === 'up');
  });
  return promise.finally(stop);
}
