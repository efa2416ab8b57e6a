/** Agents that were submitted by somebody who is trusted: listed, used by clients, removed, kept over restarts (P26). */
import type { AgentDocument } from '../agent-documents/agent-document.ts';
import { readAgent } from '../agent-documents/read-agent.ts';
import type { Clock } from '../clock.ts';
import { folkmootError } from '../errors.ts';
import { agentIdFrom } from '../ids.ts';
import { limits } from '../limits.ts';
import { keyPart, tagged } from '../store/keys.ts';
import { readAll } from '../store/scan-all.ts';
import type { Store } from '../store/store.ts';
import { readVersioned } from '../store/versioned.ts';

export interface StoredAgent {
  readonly v: 1;
  readonly agent: AgentDocument & { readonly agentId: string };
  /** ISO 8601. */
  readonly submittedAt: string;
}

export interface Submitted extends StoredAgent {
  /** It took the place of an older one. */
  readonly isReplaced: boolean;
  /** What of it can't be used, in words. */
  readonly notes: readonly string[];
}

export interface AgentStore {
  /** In any of the three forms. Throws FOLKMOOT_BAD_INPUT with what is wrong, FOLKMOOT_LIMIT when there are too many. */
  submit(document: unknown): Promise<Submitted>;
  /** By id. */
  list(): Promise<readonly StoredAgent[]>;
  get(agentId: string): Promise<StoredAgent | undefined>;
  /** Whether there was one. */
  remove(agentId: string): Promise<boolean>;
}

export interface AgentStoreOptions {
  readonly store: Store;
  readonly house: string;
  /** Who serves them. */
  readonly owner: string;
  readonly clock: Clock;
}

export function createAgentStore({ store, house, owner, clock }: AgentStoreOptions): AgentStore {
  const keyOf = (agentId = '') => tagged(house, 'http-agents', keyPart(owner), keyPart(agentId));
  const list = async () => (await readAll<StoredAgent>(store, keyOf())).map((record) => readVersioned(record, 1));
  const get = async (agentId: string) => {
    const record = await store.get<StoredAgent>(keyOf(agentId));
    return record && readVersioned(record, 1);
  };
  return {
    list,
    get,
    async submit(document) {
      const { agent, notes } = readAgent(document);
      const agentId = agent.agentId ?? agentIdFrom(agent.name);
      const before = await get(agentId);
      if (!before && (await list()).length >= limits.folderAgents)
        throw folkmootError('FOLKMOOT_LIMIT', `There are ${limits.folderAgents} agents already.`);
      const submittedAt = new Date(clock.now()).toISOString();
      const stored: StoredAgent = { v: 1, agent: { ...agent, agentId }, submittedAt };
      await store.put(keyOf(agentId), stored);
      return { ...stored, isReplaced: before !== undefined, notes };
    },
    remove: (agentId) => store.delete(keyOf(agentId)),
  };
}
