/** A Valkey server for specs of the store: a house of its own for each sentence, and time that passes at once. */
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { StorePlace } from '../engine/store/store.contract.ts';
import { createValkeyStore, type ValkeyStoreOptions } from '../engine/store/valkey.ts';
import { startValkey, type TestValkey, type ValkeyServerOptions } from './valkey-server.ts';

/** Brings every expiry on the server nearer. */
const passing = `
for _, key in ipairs(redis.call('KEYS', '*')) do
  local at = redis.call('PEXPIRETIME', key)
  if at >= 0 then redis.call('PEXPIREAT', key, string.format('%.0f', at - ARGV[1])) end
end`;

export interface ValkeyBench {
  readonly server: TestValkey;
  /** A client of the spec's own, for looking at what lies there. */
  readonly client: Redis;
  passTime(ms: number): Promise<void>;
  /** A place as the contract wants it. */
  makePlace(): Promise<StorePlace>;
  /** Options for a store of one's own; every call of another house unless told. */
  options(more?: Partial<ValkeyStoreOptions>): ValkeyStoreOptions;
  stop(): Promise<void>;
}

export interface ValkeyBenchOptions extends ValkeyServerOptions {
  /** That the server asks for; stores of `options` don't give it by themselves. */
  readonly password?: string;
}

export async function startValkeyBench({ password, ...given }: ValkeyBenchOptions = {}): Promise<ValkeyBench> {
  const secret = password ? ['--requirepass', password] : [];
  const server = await startValkey({ ...given, args: [...(given.args ?? []), ...secret] });
  const client = new Redis(server.url, { retryStrategy: () => 50, ...(password ? { password } : {}) });
  client.on('error', () => undefined);
  const passTime = async (ms: number) => void (await client.eval(passing, 0, ms));
  const optionsOf = (more: Partial<ValkeyStoreOptions> = {}): ValkeyStoreOptions => ({
    url: server.url,
    house: randomUUID(),
    reconnectMinMs: 20,
    reconnectMaxMs: 100,
    ...more,
  });
  return {
    server,
    client,
    passTime,
    options: optionsOf,
    makePlace: async () => {
      const given = optionsOf();
      return { open: async () => createValkeyStore(given), passTime, remove: async () => undefined };
    },
    async stop() {
      client.disconnect();
      await server.stop();
    },
  };
}
