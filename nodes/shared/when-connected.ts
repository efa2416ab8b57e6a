/** Before what a crash left over is gone on with. */
import { whenUp } from '../../engine/bus/when-up.ts';
import { limits } from '../../engine/limits.ts';
import { storeUp } from '../../engine/store/store-up.ts';
import type { Backbone } from '../backbone/lease.ts';
import { processClock } from './process.ts';

/**
 * Waits a while for the bus, and for the store as long as it takes: nothing is known without it. False when the node is
 * closed before.
 */
export async function whenConnected({ bus, store }: Backbone, signal: AbortSignal): Promise<boolean> {
  await whenUp(bus, { clock: processClock, timeoutMs: limits.busConnectTimeoutMs, signal });
  return storeUp(store, signal);
}
