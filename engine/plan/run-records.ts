/** Runs in the store: what a run was asked, whether it is over, and which ones a node left open (contracts.md 7). */
import type { Clock } from '../clock.ts';
import { isFolkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Outcome } from '../moot.ts';
import { keyPart, tagged } from '../store/keys.ts';
import { scanAll } from '../store/scan-all.ts';
import type { Store } from '../store/store.ts';
import { readVersioned } from '../store/versioned.ts';
import type { KeptRun, KeptRuns } from './run-ports.ts';
import { askedAt } from './run-request.ts';

export interface RunRecord extends KeptRun {
  readonly v: 1;
  readonly run: string;
  /** The node that began it. */
  readonly owner: string;
  readonly endedAt?: number;
  readonly outcome?: Outcome;
  readonly reason?: string;
}

export interface RunRecords extends KeptRuns {
  /** What this owner left open, oldest first. */
  openRuns(): Promise<readonly RunRecord[]>;
  /** Open or ended, while it is kept. */
  read(run: string): Promise<RunRecord | undefined>;
}

const recordKey = (run: string) => tagged(run, 'run');
const openKey = (house: string, owner: string, run = '') => tagged(house, 'runs', keyPart(owner), keyPart(run));

/** Ids of the requests whose runs are open, of all owners in a house: their runs go on after a restart. */
export async function openRequests(store: Store, house: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { value } of scanAll<{ run: string }>(store, tagged(house, 'runs', ''))) {
    const record = await store.get<RunRecord>(recordKey(value.run));
    const id = record?.value.endedAt === undefined ? record?.value.request.request?.id : undefined;
    if (id !== undefined) ids.add(id);
  }
  return ids;
}

/** The runs of one owner, kept for `limits.recordExpiryMs`; an open one never lasts so long (`limits.runHardEndMs`). */
export function createRunRecords(
  store: Store,
  { owner, house, clock }: { owner: string; house: string; clock: Clock },
): RunRecords {
  const expiresInMs = limits.recordExpiryMs;
  const find = (run: string) => store.get<RunRecord>(recordKey(run));
  const read = async (run: string) => {
    const record = await find(run);
    return record && readVersioned(record, 1);
  };
  return {
    read,
    async open(request, startedAt) {
      const run = request.run ?? '';
      const record: RunRecord = { v: 1, run, owner, request, startedAt };
      // The list first: an entry without a record is swept, a record without an entry would never be found.
      await store.put(openKey(house, owner, run), { run }, { expiresInMs });
      try {
        await store.put(recordKey(run), record, { expected: 'absent', expiresInMs });
      } catch (error) {
        if (isFolkmootError(error, 'FOLKMOOT_STORE_CONFLICT')) return;
        if (!isFolkmootError(error, 'FOLKMOOT_STORE_VALUE')) throw error;
        // Too much came along with the request: the run can go on without that, but not without its words.
        const { carry: _carry, ...lean } = request;
        await store.put(recordKey(run), { ...record, request: lean }, { expected: 'absent', expiresInMs });
      }
    },
    async find(run) {
      const record = await read(run);
      return record && record.endedAt === undefined && record.owner === owner ? record : undefined;
    },
    async overtake(run, meanwhile) {
      const record = await find(run);
      if (!record || readVersioned(record, 1).endedAt !== undefined) return;
      await store.put(record.key, { ...record.value, meanwhile }, { expiresInMs, expected: record.revision });
    },
    async end(run, { outcome, reason }) {
      const record = await find(run);
      if (!record || readVersioned(record, 1).endedAt !== undefined) return;
      // What came along with the request is for going on with the run.
      const { carry: _carry, ...request } = record.value.request;
      const ending = { endedAt: clock.now(), outcome, ...(reason ? { reason } : {}) };
      const value: RunRecord = { ...record.value, request, ...ending };
      try {
        await store.put(record.key, value, { expiresInMs, expected: record.revision });
      } catch (error) {
        // Somebody else ended it first: a run has one outcome.
        if (!isFolkmootError(error, 'FOLKMOOT_STORE_CONFLICT')) throw error;
      }
      await store.delete(openKey(house, owner, run));
    },
    async openRuns() {
      const records: RunRecord[] = [];
      for await (const { key, value } of scanAll<{ run: string }>(store, openKey(house, owner))) {
        const record = await read(value.run);
        // One without a record may be in the middle of being opened, so it is left to expire.
        if (record?.endedAt === undefined) records.push(...(record ? [record] : []));
        else await store.delete(key);
      }
      return records.sort((a, b) => askedAt(a) - askedAt(b));
    },
  };
}
