/** Carries out the commands of a run: in order, checked again, once each, and told to people. */
import { sleep, type Clock } from '../clock.ts';
import { asError, folkmootError } from '../errors.ts';
import type { Language } from '../language/language.ts';
import { createInTurn } from '../in-turn.ts';
import { limits } from '../limits.ts';
import type { Moot, Mutation } from '../moot.ts';
import type { Store } from '../store/store.ts';
import { decide, mayAct, notFinished, type Decision, type Order } from './decide.ts';
import { failureDetail, failureReason } from './failure.ts';
import { resultOf, type Effects } from './effects.ts';
import { createFlights, type Flight } from './flights.ts';
import { createOpenBatches, type OpenBatch } from './open-batches.ts';
import { lateReportOf, reasons, reportOf, unfinishedReportOf, type Report, type Result } from './report.ts';
import type { Row } from './rows.ts';

export interface ApplyOptions {
  /** Read anew for each message. */
  readonly language: () => Language;
  readonly rows: readonly Row[];
  readonly effects: Effects;
  readonly store: Store;
  /** Id of the apply node. */
  readonly owner: string;
  readonly clock: Clock;
  /** Aborts at close. */
  readonly signal: AbortSignal;
  /** Whether somebody gets what is sent to a row; default: yes. Asked anew for each command. */
  readonly isConnected?: (row: number) => boolean;
  /** Sends one command to a row. `origin` is the message that brought it. */
  readonly send: (row: number, mutation: Mutation, origin: unknown) => void;
  /** Publishes what a device row sends; resolves when the broker has acknowledged it. Absent: there are no device rows. */
  readonly publish?: (order: Order, origin: unknown) => Promise<void>;
  /** Nothing is sent at the moment, and people are told what would have been. Asked anew for each command. */
  readonly isShadow?: () => boolean;
  /** Told of each command that was not sent for that. */
  readonly onShadow?: () => void;
  /** Told of each failure what exactly happened, for the log. */
  readonly onFailure?: (detail: string) => void;
  /** Told what is written down: it is finished by the next instance, should this one end. */
  readonly tookOver?: (moot: Moot) => void;
  /** Told what it begins to work on, or will after others, and how long that takes at most. */
  readonly working?: (moot: Moot, withinMs: number) => void;
}

export interface ApplyInput {
  readonly payload: unknown;
  readonly moot: Moot;
  /** The message as far as it is plain JSON: kept until it is reported. */
  readonly plain: Readonly<Record<string, unknown>>;
  readonly origin: unknown;
}

/** What became of a message that came back from a row. */
export type Returned =
  | { readonly kind: 'noted' }
  /** It failed after the report: people have to be told. */
  | { readonly kind: 'late'; readonly report: Report }
  /** Nothing of ours. */
  | { readonly kind: 'stranger' };

export interface Apply {
  /**
   * Carries out and waits for failures. Throws FOLKMOOT_BAD_INPUT, FOLKMOOT_LIMIT or, when closed, the signal's reason;
   * what was begun is then reported by the next instance (`resume`).
   */
  take(input: ApplyInput): Promise<Report>;
  /** A row's message came back: with an error from a Catch node, or without from a Complete node. */
  returned(mutation: Mutation, error?: unknown): Promise<Returned>;
  /** Finishes what an earlier instance left. */
  resume(report: (report: Report, message: Readonly<Record<string, unknown>>) => void): Promise<void>;
  /** The node is gone for good: what it left is not finished by anybody. */
  forget(): Promise<void>;
}

/** How a command that may have been sent already is taken up. */
type Begin = (order: Order) => Promise<Flight | Result>;

export function createApply(options: ApplyOptions): Apply {
  const { effects, clock, signal } = options;
  const flights = createFlights();
  const inTurn = createInTurn();
  const batches = createOpenBatches(options.store, options.owner, clock);
  const decideAll = (moot: Moot): Decision[] => {
    const language = options.language();
    return (moot.mutations ?? []).map((mutation) => decide(mutation, language, options));
  };
  const problem = (thrown: unknown) => options.onFailure?.(asError(thrown).message);
  const sendOut = async (order: Order, origin: unknown): Promise<Flight> => {
    const flight = flights.start(order);
    try {
      if (order.messages) publishing(order, flight, origin).catch(problem);
      else options.send(order.place.index, order.mutation, origin);
    } catch (thrown) {
      flight.fail(reasonOf(asError(thrown), order.mutation, options));
    }
    flight.written = effects.mark(order.mutation, 'sent');
    await flight.written;
    if (flight.isSettled && !order.messages) await markSettled(flight);
    return flight;
  };
  /** It is confirmed by the broker's acknowledgement (contracts.md 7). */
  const publishing = async (order: Order, flight: Flight, origin: unknown) => {
    try {
      if (!options.publish) throw folkmootError('FOLKMOOT_BUS_LOST', 'Nothing can be published here.');
      await options.publish(order, origin);
      flight.confirm();
    } catch (thrown) {
      flight.fail(reasonOf(asError(thrown), order.mutation, options));
    }
    await markSettled(flight);
  };
  const markSettled = async (flight: Flight) => {
    const { state, reason } = flight.result();
    await flight.written;
    await effects.mark(flight.order.mutation, state === 'failed' ? 'failed' : 'confirmed', reason);
  };
  const inShadow = (order: Order): Result => {
    options.onShadow?.();
    return { mutation: order.mutation, spec: order.spec, state: 'board only', reason: reasons.shadow };
  };
  const begin =
    (origin: unknown): Begin =>
    async (order) => {
      const isShadow = options.isShadow?.() ?? false;
      const known = await (isShadow ? effects.find(order.mutation) : effects.plan(order));
      if (!known) return isShadow ? inShadow(order) : sendOut(order, origin);
      return flights.find(order.mutation.id) ?? resultOf(order, known);
    };
  const takeUp =
    (batch: OpenBatch, repeat: (id: string) => Promise<void>): Begin =>
    async (order) => {
      const isShadow = options.isShadow?.() ?? false;
      const known = await (isShadow ? effects.find(order.mutation) : effects.plan(order));
      if (!known || known.state === 'planned') {
        if (!isShadow) return sendOut(order, batch.message);
        if (known) await effects.mark(order.mutation, 'failed', reasons.shadow);
        return inShadow(order);
      }
      if (known.state !== 'sent' || batch.isClean) return resultOf(order, known);
      if (!isShadow && order.spec.repeatable && !batch.repeated.includes(order.mutation.id)) {
        await repeat(order.mutation.id);
        return sendOut(order, batch.message);
      }
      await effects.mark(order.mutation, 'unknown');
      return resultOf(order, { state: 'unknown' });
    };
  const carryOut = async (decisions: readonly Decision[], start: Begin): Promise<Result[]> => {
    const ends: (Flight | Result)[] = [];
    const sent = () => ends.filter(isFlight);
    try {
      // What came first is sent whole before what came next: half of both would be what nobody wanted.
      await inTurn(async () => {
        for (const decision of decisions) {
          signal.throwIfAborted();
          ends.push(decision.kind === 'order' ? await start(decision) : decision.result);
        }
      });
      await waitFor(sent(), clock, signal);
    } finally {
      for (const flight of sent()) flight.isReported = true;
    }
    const results = ends.map((end) => (isFlight(end) ? end.result() : end));
    for (const { mutation, state } of results) if (state === 'applied') await effects.settle(mutation);
    return results;
  };
  const leave = async (batch: OpenBatch, error: unknown): Promise<never> => {
    if (signal.aborted) await batches.keep({ ...batch, isClean: true });
    throw error;
  };

  return {
    async take({ payload, moot, plain, origin }) {
      checkMutations(moot.mutations ?? []);
      const decisions = decideAll(moot);
      if (!mayAct(moot)) return unfinishedReportOf(decisions.map(notFinished), payload);
      if (!decisions.some(({ kind }) => kind === 'order')) return reportOf(settledOf(decisions), payload, moot);
      options.working?.(moot, longestOf(decisions));
      const batch = await batches.open(plain);
      options.tookOver?.(moot);
      try {
        const results = await carryOut(decisions, begin(origin));
        await batches.close(batch);
        return reportOf(results, payload, moot);
      } catch (error) {
        return leave(batch, error);
      }
    },
    async returned(mutation, error) {
      const flight = flights.find(mutation.id);
      if (!flight) return returnedLater(mutation, error, options);
      if (error === undefined) {
        const isNews = !flight.isSettled;
        flight.confirm();
        if (isNews) await markSettled(flight);
        return { kind: 'noted' };
      }
      if (flight.result().state === 'failed') return { kind: 'noted' };
      const isLate = flight.isReported;
      flight.fail(reasonOf(error, mutation, options));
      await markSettled(flight);
      return isLate ? { kind: 'late', report: lateReportOf(flight.result()) } : { kind: 'noted' };
    },
    async resume(report) {
      const left = await batches.left();
      let withinMs = 0;
      for (const { message } of left) {
        const moot = message['moot'] as Moot;
        withinMs += longestOf(decideAll(moot));
        options.working?.(moot, withinMs);
      }
      for (let batch of left) {
        const repeat = async (id: string) => {
          batch = { ...batch, repeated: [...batch.repeated, id] };
          await batches.keep(batch);
        };
        const moot = batch.message['moot'] as Moot;
        try {
          const results = await carryOut(decideAll(moot), takeUp(batch, repeat));
          await batches.close(batch);
          report(reportOf(results, batch.message['payload'], moot), batch.message);
        } catch (error) {
          await leave(batch, error);
        }
      }
    },
    forget: () => batches.closeAll(),
  };
}

const isFlight = (end: Flight | Result): end is Flight => 'settled' in end;

/** The longest time in which a failure may come back. */
const longestOf = (decisions: readonly Decision[]): number =>
  Math.max(0, ...decisions.map((decision) => (decision.kind === 'order' ? decision.place.row.waitMs : 0)));

const settledOf = (decisions: readonly Decision[]): Result[] =>
  decisions.flatMap((decision) => (decision.kind === 'settled' ? [decision.result] : []));

/** Until all came back, at most for the longest time of their rows. */
async function waitFor(sent: readonly Flight[], clock: Clock, signal: AbortSignal): Promise<void> {
  if (sent.every(({ isSettled }) => isSettled)) return;
  const waiting = new AbortController();
  const longest = Math.max(...sent.map(({ order }) => order.place.row.waitMs));
  const over = sleep(clock, longest, AbortSignal.any([signal, waiting.signal]));
  try {
    await Promise.race([over, Promise.all(sent.map(({ settled }) => settled))]);
  } finally {
    over.catch(() => undefined);
    waiting.abort();
  }
}

function reasonOf(error: unknown, mutation: Mutation, { onFailure }: ApplyOptions): string {
  onFailure?.(failureDetail(error, mutation.function));
  return failureReason(error, mutation.function);
}

/** A row's message that comes back after a restart, or one that is not ours. */
async function returnedLater(mutation: Mutation, error: unknown, options: ApplyOptions): Promise<Returned> {
  const known = await options.effects.find(mutation);
  if (!known) return { kind: 'stranger' };
  if (known.state !== 'sent') return { kind: 'noted' };
  if (error === undefined) {
    await options.effects.mark(mutation, 'confirmed');
    return { kind: 'noted' };
  }
  const reason = reasonOf(error, mutation, options);
  await options.effects.mark(mutation, 'failed', reason);
  const spec = options.language().find(mutation.function);
  return { kind: 'late', report: lateReportOf({ mutation, state: 'failed', reason, ...(spec ? { spec } : {}) }) };
}

function checkMutations(mutations: readonly Mutation[]): void {
  if (mutations.length > limits.boardMutations)
    throw folkmootError(
      'FOLKMOOT_LIMIT',
      `${mutations.length} commands came at once; ${limits.boardMutations} are the most.`,
    );
  if (mutations.some(({ id }) => id === '' || id.length > 200))
    throw folkmootError(
      'FOLKMOOT_BAD_INPUT',
      'Each command in msg.moot.mutations needs an id of at most 200 characters.',
    );
}
