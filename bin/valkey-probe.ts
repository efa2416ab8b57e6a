/** Asks whether a Valkey or Redis server answers at an address and lets us in. */
import { asError } from '../engine/errors.ts';
import { connectValkey, type ValkeyConnection } from '../engine/valkey/connection.ts';

const probeMs = 2_000;

/** Nothing when it does; else why not, in words. Takes at most two seconds; never throws. */
export async function faultOfValkey(url: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const timer = setTimeout(() => resolve('nobody answers there'), probeMs);
  let connection: ValkeyConnection | undefined;
  try {
    connection = await connectValkey(
      { url, connectTimeoutMs: probeMs },
      { up: () => resolve(undefined), down: (reason) => resolve(reason.replace(/^\S+: /, '')) },
    );
    return await promise;
  } catch (error) {
    return asError(error).message.replace(/\.$/, '');
  } finally {
    clearTimeout(timer);
    connection?.close();
  }
}
