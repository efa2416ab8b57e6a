/** A.M.I.C.A. on one bus: requests come in, each to one taker, and each gets its one complete reply. */
import type { AmicaOutgoing, AmicaRequest } from '../bus/amica.ts';
import type { Bus, BusMessage, Subscription } from '../bus/bus.ts';
import type { BusMetrics } from '../bus/metrics.ts';
import { senderOf, senderProperties } from '../bus/our-properties.ts';
import type { Sender } from '../bus/our-properties.ts';
import { amicaTopics } from '../bus/topics.ts';
import type { Clock } from '../clock.ts';
import type { Store } from '../store/store.ts';
import { asError, folkmootError } from '../errors.ts';
import { takeUpOf } from './amica-door-restart.ts';
import type { Senders } from '../people/senders.ts';
import { createTakers } from './amica-door-takers.ts';
import type { Taker, Takers } from './amica-door-takers.ts';
import type { ForeignResponders } from './foreign-responders.ts';
import { createIntake } from './intake.ts';
import type { Intake } from './intake.ts';
import type { RequestMemory } from './intake-memory.ts';
import { createBadReports } from './intake-reports.ts';
import type { BadReports } from './intake-reports.ts';
import { createReplyDesk } from './reply-desk.ts';
import type { ReplyDesk } from './reply-desk.ts';
import { forcedWords } from './reply-words.ts';
import { createReplyEchoes } from './reply-echoes.ts';
import type { RequestLedger } from './request-ledger.ts';
import type { Turns } from './turns.ts';

export interface AmicaDoorOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  /** Who answers, as an extra user property and in the conversation's rows. */
  readonly agentId: string;
  /** House and process, written on each reply; requests of this process itself are not for it. */
  readonly sender?: Sender;
  /** Others that answer on this bus; closed with the door. Without it nothing gives way. */
  readonly others?: ForeignResponders;
  /** Where that ledger lies. While it is away what comes is answered in words. */
  readonly store?: Pick<Store, 'link'>;
  /** Ids and replies of requests, also of earlier processes. */
  readonly requests: RequestLedger;
  /** Of bad messages. Outlives the door, so that a redeploy forgets no id. */
  readonly refused: RequestMemory;
  /** Ids of requests whose runs are open, also those that will only be gone on with. */
  readonly openRequests: () => Promise<ReadonlySet<string>>;
  /** Where what was asked and answered is kept. */
  readonly turns: Pick<Turns, 'open' | 'answer' | 'drop'>;
  /** Another one answered in place of this house: what it was to ask back was never asked. */
  readonly unsaid?: (requestId: string, conversation: string) => Promise<void>;
  readonly metrics?: BusMetrics;
  /** Who may ask; absent: everybody. */
  readonly senders?: Senders;
  /** Once for each kind and minute, or for each change. */
  readonly report: (problem: Error) => void;
}

/** What a taker holds while it takes. */
export interface TakenDoor {
  readonly isFirst: boolean;
  /**
   * Its requests are answered in words. `returns`: it is only made anew by a deploy. Then they stay open for the answers
   * of what goes on, and new ones wait for who comes in its place.
   */
  leave(options?: { readonly returns?: boolean }): Promise<void>;
}

export interface AmicaDoor {
  readonly desk: ReplyDesk;
  /**
   * Takes requests until it leaves; with several takers the first one gets them.
   * Throws FOLKMOOT_BUS_NEEDS_BROKER, FOLKMOOT_BUS_REFUSED.
   */
  take(taker: Taker): Promise<TakenDoor>;
  /** What it was passed leads nowhere: its person is told that nobody is there. */
  nobody(request: AmicaRequest): void;
  /** A deploy begins, or nodes are not there yet: requests wait, at most `limits.deployLingerMs`. */
  pause(): void;
  /** All nodes stand. `all`: every one was made anew, so that only what a run took over goes on. */
  proceed(options?: { readonly all?: boolean }): void;
  /** Also before this door was made, or by an earlier process: nobody is answered twice. */
  readonly wasAnswered: (requestId: string) => Promise<boolean>;
  counted(reason?: string): number;
  close(): Promise<void>;
}

export function createAmicaDoor(given: AmicaDoorOptions): AmicaDoor {
  const { bus, clock, requests } = given;
  let subscription: Promise<Subscription> | undefined;
  let taken: Promise<void> | undefined;
  /** What is not told any more because the connection was closed on purpose is told after the next start. */
  const report = (problem: Error) => {
    if (bus.state !== 'closed') given.report(problem);
  };
  const options = { ...given, report };
  const reports = createBadReports({ clock, report, metrics: given.metrics });
  const desk = deskOf(options);
  const unsubscribe = async () => {
    const standing = subscription;
    subscription = undefined;
    // A subscription that never stood has nothing to end.
    await standing?.then((made) => made.close()).catch(() => undefined);
  };
  const takers = createTakers({
    clock,
    isOpen: (id) => desk.isOpen(id),
    refuse: (id) => void desk.finish(id, forcedWords('untaken')),
    over: () => void unsubscribe(),
  });
  const closing = new AbortController();
  const intake = intakeOf(options, reports, takers, desk, closing.signal);

  const echoes = echoesOf(options);
  const takeUp = takeUpOf(options, desk, echoes, closing.signal);

  /** While nobody can be reached there is nothing to wait for: what was decided is told after the next start. */
  const closeDesk = (of: { readonly owner?: string } = {}) =>
    desk.close({ ...of, ...(bus.state === 'down' ? { waitMs: 0 } : {}) });

  const leave = async (taker: Taker, returns = false) => {
    if (!takers.remove(taker, returns) || returns) return;
    if (takers.all.length === 0) await unsubscribe();
    await closeDesk({ owner: taker.owner });
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
      taken ??= takeUp(taker);
      await taken;
      const isFirst = takers.add(taker);
      void options.others?.start();
      subscription ??= bus.subscribe(amicaTopics.requests, (message) =>
        isOfThisProcess(message, options.sender) ? undefined : intake.receive(message),
      );
      try {
        await subscription;
      } catch (error) {
        subscription = undefined;
        takers.remove(taker);
        throw error;
      }
      return {
        isFirst,
        leave: ({ returns } = {}) => leave(taker, returns),
      };
    },
    nobody: ({ messageId }) => void desk.finish(messageId, forcedWords('nobody')),
    pause: () => takers.pause(),
    proceed({ all = false } = {}) {
      if (all) desk.restarted(new Set(takers.waiting));
      takers.proceed();
    },
    wasAnswered: async (requestId) => (await requests.find(requestId))?.reply !== undefined,
    counted: (reason) => reports.counted(amicaTopics.requests, reason),
    async close() {
      takers.close();
      await Promise.all(takers.all.map((taker) => leave(taker)));
      await unsubscribe();
      await closeDesk();
      closing.abort();
      intake.close();
      reports.close();
      await Promise.all([options.others?.close(), echoes?.close()]);
    },
  };
}

const echoesOf = ({ bus, clock, report, sender, requests }: AmicaDoorOptions) =>
  sender && createReplyEchoes({ bus, clock, report, sender, told: (requestId) => requests.told(requestId) });

const commonOf = ({ clock, agentId, report }: AmicaDoorOptions) => ({ clock, agentId, onProblem: report });

/** A team that asks everybody by broadcast is not asked itself. */
const isOfThisProcess = ({ properties }: BusMessage, own: Sender = {}): boolean =>
  own.process !== undefined && senderOf(properties).process === own.process;

const publisherOf =
  ({ bus, sender = {} }: AmicaDoorOptions) =>
  ({ topic, message }: AmicaOutgoing): Promise<void> => {
    const isReply = message.properties?.['AGENT_ID'] !== undefined;
    const properties = { ...message.properties, ...(isReply ? senderProperties(sender) : {}) };
    return bus.publish(topic, { ...message, properties, keep: 'memory' });
  };

function deskOf(options: AmicaDoorOptions): ReplyDesk {
  const { requests, turns, others, unsaid, agentId } = options;
  return createReplyDesk({
    ...commonOf(options),
    publish: publisherOf(options),
    record: (request, text) => turns.answer(request.id, request, agentId, text),
    finished: (id, conversation, text) => requests.decided(id, conversation, text),
    told: (id) => requests.told(id),
    ...(others ? { giveWay: (id: string, signal: AbortSignal) => others.giveWay(id, signal) } : {}),
    async unsaid(id, conversation) {
      turns.drop(id);
      await unsaid?.(id, conversation);
    },
  });
}

function intakeOf(
  options: AmicaDoorOptions,
  reports: BadReports,
  takers: Takers,
  desk: ReplyDesk,
  closing: AbortSignal,
): Intake {
  const { requests, refused, others } = options;
  const publish = publisherOf(options);
  const reply = async (id: string, written: readonly AmicaOutgoing[], declines: boolean): Promise<void> => {
    if (declines && (await others?.giveWay(id, closing))) return;
    for (const one of written) await publish(one);
  };
  return createIntake({
    ...commonOf(options),
    requests,
    refused,
    reports,
    senders: options.senders,
    metrics: options.metrics,
    deadlineMs: () => takers.terms?.deadlineMs ?? 0,
    reply: (id, written, { declines }) =>
      void reply(id, written, declines).catch((error: unknown) => {
        if (!closing.aborted) options.report(asError(error));
      }),
    accept(request) {
      const { messageId: id, conversationId: conversation, message: text, userName } = request;
      const expected = { id, conversation, text, ...(userName ? { user: userName } : {}) };
      if (!takers.terms || !desk.expect(expected, takers.terms)) return false;
      options.turns.open(id, expected, { mayGiveWay: others?.arePresent === true });
      takers.offer(request);
      return true;
    },
  });
}
