/** What an earlier process left over: requests that still wait for their reply, and replies that may not have left. */
import { asError } from '../errors.ts';
import { isStoreUp, storeUp } from '../store/store-up.ts';
import type { AmicaDoorOptions } from './amica-door.ts';
import type { Taker } from './amica-door-takers.ts';
import type { ReplyDesk } from './reply-desk.ts';
import type { createReplyEchoes } from './reply-echoes.ts';
import type { RequestRecord } from './request-ledger.ts';

type Options = Pick<AmicaDoorOptions, 'requests' | 'openRequests' | 'report' | 'store'>;

/**
 * Gives what takes it up. It resolves when the ids of earlier processes are known; while the store is away at once: then
 * they are known one by one, when they are claimed, and the rest follows when it is there.
 */
export function takeUpOf(
  { requests, openRequests, report, store = {} }: Options,
  desk: ReplyDesk,
  echoes: ReturnType<typeof createReplyEchoes> | undefined,
  closing: AbortSignal,
): (taker: Taker) => Promise<void> {
  /** Each still gets its reply (see the ledger). */
  const takeUp = async ({ owner }: Taker) => {
    const left = await requests.load();
    const running = left.length > 0 ? await openRequests() : new Set<string>();
    for (const { id, conversation, user, text, deadlineMs, reply } of left) {
      const expected = { id, conversation, ...(user ? { user } : {}), ...(text ? { text } : {}) };
      const isInterrupted = reply === undefined && !running.has(id);
      if (reply === undefined) desk.expect(expected, { deadlineMs, owner, isInterrupted });
    }
    void sendDecided(left, owner).catch((error: unknown) => report(asError(error)));
  };
  /** Replies that an earlier process had found, and of which nobody knows whether they left. */
  const sendDecided = async (left: readonly RequestRecord[], owner: string) => {
    await echoes?.start();
    for (const { id, conversation, deadlineMs, reply } of left) {
      if (reply === undefined || requests.get(id)?.isTold) continue;
      if (desk.expect({ id, conversation }, { deadlineMs, owner })) void desk.finish(id, reply);
    }
  };
  return async (taker) => {
    const load = () => takeUp(taker).catch((error: unknown) => report(asError(error)));
    if (await isStoreUp(store)) return load();
    void storeUp(store, closing).then((isUp) => (isUp ? load() : undefined));
  };
}
