/**
 * Requests in the store, so that an id that comes again is known after a crash too: it acts once and has one reply.
 * One record for each id under the house, `folkmoot:{<house>}:requests:<id>`, kept for `limits.requestIdExpiryMs`; at
 * most as many, and as long replies, as the memory in front of it holds. One process at a time uses a house's ledger.
 *
 * What an id of an earlier process means, by what the store shows:
 * - answered: it gets its reply again;
 * - a reply, but nobody knows whether it was sent: it is sent (again), without being asked;
 * - open, and its run is open: the run goes on and answers. Whoever repeats the id hears nothing until then;
 * - open without a run: it was never begun, or ended without its reply being kept. Nobody can tell whether it acted, so
 *   it never acts again: unless the commands that it left are reported within the reply's grace, its person is told
 *   that it was interrupted and has to be looked after.
 */
import type { AmicaRequest } from '../bus/amica.ts';
import type { Clock } from '../clock.ts';
import { asError, isFolkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { keyPart, tagged } from '../store/keys.ts';
import { scanAll } from '../store/scan-all.ts';
import type { Store } from '../store/store.ts';
import { readVersioned } from '../store/versioned.ts';
import type { KnownRequest, RequestMemory } from './intake-memory.ts';

export interface RequestRecord {
  readonly v: 1;
  readonly id: string;
  /** `answered`: the reply was published. */
  readonly state: 'open' | 'answered';
  readonly conversation: string;
  /** When it came; milliseconds since the epoch. */
  readonly at: number;
  /** Of the one who asked; absent when there is a reply. */
  readonly user?: string;
  readonly text?: string;
  /** How long its reply may take. */
  readonly deadlineMs: number;
  /** The whole reply, when it is decided. */
  readonly reply?: string;
}

export interface RequestLedgerOptions {
  readonly store: Store;
  readonly house: string;
  readonly clock: Clock;
  /** The ids that this process knows: what is in it is not read from the store. May outlive the ledger. */
  readonly memory: RequestMemory;
  readonly onProblem: (problem: Error) => void;
}

export interface RequestLedger {
  /** Of the memory, which knows all after `load`. */
  get(requestId: string): KnownRequest | undefined;
  /** Also of the store. */
  find(requestId: string): Promise<KnownRequest | undefined>;
  /** What earlier processes left, into the memory. Gives those that still wait for their reply, oldest first. */
  load(): Promise<readonly RequestRecord[]>;
  /** Before it leaves: nothing when it is new, else what is known of it. A store that fails rejects. */
  claim(request: AmicaRequest, deadlineMs: number): Promise<KnownRequest | undefined>;
  /** It was not taken after all, and may come again. */
  forget(requestId: string): Promise<void>;
  /** Its reply is decided. In the memory at once; resolves when it is in the store. */
  decided(requestId: string, conversation: string, reply: string): Promise<void>;
  /** Its reply was published. */
  told(requestId: string): Promise<void>;
}

export function createRequestLedger(options: RequestLedgerOptions): RequestLedger {
  const { store, house, clock, memory } = options;
  const keyOf = (id: string) => tagged(house, 'requests', keyPart(id));
  const expiresInMs = limits.requestIdExpiryMs;
  const telling = new Map<string, Promise<void>>();
  const problem = (error: unknown) => void options.onProblem(asError(error));
  const remember = (id: string, known: KnownRequest) => {
    for (const old of memory.put(id, known)) void store.delete(keyOf(old)).catch(problem);
  };
  const read = async (id: string): Promise<KnownRequest | undefined> => {
    const record = await store.get<RequestRecord>(keyOf(id));
    return record && knownOf(readVersioned(record, 1));
  };
  const keepReply = async (id: string, state: RequestRecord['state'], conversation: string, reply: string) => {
    const record: RequestRecord = { v: 1, id, state, conversation, at: clock.now(), deadlineMs: 0, reply };
    await store.put(keyOf(id), record, { expiresInMs });
  };

  return {
    get: (id) => memory.get(id),
    find: async (id) => memory.get(id) ?? (await read(id)),
    async load() {
      const records: RequestRecord[] = [];
      for await (const record of scanAll<RequestRecord>(store, tagged(house, 'requests', ''))) {
        try {
          records.push(readVersioned(record, 1));
        } catch (error) {
          problem(error);
        }
      }
      // What the memory knows came to this process: it is being worked on, or is over.
      const left = records.filter(({ id }) => !memory.get(id)).sort((a, b) => a.at - b.at);
      for (const record of left) remember(record.id, knownOf(record));
      return left.filter(({ id, state }) => state === 'open' && memory.get(id));
    },
    async claim(request, deadlineMs) {
      const { messageId: id, conversationId: conversation, message: text, userName: user } = request;
      remember(id, { conversationId: conversation });
      const came = { v: 1, id, state: 'open', conversation, at: clock.now(), text, deadlineMs } as const;
      const record: RequestRecord = { ...came, ...(user ? { user } : {}) };
      try {
        await store.put(keyOf(id), record, { expected: 'absent', expiresInMs });
        return undefined;
      } catch (error) {
        if (!isFolkmootError(error, 'FOLKMOOT_STORE_CONFLICT')) throw error;
      }
      // What can't be read, or expired in this moment, was there all the same.
      const known = (await read(id).catch(problem)) ?? { conversationId: conversation };
      remember(id, known);
      return known;
    },
    async forget(id) {
      memory.forget(id);
      await store.delete(keyOf(id));
    },
    async decided(id, conversation, reply) {
      remember(id, { conversationId: conversation, reply });
      await keepReply(id, 'open', conversation, reply);
    },
    async told(id) {
      const { conversationId, reply, isTold } = memory.get(id) ?? {};
      if (conversationId === undefined || reply === undefined) return;
      if (!isTold) {
        remember(id, { conversationId, reply, isTold: true });
        const kept = keepReply(id, 'answered', conversationId, reply).finally(() => telling.delete(id));
        telling.set(id, kept);
      }
      await telling.get(id);
    },
  };
}

const knownOf = ({ conversation, reply, state }: RequestRecord): KnownRequest => ({
  conversationId: conversation,
  ...(reply === undefined ? {} : { reply }),
  ...(state === 'answered' ? { isTold: true } : {}),
});
