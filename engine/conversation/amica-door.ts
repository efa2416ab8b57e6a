/** A.M.I.C.A. on one bus: requests come in, each to one taker, and each gets its one complete reply. */
import type { AmicaOutgoing, AmicaRequest } from '../bus/amica.ts';
import type { Bus, Subscription } from '../bus/bus.ts';
import { amicaTopics } from '../bus/topics.ts';
import type { Clock } from '../clock.ts';
import { asError, folkmootError } from '../errors.ts';
import type { NewMessage } from './conversation.ts';
import { createIntake } from './intake.ts';
import type { RequestMemory } from './intake-memory.ts';
import { createBadReports } from './intake-reports.ts';
import { createReplyDesk } from './reply-desk.ts';
import type { ReplyDesk } from './reply-desk.ts';
import type { RequestLedger } from './request-ledger.ts';

export interface AmicaDoorOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  /** Who answers, as an extra user property and in the conversation's rows. */
  readonly agentId: string;
  /** Ids and replies of requests, also of earlier processes. */
  readonly requests: RequestLedger;
  /** Of bad messages. Outlives the door, so that a redeploy forgets no id. */
  readonly refused: RequestMemory;
  /** Ids of requests whose runs are open, also those that will only be gone on with. */
  readonly openRequests: () => Promise<ReadonlySet<string>>;
  readonly record: (conversation: string, rows: readonly NewMessage[]) => Promise<void>;
  /** Once for each kind and minute, or for each change. */
  readonly report: (problem: Error) => void;
}

export interface Taker {
  /** Names whose requests are answered when it leaves. */
  readonly owner: string;
  readonly deadlineMs: number;
  readonly accept: (request: AmicaRequest) => void;
}

export interface AmicaDoor {
  readonly desk: ReplyDesk;
  /**
   * Takes requests until it is closed; with several takers the first one gets them.
   * Throws FOLKMOOT_BUS_NEEDS_BROKER, FOLKMOOT_BUS_REFUSED.
   */
  take(taker: Taker): Promise<{ readonly isFirst: boolean; close(): Promise<void> }>;
  /** Also before this door was made, or by an earlier process: nobody is answered twice. */
  readonly wasAnswered: (requestId: string) => Promise<boolean>;
  counted(reason?: string): number;
  close(): Promise<void>;
}

export function createAmicaDoor(options: AmicaDoorOptions): AmicaDoor {
  const { bus, clock, requests } = options;
  const takers = new Set<Taker>();
  let subscription: Promise<Subscription> | undefined;
  let taken: Promise<void> | undefined;
  const reports = createBadReports({ clock, report: options.report });
  const publish = ({ topic, message }: AmicaOutgoing) => bus.publish(topic, message);
  const common = { clock, agentId: options.agentId, onProblem: options.report };
  const desk = createReplyDesk({
    ...common,
    publish,
    record: options.record,
    finished: (id, conversation, text) => requests.decided(id, conversation, text),
    told: (id) => requests.told(id),
  });
  const intake = createIntake({
    ...common,
    requests,
    refused: options.refused,
    reports,
    deadlineMs: () => [...takers][0]?.deadlineMs ?? 0,
    reply: (written) => void inOrder(written, publish).catch(options.report),
    accept(request) {
      const [taker] = takers;
      const { messageId: id, conversationId: conversation, message: text, userName } = request;
      const expected = { id, conversation, text, ...(userName ? { user: userName } : {}) };
      if (!taker || !desk.expect(expected, taker)) return false;
      taker.accept(request);
      return true;
    },
  });

  /** Requests that an earlier process was asked: each still gets its reply (see the ledger). */
  const takeUp = async ({ owner }: Taker) => {
    const left = await requests.load();
    const running = left.length > 0 ? await options.openRequests() : new Set<string>();
    for (const { id, conversation, user, text, deadlineMs, reply } of left) {
      const expected = { id, conversation, ...(user ? { user } : {}), ...(text ? { text } : {}) };
      const isInterrupted = reply === undefined && !running.has(id);
      if (!desk.expect(expected, { deadlineMs, owner, isInterrupted })) continue;
      if (reply !== undefined) void desk.finish(id, reply);
    }
  };

  const leave = async (taker: Taker) => {
    if (!takers.delete(taker)) return;
    if (takers.size === 0) {
      const standing = subscription;
      subscription = undefined;
      // A subscription that never stood has nothing to end.
      await standing?.then((made) => made.close()).catch(() => undefined);
    }
    await desk.close({ owner: taker.owner });
  };

  return {
    desk,
    async take(taker) {
      if (bus.kind === 'in-process') {
        throw folkmootError(
          'FOLKMOOT_BUS_NEEDS_BROKER',
          'People’s requests come over an MQTT broker, and none is named.',
        );
      }
      takers.add(taker);
      const isFirst = takers.size === 1;
      // Without it the ids of earlier processes are known one by one, when they are claimed.
      taken ??= takeUp(taker).catch((error: unknown) => options.report(asError(error)));
      await taken;
      subscription ??= bus.subscribe(amicaTopics.requests, intake.receive);
      try {
        await subscription;
      } catch (error) {
        subscription = undefined;
        takers.delete(taker);
        throw error;
      }
      return { isFirst, close: () => leave(taker) };
    },
    wasAnswered: async (requestId) => (await requests.find(requestId))?.reply !== undefined,
    counted: (reason) => reports.counted(amicaTopics.requests, reason),
    async close() {
      await Promise.all([...takers].map(leave));
      await desk.close();
      intake.close();
      reports.close();
    },
  };
}

async function inOrder(
  written: readonly AmicaOutgoing[],
  publish: (one: AmicaOutgoing) => Promise<void>,
): Promise<void> {
  for (const one of written) await publish(one);
}
