/** Whether a store works, in words: for the dialog's Test button and `folkmoot doctor`. */
import type { CheckResult } from '../bus/check-bus.ts';
import type { Clock } from '../clock.ts';
import { asError } from '../errors.ts';
import { newId } from '../ids.ts';
import { tagged } from './keys.ts';
import type { Store } from './store.ts';

/** Writes, reads and deletes a record. Never rejects; ends within `timeoutMs`. */
export async function checkStore(
  store: Pick<Store, 'put' | 'get' | 'delete'>,
  { clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number },
): Promise<CheckResult> {
  const began = clock.now();
  const key = tagged('check', newId());
  const work = async (): Promise<CheckResult> => {
    await store.put(key, { v: 1 }, { expiresInMs: 60_000 });
    const found = await store.get<{ v: number }>(key);
    await store.delete(key);
    if (found?.value.v !== 1) return { isOk: false, text: 'what is written there can not be read again' };
    return { isOk: true, text: `can be written and read (${clock.now() - began} ms)` };
  };
  const { promise: late, resolve } = Promise.withResolvers<CheckResult>();
  const timer = clock.setTimer(() => resolve({ isOk: false, text: 'it does not answer in time' }), timeoutMs);
  const failed = (error: unknown): CheckResult => ({ isOk: false, text: asError(error).message.replace(/\.$/, '') });
  return Promise.race([work().catch(failed), late]).finally(() => clock.clearTimer(timer));
}
