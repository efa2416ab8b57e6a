/** Waiting plans in the store: found by run, by conversation, or as all that wait at one router. */
import type { Clock } from '../clock.ts';
import { isFolkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { keyPart, tagged } from '../store/keys.ts';
import { scanAll } from '../store/scan-all.ts';
import type { Store, StoreRecord } from '../store/store.ts';
import { readVersioned } from '../store/versioned.ts';
import type { WaitingPlan } from './waiting-plan.ts';

export interface WaitingPlans {
  /** In the place of what waited for the same person in the same conversation. */
  open(waiting: WaitingPlan): Promise<void>;
  byRun(run: string): Promise<WaitingPlan | undefined>;
  inConversation(conversation: string): Promise<readonly WaitingPlan[]>;
  /** All of this router, oldest first; those too that wait too long already. */
  all(): Promise<readonly WaitingPlan[]>;
  /** Only one run answers it. False: it is gone, or another open run does. */
  claim(waiting: WaitingPlan, run: string, isOpen: (run: string) => Promise<boolean>): Promise<boolean>;
  /** It waits on, for another answer than this run's. */
  release(waiting: Pick<WaitingPlan, 'run' | 'request'>): Promise<void>;
  /** It was answered, or is too late. */
  close(waiting: Pick<WaitingPlan, 'run' | 'request'>): Promise<void>;
}

type Named = Pick<WaitingPlan, 'run' | 'request'>;

const placeOf = ({ run, request }: Named): string => request.conversation ?? run;

export function createWaitingPlans(
  store: Store,
  { house, owner, clock }: { readonly house: string; readonly owner: string; readonly clock: Clock },
): WaitingPlans {
  /** Without a user also what all their keys begin with. */
  const recordKey = (conversation: string, user = '') => tagged(conversation, 'waiting', keyPart(owner), keyPart(user));
  const keyOf = (one: Named) => recordKey(placeOf(one), one.request.user);
  const indexKey = (run = '') => tagged(house, 'waiting-runs', keyPart(owner), keyPart(run));
  const read = (key: string) => store.get<WaitingPlan>(key);
  // Kept for a while longer, so that who answers too late is told so.
  const ttl = ({ until }: WaitingPlan) => ({
    expiresInMs: Math.max(1, until - clock.now()) + limits.answeredLateMs,
  });

  /** The record of this very one. */
  async function find(one: Named): Promise<StoreRecord<WaitingPlan> | undefined> {
    const record = await read(keyOf(one));
    return record && readVersioned(record, 1).run === one.run ? record : undefined;
  }

  async function byRun(run: string): Promise<WaitingPlan | undefined> {
    const index = await store.get<{ readonly key: string }>(indexKey(run));
    const found = index && (await read(index.value.key));
    if (found && readVersioned(found, 1).run === run) return found.value;
    if (index) await store.delete(index.key);
    return undefined;
  }

  /** False when somebody else was faster. */
  async function change(record: StoreRecord<WaitingPlan>, value: WaitingPlan): Promise<boolean> {
    try {
      await store.put(record.key, value, { expected: record.revision, ...ttl(value) });
      return true;
    } catch (error) {
      if (isFolkmootError(error, 'FOLKMOOT_STORE_CONFLICT')) return false;
      throw error;
    }
  }

  return {
    byRun,
    async open(waiting) {
      await store.put(keyOf(waiting), waiting, ttl(waiting));
      await store.put(indexKey(waiting.run), { run: waiting.run, key: keyOf(waiting) }, ttl(waiting));
    },
    async inConversation(conversation) {
      const records = await store.scan<WaitingPlan>(recordKey(conversation));
      return records.map((record) => readVersioned(record, 1));
    },
    async all() {
      const found: WaitingPlan[] = [];
      for await (const { value } of scanAll<{ readonly run: string }>(store, indexKey())) {
        const waiting = await byRun(value.run);
        if (waiting) found.push(waiting);
      }
      return found.sort((one, other) => one.openedAt - other.openedAt);
    },
    async claim(waiting, run, isOpen) {
      const record = await find(waiting);
      if (!record) return false;
      const { claimedBy } = record.value;
      if (claimedBy !== undefined && claimedBy !== run && (await isOpen(claimedBy))) return false;
      return claimedBy === run || change(record, { ...record.value, claimedBy: run });
    },
    async release(one) {
      const record = await find(one);
      if (!record) return;
      const { claimedBy: _, ...waiting } = record.value;
      await change(record, waiting);
    },
    async close(one) {
      const record = await find(one);
      if (record) await store.delete(record.key);
      await store.delete(indexKey(one.run));
    },
  };
}
