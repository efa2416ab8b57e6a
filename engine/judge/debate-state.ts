/** The channels of a debate's graph: what is saved after every round. Their names differ from the graph's nodes. */
import type { Statement, Usage, Verdict } from '../moot.ts';
import { addUsage, emptyUsage } from '../model/usage.ts';
import type { RunEnding } from '../plan/plan-state.ts';
import type { RunRequest } from '../plan/run-request.ts';

/** Who takes part: fixed at the opening. */
export interface Debater {
  readonly agentId: string;
  readonly name: string;
  readonly side?: string;
}

/** Who said nothing in a round, and why, in words. */
export interface Missing {
  readonly round: number;
  readonly agent: string;
  readonly reason: string;
  /** It did not answer in time: it is not waited for again. */
  readonly isSilent: boolean;
}

export interface DebateState {
  readonly request: RunRequest;
  readonly debaters: readonly Debater[];
  /** The round that is held, from 1. */
  readonly round: number;
  readonly statements: readonly Statement[];
  readonly missing: readonly Missing[];
  /** How it came to its last round. */
  readonly ended: 'consensus' | 'last round' | null;
  readonly verdict: Verdict | null;
  readonly usage: Usage;
  readonly ending: RunEnding | null;
}

/** A statement that is made again after a crash takes the place of the first. */
const merged = <T extends { readonly round: number; readonly agent: string }>(
  before: readonly T[],
  more: readonly T[],
) => [...before.filter((one) => !more.some(({ round, agent }) => round === one.round && agent === one.agent)), ...more];

/** The state's definition for LangGraph, which is loaded on first use. */
export async function debateAnnotation() {
  const { Annotation } = await import('@langchain/langgraph');
  const last = <T>(initial: T) => Annotation<T>({ reducer: (_before: T, now: T) => now, default: () => initial });
  return Annotation.Root({
    request: last<RunRequest>({ text: '' }),
    debaters: last<readonly Debater[]>([]),
    round: last<number>(1),
    statements: Annotation<readonly Statement[]>({ reducer: merged, default: () => [] }),
    missing: Annotation<readonly Missing[]>({ reducer: merged, default: () => [] }),
    ended: last<DebateState['ended']>(null),
    verdict: last<Verdict | null>(null),
    usage: Annotation<Usage>({ reducer: addUsage, default: () => emptyUsage }),
    ending: last<RunEnding | null>(null),
  });
}
