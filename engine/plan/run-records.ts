/** Runs in the store: what a run was asked, whether it is over, and which ones a node left open (contracts.md 7). */
import type { Clock } from '../clock.ts';
import { isFolkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Outcome } from '../moot.ts';
import { keyPart, tagged } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import type { KeptRuns } from './run-ports.ts';
import type { RunRequest } from './run-request.ts';

export interface RunRecord {
  readonly v: 1;
  readonly run: string;
  /** The node that began it. */
  readonly owner: string;
  readonly request: RunRequest;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
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

/** The runs of one owner. Ended ones are kept for `limits.recordExpiryMs`. */
export function createRunRecords(
  store: Store,
  { owner, house, clock }: { owner: string; house: string; clock: Clock },
): RunRecords {
  const read = async (run: string) => (await store.get<RunRecord>(recordKey(run)))?.value;
  return {
    read,
    async open(request, startedAt) {
      const run = request.run ?? '';
      const record: RunRecord = { v: 1, run, owner, request, startedAt };
      // The list first: an entry without a record is swept, a record without an entry would never be found.
      await store.put(openKey(house, owner, run), { run });
      try {
        await store.put(recordKey(run), record, { expected: 'absent' });
      } catch (error) {
        if (isFolkmootError(error, 'FOLKMOOT_STORE_CONFLICT')) return;
        if (!isFolkmootError(error, 'FOLKMOOT_STORE_VALUE')) throw error;
        // Too much came along with the request: the run can go on without that, but not without its words.
        const { carry: _carry, ...lean } = request;
        await store.put(recordKey(run), { ...record, request: lean }, { expected: 'absent' });
      }
    },
    async find(run) {
      const record = await read(run);
      return record && record.endedAt === undefined && record.owner === owner ? record : undefined;
    },
    async end(run, { outcome, reason }) {
      const record = await read(run);
      if (!record || record.endedAt !== undefined) return;
      const value: RunRecord = { ...record, endedAt: clock.now(), outcome, ...(reason ? { reason } : {}) };
      await store.put(recordKey(run), value, { expiresInMs: limits.recordExpiryMs });
      await store.delete(openKey(house, owner, run));
    },
    async openRuns() {
      const open = await store.scan<{ run: string }>(openKey(house, owner));
      const records = await Promise.all(open.map(({ value }) => read(value.run)));
      await Promise.all(
        open.map(({ key }, index) =>
          records[index]?.endedAt === undefined && records[index] ? false : store.delete(key),
        ),
      );
      return records
        .filter((one) => one?.endedAt === undefined)
        .filter((one) => one !== undefined)
        .sort((a, b) => a.startedAt - b.startedAt);
    },
  };
}
