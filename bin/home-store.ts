/** The Valkey server that a home keeps everything on, if its flow uses one. */
import { valkeyAddress } from '../engine/valkey/connection.ts';
import type { FlowNode } from './flow-file.ts';
import { withoutLogin } from './ready.ts';
import type { UntilStore } from './store-watch.ts';

const variable = '${FOLKMOOT_VALKEY_URL}';
/** Longest wait for the first try to connect. */
const firstTryMs = 2_000;

export interface HomeStore {
  /** Without user and password; absent: everything is kept in files. */
  readonly address?: string;
  /** For the ready line, with a space in front; blank when all is well. Asked when the flows run. */
  note(untilStore: UntilStore): Promise<string>;
}

/** A flow that was copied before it could be set, or a flow of one's own, may not use what `npm start` was told. */
export function storeOfHome(url: string, flow: readonly FlowNode[]): HomeStore {
  if (url === '') return { note: () => Promise.resolve('') };
  const isUsed = flow.some((node) => {
    return node['type'] === 'folkmoot-backbone' && node['store'] === 'valkey' && node['storeUrl'] === variable;
  });
  if (!isUsed) {
    const how = `choose "a Valkey server" at ${variable} in its connections, or start with --fresh once`;
    const note = ` FOLKMOOT_VALKEY_URL is not used: your flow keeps things elsewhere; ${how}.`;
    return { note: () => Promise.resolve(note) };
  }
  const address = withoutLogin(url);
  return {
    address,
    async note(untilStore) {
      const fault = await untilStore(valkeyAddress(url), firstTryMs);
      if (fault === undefined) return '';
      return ` The Valkey server at ${address} cannot be used yet (${fault}); the home goes on as soon as it can.`;
    },
  };
}
