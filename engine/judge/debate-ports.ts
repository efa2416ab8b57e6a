/** What a debate needs from outside while it goes on. Everything is called outside of LangGraph's context. */
import type { Clock } from '../clock.ts';
import type { DebateData, Model } from '../model/model.ts';
import type { AskAnswer, Mutation } from '../moot.ts';
import type { RunPorts } from '../plan/run-ports.ts';
import type { RunRequest } from '../plan/run-request.ts';
import type { TeamMember } from '../router/team.ts';
import type { VoteRule } from './vote.ts';

export interface DebateRules {
  /** What is to be decided; blank: what the request says. */
  readonly question: string;
  /** By what a model decides. */
  readonly criteria: string;
  /** Most rounds, from 1. */
  readonly rounds: number;
  readonly by: VoteRule | 'model';
  /** Which side a debater speaks for, by agentId. */
  readonly sides: Readonly<Record<string, string>>;
}

export interface DebateAsk {
  readonly run: string;
  /** `ask:<run>/r<round>-<agentId>`: the same after a crash. */
  readonly id: string;
  readonly step: string;
  readonly agentId: string;
  /** The agent's, if it is still in reach. */
  readonly nodeId?: string;
  readonly request: RunRequest;
  readonly payload: DebateData;
  /** Position from 0 among those who are asked in this round, and how many there are. */
  readonly index: number;
  readonly count: number;
  /** What is on the board for this agent. */
  readonly mutations: readonly Mutation[];
  /** Aborts when the run ends before the statement comes. */
  readonly signal: AbortSignal;
}

export interface DebatePorts {
  /** Whom the judge reaches at this moment. */
  readonly team: () => Promise<readonly TeamMember[]>;
  /** Asks a debater. The deadline of a statement is the asker's; it should not reject, but may. */
  readonly ask: (ask: DebateAsk) => Promise<AskAnswer>;
  readonly rules: DebateRules;
  /** Who decides where the rule is `model`; may throw. */
  readonly model: () => Model;
  readonly clock: Clock;
  readonly emit: RunPorts['emit'];
  readonly signal: AbortSignal;
}
