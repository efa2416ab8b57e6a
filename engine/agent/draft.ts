/** A model's answer to an agent's task, in whatever form it came: tool calls, JSON, or words. */
import type { ProposedCall } from '../language/check-call.ts';
import { quoted } from '../language/words.ts';
import { limits } from '../limits.ts';
import type { ModelReply, ModelToolCall } from '../model/call.ts';
import { jsonIn } from '../model/spoken-text.ts';
import { askTool, graphqlTool } from './prompt.ts';

export interface Draft {
  /** For people; may be empty. */
  readonly message: string;
  readonly calls: readonly ProposedCall[];
  readonly questions: readonly string[];
  /** What can't be done and why, for people. */
  readonly refusals: readonly string[];
  /** What could not be read, for the model. */
  readonly findings: readonly string[];
  /** Said before the words of tools when they found nothing. */
  readonly otherwise?: string;
  /** With GraphQL: texts as they came. */
  readonly graphql?: GraphqlTexts;
}

export interface GraphqlTexts {
  readonly mutations: readonly string[];
  readonly queries: readonly string[];
}

/** Nothing in the reply is trusted; what can't be read becomes a finding. */
export function draftOf(reply: ModelReply): Draft {
  const draft = readDraft(reply);
  return reply.findings?.length ? { ...draft, findings: [...draft.findings, ...reply.findings] } : draft;
}

function readDraft(reply: ModelReply): Draft {
  if (reply.calls.length) return joined(reply.calls.map(fromTool), reply.text);
  const json = jsonIn(reply.text);
  if (json) return fromAnswer(json);
  if (/^(?:[{[]|```)/.test(reply.text))
    return { ...empty, findings: ['The answer is not readable as JSON; answer with one JSON object alone.'] };
  return isQuestion(reply.text) ? { ...empty, questions: [reply.text] } : { ...empty, message: reply.text };
}

const empty: Draft = { message: '', calls: [], questions: [], refusals: [], findings: [] };

/** Words that are one question and nothing else: models without tools ask in this way. */
const isQuestion = (text: string): boolean => text.length <= 200 && /^[^.!?\n]+\?$/.test(text.trim());

function joined(parts: readonly Draft[], text: string): Draft {
  return {
    message: [text, ...parts.map(({ message }) => message)].find((one) => one.trim()) ?? '',
    calls: parts.flatMap(({ calls }) => calls),
    questions: parts.flatMap(({ questions }) => questions),
    refusals: parts.flatMap(({ refusals }) => refusals),
    findings: parts.flatMap(({ findings }) => findings),
    ...otherwiseOf(parts.find(({ otherwise }) => otherwise)?.otherwise),
    ...graphqlOf(parts.flatMap(({ graphql }) => graphql ?? [])),
  };
}

/** Of several answers together; nothing when none has texts. */
const graphqlOf = (texts: readonly GraphqlTexts[]): Pick<Draft, 'graphql'> =>
  texts.length
    ? {
        graphql: {
          mutations: texts.flatMap(({ mutations }) => mutations),
          queries: texts.flatMap(({ queries }) => queries),
        },
      }
    : {};

function fromTool({ name, args, unreadable }: ModelToolCall): Draft {
  if (unreadable !== undefined)
    return {
      ...empty,
      findings: [`The parameters of ${quoted(name)} are not readable as JSON: ${quoted(unreadable)}`],
    };
  if (name === 'generate' || name === graphqlTool) return fromAnswer(args);
  if (name === askTool) return { ...empty, questions: textsOf(args['question']) };
  return { ...empty, calls: [{ function: name, parameters: args }] };
}

/** A `GenerateAnswer`, or a single call in the same form. */
function fromAnswer(answer: Readonly<Record<string, unknown>>): Draft {
  const list = Array.isArray(answer['calls']) ? (answer['calls'] as unknown[]) : 'function' in answer ? [answer] : [];
  const calls = list.slice(0, 2 * limits.mutationsPerStep).map(callOf);
  return {
    message: textsOf(answer['message'])[0] ?? '',
    calls: calls.filter((call) => call !== undefined),
    questions: textsOf(answer['question']),
    refusals: textsOf(answer['refusal']),
    findings: calls.includes(undefined)
      ? ['Each of "calls" has to be {"function": NAME, "parameters": {NAME: value}}.']
      : [],
    ...otherwiseOf(textsOf(answer['otherwise'])[0]),
    ...graphqlOf(graphqlIn(answer)),
  };
}

/** `generated_mutations` is what gpt-multi-atomic-agents calls them. */
function graphqlIn(answer: Readonly<Record<string, unknown>>): GraphqlTexts[] {
  const list = (value: unknown): string[] =>
    (Array.isArray(value) ? (value as unknown[]) : []).filter((text) => typeof text === 'string');
  const mutations = list(answer['mutations'] ?? answer['generated_mutations']);
  const queries = list(answer['queries']);
  return mutations.length || queries.length ? [{ mutations, queries }] : [];
}

const otherwiseOf = (otherwise: string | undefined): Pick<Draft, 'otherwise'> => (otherwise ? { otherwise } : {});

function callOf(value: unknown): ProposedCall | undefined {
  if (!value || typeof value !== 'object') return undefined;
  const { function: name, parameters = {} } = value as Record<string, unknown>;
  if (typeof name !== 'string' || !parameters || typeof parameters !== 'object') return undefined;
  return { function: name, parameters: parameters as Record<string, unknown> };
}

const textsOf = (value: unknown): string[] =>
  typeof value === 'string' && value.trim() ? [value.trim().slice(0, limits.requestChars)] : [];
