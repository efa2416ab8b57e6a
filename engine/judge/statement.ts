/** An answer as it enters a debate: nothing of it is trusted but who was asked. */
import { ajv } from '../language/ajv.ts';
import type { ValidateFunction } from '../language/ajv.ts';
import { limits } from '../limits.ts';
import type { SaidStatement } from '../model/model.ts';
import type { AskAnswer, Mutation, Statement } from '../moot.ts';
import { stepResult } from '../plan/step-result.ts';
import type { TeamMember } from '../router/team.ts';
import type { Debater, Missing } from './debate-state.ts';

const schema = {
  type: 'object',
  properties: {
    claim: { type: 'string', minLength: 1, maxLength: limits.claimChars },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
    reasons: { type: 'array', items: { type: 'string', maxLength: limits.claimChars }, maxItems: limits.reasons },
    proposal: {
      type: 'array',
      maxItems: limits.mutationsPerStep,
      items: {
        type: 'object',
        properties: { id: { type: 'string' }, function: { type: 'string' }, parameters: { type: 'object' } },
        required: ['id', 'function', 'parameters'],
      },
    },
    replyTo: { type: 'string', maxLength: 200 },
    fallback: { type: 'boolean' },
  },
  required: ['claim', 'confidence', 'proposal', 'reasons'],
};
let compiled: ValidateFunction | undefined;

export interface HeardAnswer {
  readonly run: string;
  /** `r<round>-<agentId>` */
  readonly step: string;
  readonly round: number;
  readonly debater: Debater;
  readonly answer: AskAnswer;
  readonly team: readonly TeamMember[];
}

/**
 * The statement of a debater, under its own name, in this round, for the side that it was given. One that is not of the
 * form, or that proposes what its agent may not, is no statement: half of a proposal is not what was argued for.
 */
export function heard({ run, step, round, debater, answer, team }: HeardAnswer): Statement | Missing {
  const { agentId, side } = debater;
  const missing = (reason: string): Missing => ({
    round,
    agent: agentId,
    reason,
    isSilent: answer.status === 'timeout',
  });
  if (answer.status !== 'answered') return missing(whyMissing(answer));
  compiled ??= ajv().compile(schema);
  if (!compiled(answer.payload)) return missing('what came could not be read');
  const said = answer.payload as Statement;
  const proposal = allowed(said.proposal, { run, step, debater, team });
  if (!proposal) return missing('what it proposed is not its to propose');
  return {
    round,
    agent: agentId,
    ...(side ? { side } : {}),
    claim: said.claim.trim() || said.claim,
    proposal,
    confidence: said.confidence,
    reasons: said.reasons,
    ...(said.replyTo ? { replyTo: said.replyTo } : {}),
    ...(said.fallback ? { fallback: true } : {}),
  };
}

/** The proposal with what it brings, owned by its agent; nothing when a part of it is not allowed. */
function allowed(
  proposal: readonly Mutation[],
  { run, step, debater, team }: Pick<HeardAnswer, 'run' | 'step' | 'debater' | 'team'>,
): readonly Mutation[] | undefined {
  if (proposal.length === 0) return proposal;
  const of = { id: step, agent: debater.agentId, prompt: '', parameters: {}, after: [], state: 'running' as const };
  const answer: AskAnswer = { status: 'answered', payload: null, mutations: proposal };
  const kept = stepResult({ run, step: of, answer, team }).mutations;
  const names = new Set(kept.map((one) => one.function));
  return proposal.every((one) => names.has(one.function)) ? kept : undefined;
}

function whyMissing({ status, payload }: AskAnswer): string {
  if (typeof payload === 'string' && payload.trim()) return payload.trim().slice(0, limits.claimChars);
  switch (status) {
    case 'timeout':
      return 'it did not answer in time';
    case 'refused':
      return 'it can not be asked';
    case 'cancelled':
      return 'it was stopped';
    default:
      return 'something went wrong with it';
  }
}

/** As other debaters are told of it: without ids. */
export const said = ({ proposal, ...rest }: Statement): SaidStatement => ({
  ...rest,
  proposal: proposal.map(({ function: name, parameters }) => ({ function: name, parameters })),
});
