/** One agent makes one statement in a debate: its model says what it wants, and the proposal is checked like any command. */
import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';
import type { JsonSchema } from '../language/json-schema.ts';
import type { Model, StatementAnswer } from '../model/model.ts';
import { askStructured } from '../model/structured.ts';
import type { StructuredCall } from '../model/structured.ts';
import type { AskAnswer, Mutation, Statement } from '../moot.ts';
import { acceptCalls, mutationsOf } from './accept-calls.ts';
import { failure, languageOf } from './run-agent.ts';
import { proposable, statementPrompt, statementTask } from './statement-prompt.ts';
import type { StatementInput } from './statement-prompt.ts';

export interface RunStatementOptions extends StatementInput {
  readonly model: Model;
  /** Step part of the ask's id, for the ids of what is proposed. */
  readonly step: string;
  readonly signal?: AbortSignal | undefined;
  /** Each piece of the model's answer. */
  readonly onProgress?: (() => void) | undefined;
  readonly clock?: Clock;
}

/** JSON Schema of the tool `statement`. */
export const statementSchema: JsonSchema = {
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
        properties: { function: { type: 'string' }, parameters: { type: 'object' } },
        required: ['function'],
      },
    },
    replyTo: { type: 'string', maxLength: 200 },
  },
  required: ['claim', 'confidence'],
};

/**
 * Never throws. `answered`: the payload is the `Statement`; nothing is done. One more try is made with what was wrong.
 * - `refused`: the proposal holds what it may not propose;
 * - `failed`: its model has no opinion, or none that can be read; the payload says so in words;
 * - `timeout`, `cancelled`: it did not come to an end.
 */
export async function runStatement(options: RunStatementOptions): Promise<AskAnswer> {
  const { agent } = options;
  try {
    const made = await askStructured<Statement>({
      model: options.model,
      name: 'statement',
      schema: statementSchema,
      call(finding) {
        const data = statementTask(options, finding);
        return {
          data,
          messages: statementPrompt(data, agent.instructions),
          agent: agent.agentId,
          signal: options.signal,
          onProgress: options.onProgress,
          ...(options.clock ? { clock: options.clock } : {}),
        };
      },
      check: checkerOf(options),
    });
    if (made.ok) return { status: 'answered', payload: made.value, mutations: [], usage: made.usage };
    return {
      status: made.isRefused ? 'refused' : 'failed',
      payload: made.words || 'I have nothing to say on that.',
      mutations: [],
      usage: made.usage,
      error: {
        code: made.isRefused ? 'FOLKMOOT_COMMAND_INVALID' : 'FOLKMOOT_MODEL_UNREADABLE',
        message: `No statement: ${made.words || made.finding}`,
      },
    };
  } catch (error) {
    return failure(error, options.signal);
  }
}

/** The proposal has to stand as a whole: half of one is not what was argued for. */
export function checkerOf({
  agent,
  board = [],
  debate,
  run,
  step,
}: StatementInput & Pick<RunStatementOptions, 'step'>): StructuredCall<Statement>['check'] {
  const language = languageOf(agent);
  const known = { language, generates: proposable(agent).map(({ name }) => name), board, parameters: {} };
  return (answer) => {
    const said = answer as StatementAnswer;
    const calls = (said.proposal ?? []).map((one) => ({ ...one, parameters: one.parameters ?? {} }));
    const { good, bad } = acceptCalls(calls, known);
    if (bad.length > 0)
      return {
        finding: bad.map(({ finding }) => finding).join(' '),
        forPeople: [...new Set(bad.map(({ forPeople }) => forPeople))].join(' '),
      };
    const { mutations } = mutationsOf(good, language, { run, step, agent: agent.agentId });
    return { value: statementOf(said, debate, agent.agentId, mutations) };
  };
}

const statementOf = (
  { claim, confidence, reasons = [], replyTo }: StatementAnswer,
  { round, side }: StatementInput['debate'],
  agent: string,
  proposal: readonly Mutation[],
): Statement => ({
  round,
  agent,
  ...(side ? { side } : {}),
  claim: claim.trim(),
  proposal,
  confidence,
  reasons: reasons.map((reason) => reason.trim()).filter((reason) => reason !== ''),
  ...(replyTo ? { replyTo } : {}),
});
