/** What all nodes of one process share: the clock, the open asks, and the feed of what runs do. */
import { EventEmitter } from 'node:events';
import { systemClock, type Clock } from '../../engine/clock.ts';
import type { AnswerStatus, AskInfo, Outcome, ReportLine, RequestInfo, RunEvent } from '../../engine/moot.ts';
import type { RunRequest } from '../../engine/plan/run-request.ts';
import { createAskRegistry, type AskRegistry } from './ask-registry.ts';
import type { AnyResult } from './run-message.ts';

export interface RunStarted {
  readonly run: string;
  readonly owner: string;
  readonly conversation?: string;
  readonly request?: RequestInfo;
  readonly deadlineMs: number;
  /** What was asked for. */
  readonly wanted?: RunRequest;
}

export interface RunEnded {
  readonly run: string;
  readonly owner: string;
  readonly conversation?: string;
  readonly request?: RequestInfo;
  readonly outcome: Outcome;
  /** Absent when its node was removed. */
  readonly result?: AnyResult;
}

/** After its run, the commands of a request are being carried out. */
export interface Working {
  readonly request?: RequestInfo | undefined;
  /** It takes no longer. */
  readonly withinMs: number;
}

/** The commands of a run were carried out, or not. */
export interface Reported {
  readonly run: string;
  /** For people. */
  readonly payload: unknown;
  readonly lines: readonly ReportLine[];
}

/** Somebody in the editor decided about a plan or commands that wait. */
export interface Decided {
  readonly run: string;
  readonly decision: 'approve' | 'deny';
}

/** An ask over a wire came to its end. */
export interface AskEnded {
  readonly id: string;
  readonly status: AnswerStatus;
}

/** Tells everybody in the process of runs: bus-in frees callers by it, gathering boards emit by it, people watch by it. */
export interface RunFeed {
  started(run: RunStarted): void;
  ended(run: RunEnded): void;
  working(on: Working): void;
  /** What a run tells while it works. */
  happened(event: RunEvent): void;
  asked(ask: AskInfo): void;
  answered(end: AskEnded): void;
  /** Who carries out a run's commands has written them down: after a crash they are found there. */
  tookOver(run: string): void;
  reported(report: Reported): void;
  decided(by: Decided): void;
  /** Gives what ends it. */
  onStarted(listener: (run: RunStarted) => void): () => void;
  onEnded(listener: (run: RunEnded) => void): () => void;
  onWorking(listener: (on: Working) => void): () => void;
  onHappened(listener: (event: RunEvent) => void): () => void;
  onAsked(listener: (ask: AskInfo) => void): () => void;
  onAnswered(listener: (end: AskEnded) => void): () => void;
  onTookOver(listener: (run: string) => void): () => void;
  onReported(listener: (report: Reported) => void): () => void;
  onDecided(listener: (by: Decided) => void): () => void;
}

function createRunFeed(): RunFeed {
  const emitter = new EventEmitter().setMaxListeners(0);
  const on =
    <T>(name: string) =>
    (listener: (value: T) => void) => {
      emitter.on(name, listener);
      return () => void emitter.off(name, listener);
    };
  return {
    started: (run) => void emitter.emit('started', run),
    ended: (run) => void emitter.emit('ended', run),
    working: (working) => void emitter.emit('working', working),
    happened: (event) => void emitter.emit('happened', event),
    asked: (ask) => void emitter.emit('asked', ask),
    answered: (end) => void emitter.emit('answered', end),
    tookOver: (run) => void emitter.emit('tookOver', run),
    reported: (report) => void emitter.emit('reported', report),
    decided: (by) => void emitter.emit('decided', by),
    onStarted: on<RunStarted>('started'),
    onEnded: on<RunEnded>('ended'),
    onWorking: on<Working>('working'),
    onHappened: on<RunEvent>('happened'),
    onAsked: on<AskInfo>('asked'),
    onAnswered: on<AskEnded>('answered'),
    onTookOver: on<string>('tookOver'),
    onReported: on<Reported>('reported'),
    onDecided: on<Decided>('decided'),
  };
}

let clock: Clock = systemClock;

/** The process's clock; follows a fake one that a spec sets, also after it was handed out. */
export const processClock: Clock = {
  now: () => clock.now(),
  setTimer: (run, ms) => clock.setTimer(run, ms),
  clearTimer: (timer) => clock.clearTimer(timer),
};

/** For specs: nodes take their time from this clock until it is called without one. */
export function useClock(other: Clock = systemClock): void {
  clock = other;
}

export const runFeed: RunFeed = createRunFeed();
export const askRegistry: AskRegistry = createAskRegistry(processClock);
