/** The Valkey server that a home keeps everything on, if its flow uses one. */
import type { FlowNode } from './flow-file.ts';
import { withoutLogin } from './ready.ts';
import { faultOfValkey } from './valkey-probe.ts';

const variable = '${FOLKMOOT_VALKEY_URL}';

export interface HomeStore {
  /** Without user and password; absent: everything is kept in files. */
  readonly address?: string;
  /** For the ready line, with a space in front; blank when all is well. */
  readonly note: string;
}

/** A flow that was copied before it could be set, or a flow of one's own, may not use what `npm start` was told. */
export async function storeOfHome(url: string, flow: readonly FlowNode[]): Promise<HomeStore> {
  if (url === '') return { note: '' };
  const isUsed = flow.some((node) => {
    return node['type'] === 'folkmoot-backbone' && node['store'] === 'valkey' && node['storeUrl'] === variable;
  });
  if (!isUsed) {
    const how = `choose "a Valkey server" at ${variable} in its connections, or start with --fresh once`;
    return { note: ` FOLKMOOT_VALKEY_URL is not used: your flow keeps things elsewhere; ${how}.` };
  }
  const address = withoutLogin(url);
  const fault = await faultOfValkey(url);
  if (fault === undefined) return { address, note: '' };
  return {
    address,
    note: ` The Valkey server at ${address} cannot be used yet (${fault}); the home goes on as soon as it can.`,
  };
}
