/** What an agent elsewhere answers, checked as if a model had said it: its commands against this house's own language. */
import { acceptCalls, mutationsOf } from '../agent/accept-calls.ts';
import type { AgentDefinition } from '../agent/definition.ts';
import { languageOf } from '../agent/run-agent.ts';
import { checkerOf, statementSchema } from '../agent/run-statement.ts';
import { errorTable } from '../errors.ts';
import { limits } from '../limits.ts';
import { schemaValidator } from '../tools/tool-arguments.ts';
import { resultText } from '../tools/tool-result.ts';
import type { DebateData } from '../model/model.ts';
import type { AskAnswer, Mutation } from '../moot.ts';
import type { UncheckedAnswer } from './directed-ask.ts';

export interface AskedOf {
  /** As this house sees it (`trustedMember`). */
  readonly agent: AgentDefinition;
  readonly run: string;
  readonly step: string;
  readonly board: readonly Mutation[];
}

/** An answer to a step. Ids, runs and names in it are made anew; what may not be done here is left out and said. */
export function trustedAnswer(answer: UncheckedAnswer, { agent, run, step, board }: AskedOf): AskAnswer {
  const payload = wordsOf(answer.payload);
  const base = { status: answer.status, payload, mutations: [], ...errorOf(answer) };
  if (answer.status !== 'answered') return base;
  if (answer.asked) return { ...base, asked: true };
  const language = languageOf(agent);
  const generates = agent.generates.filter((name) => language.find(name)?.risk !== 'read');
  // What follows from a command is made here, from the command itself.
  const calls = answer.mutations.filter(({ function: name }) => !isConsequence(name, agent));
  const { good, bad } = acceptCalls(calls, { language, generates, board, parameters: {} });
  const { mutations, left } = mutationsOf(good, language, { run, step, agent: agent.agentId });
  const isLess = bad.length > 0 || left > 0;
  if (isLess && mutations.length === 0) {
    const finding = bad
      .map((one) => one.finding)
      .join(' ')
      .slice(0, limits.sensorTextChars);
    const error = { code: bad[0]?.code ?? 'FOLKMOOT_LIMIT', message: finding };
    return { status: 'refused', payload: sentences.nothingAllowed, mutations: [], error };
  }
  const rest = [answer.rest ? wordsOf(answer.rest) : '', isLess ? sentences.partAllowed : ''].filter(Boolean).join(' ');
  return { ...base, mutations, ...(rest ? { rest } : {}) };
}

/** An answer to a judge: one statement, whose proposal stands as a whole or not at all. */
export function trustedStatement(answer: UncheckedAnswer, asked: AskedOf & { readonly debate: DebateData }): AskAnswer {
  const { agent, run, step, board, debate } = asked;
  if (answer.status !== 'answered') return trustedAnswer(answer, asked);
  const said = statementIn(answer.payload, agent);
  const validate = schemaValidator(statementSchema);
  if (!validate(said)) return noStatement('FOLKMOOT_MESSAGE_INVALID', sentences.noStatement);
  const checked = checkerOf({ agent, board, debate, run, step })(said);
  if ('value' in checked) return { status: 'answered', payload: checked.value, mutations: [] };
  return noStatement('FOLKMOOT_COMMAND_INVALID', sentences.nothingAllowed);
}

const noStatement = (code: string, words: string): AskAnswer => ({
  status: 'refused',
  payload: words,
  mutations: [],
  error: { code, message: words },
});

/** Of a statement only what it says itself: round, side and name are this house's. */
function statementIn(payload: unknown, agent: AgentDefinition): unknown {
  if (!payload || typeof payload !== 'object') return payload;
  const { claim, confidence, reasons, proposal, replyTo } = payload as Readonly<Record<string, unknown>>;
  const isCause = (call: { readonly function?: unknown } | null) => !isConsequence(String(call?.function), agent);
  const causes = Array.isArray(proposal)
    ? (proposal as ({ readonly function?: unknown } | null)[]).filter(isCause)
    : proposal;
  return Object.fromEntries(
    Object.entries({ claim, confidence, reasons, proposal: causes, replyTo }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

const isConsequence = (name: string, { generates, functions }: AgentDefinition): boolean =>
  !generates.includes(name) && functions.some((spec) => spec.consequences?.some((one) => one.function === name));

/** Plain words, without what would write lines of its own into a log, and of a length that can be read. */
function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return resultText(value)
    .replace(/[^\P{C}\n\t]+/gu, ' ')
    .trim()
    .slice(0, limits.requestChars);
}

function errorOf({ error }: UncheckedAnswer): Pick<AskAnswer, 'error'> {
  if (!error) return {};
  const code = Object.hasOwn(errorTable, error.code) ? error.code : 'FOLKMOOT_RUN_FAILED';
  return { error: { code, message: wordsOf(error.message) } };
}

const sentences = {
  nothingAllowed: 'What it wanted to do is not something that this house does.',
  partAllowed: 'A part of what it wanted to do is not something that this house does, so that was left out.',
  noStatement: 'It said nothing that can be used.',
} as const;
