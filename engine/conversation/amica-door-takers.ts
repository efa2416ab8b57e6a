/**
 * Who takes requests at the door, and those that wait because nobody can right now: while a flow is deployed, its nodes
 * close and are made anew.
 */
import type { AmicaRequest } from '../bus/amica.ts';
import type { Clock, Timer } from '../clock.ts';
import { limits } from '../limits.ts';

export interface Taker {
  /** Names whose requests are answered when it leaves for good. */
  readonly owner: string;
  readonly deadlineMs: number;
  readonly accept: (request: AmicaRequest) => void;
  /** It takes nothing while there is one that doesn't give way: an agent by itself beside a router. */
  readonly givesWay?: boolean;
  /** One came that it gives way to. */
  readonly onGivenWay?: () => void;
}

export interface TakersOptions {
  readonly clock: Clock;
  /** Still waits for its reply: what was answered meanwhile is not passed on. */
  readonly isOpen: (requestId: string) => boolean;
  /** It waited in vain. */
  readonly refuse: (requestId: string) => void;
  /** Nobody came in the place of the last one. */
  readonly over: () => void;
}

export interface Takers {
  readonly all: readonly Taker[];
  /** Whose terms count for what comes now: of the one who takes it, or took the last. */
  readonly terms: Pick<Taker, 'owner' | 'deadlineMs'> | undefined;
  /** Ids of requests that wait here, in the order in which they are passed on. */
  readonly waiting: readonly string[];
  /** It gets what waits, unless another takes that. False: another one is there already. */
  add(taker: Taker): boolean;
  /** True when it was one. `returns`: somebody comes in its place within `limits.deployLingerMs`, or it is over. */
  remove(taker: Taker, returns?: boolean): boolean;
  /** To the first taker; while there is none, it waits. */
  offer(request: AmicaRequest): void;
  /** Nothing is passed on until `proceed`; after `limits.deployLingerMs` what waits is refused. */
  pause(): void;
  proceed(): void;
  /** Refuses what waits. */
  close(): void;
}

/** What waits is bounded by who offers: each request here is open at the reply desk. */
export function createTakers(options: TakersOptions): Takers {
  const { clock } = options;
  const takers = new Set<Taker>();
  let waiting: AmicaRequest[] = [];
  let terms: Takers['terms'];
  let isPaused = false;
  let timer: Timer | undefined;

  const refuseAll = () => {
    for (const { messageId } of waiting.splice(0)) options.refuse(messageId);
  };
  const stopTimer = () => {
    clock.clearTimer(timer);
    timer = undefined;
  };
  const waitFor = (ms: number) => {
    stopTimer();
    timer = clock.setTimer(() => {
      timer = undefined;
      refuseAll();
      if (takers.size === 0) options.over();
    }, ms);
  };
  const firstOf = () => [...takers].find(({ givesWay }) => !givesWay) ?? [...takers][0];
  const passOn = () => {
    const first = firstOf();
    if (!first || isPaused) return;
    stopTimer();
    const { owner, deadlineMs } = first;
    terms = { owner, deadlineMs };
    const due = waiting;
    waiting = [];
    for (const request of due) if (options.isOpen(request.messageId)) first.accept(request);
  };
  /** Nobody will come for it. */
  const isHopeless = () => timer === undefined && (isPaused || takers.size === 0);

  return {
    get all() {
      return [...takers];
    },
    get terms() {
      return firstOf() ?? terms;
    },
    get waiting() {
      return waiting.map(({ messageId }) => messageId);
    },
    add(taker) {
      const before = firstOf();
      takers.add(taker);
      if (before && before !== firstOf()) before.onGivenWay?.();
      passOn();
      return firstOf() === taker;
    },
    remove(taker, returns = false) {
      if (!takers.delete(taker)) return false;
      const { owner, deadlineMs } = taker;
      terms = { owner, deadlineMs };
      if (takers.size > 0) return true;
      if (returns) waitFor(limits.deployLingerMs);
      else {
        stopTimer();
        refuseAll();
      }
      return true;
    },
    offer(request) {
      if (isHopeless()) return options.refuse(request.messageId);
      waiting.push(request);
      passOn();
    },
    pause() {
      isPaused = true;
      waitFor(limits.deployLingerMs);
    },
    proceed() {
      isPaused = false;
      if (takers.size === 0 && timer) waitFor(limits.takerWaitMs);
      passOn();
    },
    close() {
      stopTimer();
      refuseAll();
    },
  };
}
