/** One agent does one step: its model proposes calls, they are checked, and what stands becomes mutations. */
import type { Clock } from '../clock.ts';
import { asError, errorTable, isFolkmootError } from '../errors.ts';
import { contradictingCalls } from '../evaluate/contradicting-calls.ts';
import type { BadCall, GoodCall } from '../language/check-call.ts';
import { createLanguage } from '../language/language.ts';
import type { Language } from '../language/language.ts';
import { sentenceOf } from '../language/sentence.ts';
import { wordsOf } from '../language/words.ts';
import { limits } from '../limits.ts';
import type { Model } from '../model/model.ts';
import { addUsage, emptyUsage } from '../model/usage.ts';
import { checkLimit, limitWords, type UsageLimits } from '../model/usage-limits.ts';
import type { AnswerStatus, AskAnswer, Usage } from '../moot.ts';
import { acceptCalls, mutationsOf } from './accept-calls.ts';
import type { Known } from './accept-calls.ts';
import type { AgentDefinition } from './definition.ts';
import type { Draft } from './draft.ts';
import { askModel, firstDraft } from './first-draft.ts';
import type { ToolUse } from './first-draft.ts';
import { withTexts } from './graphql-agent.ts';
import { boardFor } from './prompt.ts';
import type { AgentInput } from './prompt.ts';
import type { ToolOutcome } from './tool-turns.ts';

export interface RunAgentOptions extends AgentInput {
  readonly model: Model;
  readonly step: string;
  /** It was asked before, and this was wrong with what it brought: for its model. */
  readonly finding?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Longest silence of the model, in milliseconds. Default: the model's own. */
  readonly timeoutMs?: number | undefined;
  /** The model's words as they come. */
  readonly onText?: ((text: string) => void) | undefined;
  /** Each piece of the model's answer, words or not. */
  readonly onProgress?: (() => void) | undefined;
  readonly clock?: Clock;
  /** What this piece of work may cost. Default: no limits but the engine's own. */
  readonly limits?: UsageLimits | undefined;
  /** What it may use while it works. Default: nothing. */
  readonly tools?: ToolUse | undefined;
}

interface Work {
  readonly message: string;
  readonly good: readonly GoodCall[];
  readonly bad: readonly BadCall[];
  readonly questions: readonly string[];
  /** What the model itself says can't be done. */
  readonly refusals: readonly string[];
  /** What tools answered. */
  readonly outcomes: readonly ToolOutcome[];
  /** The last answer could not be read, in whole or in part. */
  readonly unreadable: boolean;
}

/**
 * Never throws. Of the calls, those that are allowed stand; one regeneration is tried for the others.
 * - `answered` with mutations; `rest` then tells what of the step was not done;
 * - `answered` with `asked`: the payload is the question and nothing is done;
 * - `answered` without mutations: only words;
 * - `refused`: nothing stands, the payload says why in plain words;
 * - `failed`, `timeout`, `cancelled`: the model did not answer; nothing is done.
 */
export async function runAgent(options: RunAgentOptions): Promise<AskAnswer> {
  let usage = emptyUsage;
  const count = (more: Usage) => {
    usage = addUsage(usage, more);
  };
  try {
    const language = languageOf(options.agent);
    const work = await generate(options, language, count, () => checkLimit(options.limits, usage));
    const answer = answerOf(work, options, language);
    return { ...answer, mutations: withTexts(answer.mutations, options.agent), usage };
  } catch (error) {
    return { ...failure(error, options.signal), usage };
  }
}

/** The agent's own part of the language; a consequence that it does not know is another one's to see. */
export function languageOf({ functions }: AgentDefinition): Language {
  const names = new Set(functions.map(({ name }) => name));
  return createLanguage(
    functions.map((spec) =>
      spec.consequences ? { ...spec, consequences: spec.consequences.filter((one) => names.has(one.function)) } : spec,
    ),
  );
}

/** First answer and, for what is wrong with it, one more. An agent with tools has its rounds before its first answer. */
async function generate(
  options: RunAgentOptions,
  language: Language,
  count: (usage: Usage) => void,
  check: () => void,
): Promise<Work> {
  const known: Known = {
    language,
    // What only reads is for tools; it never becomes a command.
    generates: options.agent.generates.filter((name) => language.find(name)?.risk !== 'read'),
    board: boardFor(options),
    parameters: options.parameters ?? {},
  };
  const { draft: first, outcomes, history } = await firstDraft(options, count);
  const { good: accepted, bad } = acceptCalls(first.calls, known);
  const { kept: good, ...contradicting } = contradictingCalls(accepted, language);
  const found = [...first.findings, ...bad.map(({ finding }) => finding), ...contradicting.findings];
  const findings = found.slice(0, limits.findings);
  const work: Work = { ...first, good, bad, outcomes, unreadable: first.findings.length > 0 };
  if (!findings.length) return work;
  let second: Draft;
  count({ ...emptyUsage, findings: found.length, regenerations: 1 });
  try {
    check();
    second = await askModel(options, { finding: findingText(findings, good), history, count });
  } catch (error) {
    // What already stands is not lost because the second try failed; without any, the failure is told.
    if (!good.length || options.signal?.aborted) throw error;
    return { ...work, questions: [...work.questions, ...contradicting.questions] };
  }
  const again = acceptCalls(second.calls, known, good);
  return { ...mended(first, second, again, contradictingCalls(again.good, language)), outcomes };
}

/** What the second answer makes of the first. */
function mended(
  first: Draft,
  second: Draft,
  { bad }: ReturnType<typeof acceptCalls>,
  left: ReturnType<typeof contradictingCalls>,
): Omit<Work, 'outcomes'> {
  return {
    message: second.message || first.message,
    ...{ good: left.kept, bad },
    questions: [...(second.questions.length ? second.questions : first.questions), ...left.questions],
    refusals: second.refusals.length ? second.refusals : first.refusals,
    unreadable: second.findings.length > 0,
  };
}

const findingText = (findings: readonly string[], good: readonly GoodCall[]): string =>
  [
    ...findings,
    ...(good.length
      ? [
          `Good already, not to be repeated: ${good.map(({ spec, parameters }) => `${spec.name} ${JSON.stringify(parameters)}`).join('; ')}.`,
        ]
      : []),
    'Answer again with what was wrong put right; leave out what can’t be, and ask for what is missing.',
  ].join(' ');

function answerOf(work: Work, { agent, run, step }: RunAgentOptions, language: Language): AskAnswer {
  const { mutations, left } = mutationsOf(work.good, language, { run, step, agent: agent.agentId });
  const plain = (texts: readonly string[]) => texts.filter(Boolean).map((text) => plainWords(text, language));
  const refusals = work.bad.filter(({ problem }) => problem !== 'missing');
  const questions = plain([
    ...work.questions,
    ...work.bad.filter((call) => !refusals.includes(call)).map(({ forPeople }) => forPeople),
  ]);
  const reasons = plain([
    ...work.refusals,
    ...refusals.map(({ forPeople }) => forPeople),
    ...(left ? [`That was more than I do at once, so ${left} of it was left out.`] : []),
  ]);
  const [message = ''] = plain([work.message]);
  // What was found out is no command, so the report of commands would not tell it. A tool's own words stay as they are.
  // What a yes is asked for is said in the tool's own words: a model might leave the question out.
  const asked = work.outcomes.filter(({ asksYes }) => asksYes).map(({ said }) => said);
  const asksYes = asked.length ? { asksYes: true as const } : {};
  const found = asked.length
    ? asked
    : work.outcomes.length
      ? [message || joined(work.outcomes.map(({ said }) => said))]
      : [];
  const rest = joined([...found, ...reasons, ...questions]);
  if (mutations.length) {
    const done = work.good.map(({ spec, parameters }) => `${sentenceOf(spec, parameters)}.`).join(' ');
    const payload = found.length ? rest : joined([message || plainWords(done, language), rest]);
    return { status: 'answered', payload, mutations, ...(rest ? { rest } : {}), ...asksYes };
  }
  if (asked.length) return { status: 'answered', asked: true, payload: rest, mutations: [], ...asksYes };
  // A refusal that stands beside a question is told with it: the answer to the question alone would not help.
  if (questions.length && !refusals.length && !work.refusals.length)
    return { status: 'answered', asked: true, payload: rest, mutations: [] };
  if (reasons.length) {
    const { code = 'FOLKMOOT_COMMAND_INVALID', finding = rest } = refusals[0] ?? {};
    return { status: 'refused', payload: rest, mutations: [], error: { code, message: finding } };
  }
  return noCommands(work, joined(found) || message);
}

const joined = (parts: readonly string[]): string => [...new Set(parts)].filter(Boolean).join(' ');

function noCommands(work: Work, payload: string): AskAnswer {
  const failed = failedTools(work, payload);
  if (failed) return failed;
  if (work.unreadable && !work.message) {
    const message = 'The model’s answer could not be read, twice.';
    const error = { code: 'FOLKMOOT_MODEL_UNREADABLE', message };
    return { status: 'failed', payload: sentences.unreadable, mutations: [], error };
  }
  return { status: 'answered', payload: payload || sentences.nothing, mutations: [] };
}

/** The last tool failed, or all did and no model made an answer of it: whatever the words are, that is not done. */
function failedTools({ message, outcomes }: Work, payload: string): AskAnswer | undefined {
  const [first, last] = [outcomes[0], outcomes.at(-1)];
  const isNoUse = first !== undefined && !message && outcomes.every(({ status }) => status !== 'answered');
  const failed = isNoUse ? first : last && ['failed', 'timeout', 'cancelled'].includes(last.status) ? last : undefined;
  if (!failed) return undefined;
  const { status, code = 'FOLKMOOT_TOOL_FAILED', text, name, said } = failed;
  return { status, payload: payload || said, mutations: [], error: { code, message: `${name}: ${text}` } };
}

/** Models say names of functions and values although they are told not to; people get words. */
const plainWords = (text: string, language: Language): string =>
  language.functions
    .reduce((words, { name }) => (wordsOf(name).includes(' ') ? words.replaceAll(name, wordsOf(name)) : words), text)
    .replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => word.replace(/_/g, ' '));

const sentences = {
  nothing: 'There was nothing to do.',
  unreadable: 'I could not work that out. Please say it in other words.',
  failed: 'I could not work on that: the AI model did not answer.',
  limit: 'I stopped, because that took too much.',
  timeout: 'I could not work on that: the AI model took too long.',
  cancelled: 'This was stopped.',
} as const;

/** What an agent answers when its model, or the wait for it, failed. */
export function failure(thrown: unknown, signal: AbortSignal | undefined): AskAnswer {
  const error = asError(thrown);
  const code = isFolkmootError(thrown) ? thrown.code : 'FOLKMOOT_MODEL_FAILED';
  const status: AnswerStatus =
    code === 'FOLKMOOT_DEADLINE'
      ? 'timeout'
      : code === 'FOLKMOOT_CANCELLED' || signal?.aborted
        ? 'cancelled'
        : 'failed';
  if (code === 'FOLKMOOT_BAD_INPUT') {
    // Data that came with the request; the path is what helps.
    const what = error.message.replace(errorTable[code], '').trim();
    return { status: 'refused', payload: what, mutations: [], error: { code, message: error.message } };
  }
  const own = { FOLKMOOT_MODEL_UNREADABLE: sentences.unreadable, FOLKMOOT_LIMIT: sentences.limit };
  const payload = limitWords(thrown) ?? ((status === 'failed' && own[code as keyof typeof own]) || sentences[status]);
  return { status, payload, mutations: [], error: { code, message: error.message } };
}
