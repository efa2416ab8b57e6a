/**
 * Tries a model as agents use it, and says what it can do: whether it answers and how fast, whether it is listed, how it
 * calls tools, whether it keeps to a form, whether it thinks aloud, and how much it takes in.
 */
import type { AIMessageChunk } from '@langchain/core/messages';
import type { Clock } from '../../clock.ts';
import { asError } from '../../errors.ts';
import { callModel, type ModelMessage, type ModelReply, type ToolOffer } from '../call.ts';
import { isLocal } from '../catalogue.ts';
import type { Model, TaskData } from '../model.ts';
import { jsonIn } from '../spoken-text.ts';
import { listedModels, ollamaContext } from './listed-models.ts';

export interface ModelFinding {
  readonly what: 'answer' | 'list' | 'tools' | 'form' | 'thinking' | 'context';
  /** False: something is to be done about it. */
  readonly isOk: boolean;
  /** For people. */
  readonly text: string;
}

export interface DoctorOptions {
  readonly signal: AbortSignal;
  /** Of each question; milliseconds. */
  readonly timeoutMs: number;
  readonly clock?: Clock;
}

const nothing: TaskData = { task: 'generate', request: '', agents: [], functions: [], board: [] };

const report: ToolOffer = {
  name: 'report_number',
  description: 'Reports a number.',
  schema: {
    type: 'object',
    properties: { number: { type: 'integer' } },
    required: ['number'],
    additionalProperties: false,
  },
};

/** Never rejects, unless the signal aborts. */
export async function tryModel(model: Model, options: DoctorOptions): Promise<readonly ModelFinding[]> {
  const { settings } = model;
  if (isLocal(settings))
    return [{ what: 'answer', isOk: true, text: 'It answers inside Node-RED; nothing has to be reached.' }];
  const list = await listed(model, options);
  const first = await answered(model, options);
  if (!first.isOk) return [first, ...list];
  return [
    first,
    ...list,
    await toolsOf(model, options),
    await formOf(model, options),
    await thinkingOf(model, options),
    ...(await contextOf(model, options)),
  ];
}

function asked(model: Model, { signal, timeoutMs, clock }: DoctorOptions, text: string, tools?: readonly ToolOffer[]) {
  const messages: readonly ModelMessage[] = [{ role: 'user', text }];
  return callModel(
    { settings: model.settings, chat: () => model.chat() },
    { messages, data: nothing, signal, timeoutMs, ...(clock ? { clock } : {}), ...(tools ? { tools } : {}) },
  );
}

/** Runs a look; what goes wrong becomes a finding. */
async function looked(
  what: ModelFinding['what'],
  { signal }: DoctorOptions,
  look: () => Promise<Omit<ModelFinding, 'what'>>,
): Promise<ModelFinding> {
  try {
    return { what, ...(await look()) };
  } catch (error) {
    signal.throwIfAborted();
    return { what, isOk: false, text: asError(error).message };
  }
}

const answered = (model: Model, options: DoctorOptions): Promise<ModelFinding> =>
  looked('answer', options, async () => {
    const { usage } = await asked(model, options, 'Count from 1 to 20, with commas in between, and say nothing else.');
    return { isOk: true, text: `It answers${speedOf(usage)}.` };
  });

function speedOf({ tokensOut, modelMs }: ModelReply['usage']): string {
  const after = ` after ${(modelMs / 1000).toFixed(1)} s`;
  if (tokensOut === 0 || modelMs === 0) return after;
  return `${after}, about ${(tokensOut / (modelMs / 1000)).toFixed(tokensOut * 1000 < modelMs * 10 ? 1 : 0)} tokens a second`;
}

async function listed({ settings }: Model, { signal, timeoutMs }: DoctorOptions): Promise<readonly ModelFinding[]> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const all = await listedModels(settings, limit).catch(() => undefined);
  signal.throwIfAborted();
  const { modelName = '' } = settings;
  if (!all) return [];
  const isThere = all.some(({ name }) => name === modelName || name === `${modelName}:latest`);
  const names = all.map(({ name }) => name);
  if (isThere) return [{ what: 'list', isOk: true, text: `The server lists it, among ${names.length}.` }];
  const few = names.slice(0, 10).join(', ');
  return [
    { what: 'list', isOk: false, text: `The server does not list "${modelName}". It has ${few || 'no models'}.` },
  ];
}

const toolsOf = (model: Model, options: DoctorOptions): Promise<ModelFinding> =>
  looked('tools', options, async () => {
    const text = 'Call the tool report_number with the number 7.';
    const native = await nativeCall(model, options, text).catch(() => undefined);
    options.signal.throwIfAborted();
    if (native?.tool_calls?.some(isSeven)) return { isOk: true, text: 'It calls tools by the server’s own means.' };
    const reply = await asked(model, options, text, [report]);
    return reply.calls.some(isSeven)
      ? { isOk: true, text: 'It calls tools as text, which is read here.' }
      : { isOk: false, text: 'It did not call a tool that it was told to call: it suits talk, not acting.' };
  });

const isSeven = ({ name, args }: { readonly name: string; readonly args: Readonly<Record<string, unknown>> }) =>
  name === report.name && Number(args['number']) === 7;

async function nativeCall(model: Model, options: DoctorOptions, text: string): Promise<AIMessageChunk | undefined> {
  const chat = await model.chat();
  const { name, description, schema } = report;
  const tool = { type: 'function' as const, function: { name, description, parameters: schema } };
  return chat.bindTools ? heard(chat.bindTools([tool]), text, options) : undefined;
}

interface Streaming {
  stream(
    messages: readonly { readonly role: string; readonly content: string }[],
    options: { readonly signal: AbortSignal },
  ): Promise<AsyncIterable<AIMessageChunk>>;
}

/** By streaming, as agents are answered: asked otherwise, some packages look up on the internet how tokens are counted. */
async function heard(
  chat: unknown,
  content: string,
  { signal, timeoutMs }: DoctorOptions,
): Promise<AIMessageChunk | undefined> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  let whole: AIMessageChunk | undefined;
  for await (const chunk of await (chat as Streaming).stream([{ role: 'user', content }], { signal: limit }))
    whole = whole ? whole.concat(chunk) : chunk;
  return whole;
}

const formOf = (model: Model, options: DoctorOptions): Promise<ModelFinding> =>
  looked('form', options, async () => {
    const text = 'Answer with this JSON object and nothing else: {"room": "hall", "on": true}';
    const read = jsonIn((await asked(model, options, text)).text) as { room?: unknown; on?: unknown } | undefined;
    return read?.room === 'hall' && read.on === true
      ? { isOk: true, text: 'It keeps to a form that it is given.' }
      : { isOk: false, text: 'It does not keep to a form that it is given: many of its plans will be refused.' };
  });

const thinkingOf = (model: Model, options: DoctorOptions): Promise<ModelFinding> =>
  looked('thinking', options, async () => {
    const message = await heard(await model.chat(), 'Is 91 a prime number? Yes or no.', options);
    const { additional_kwargs: more = {}, text = '' } = message ?? {};
    const apart = more['reasoning_content'] ?? more['thinking'];
    if (apart) return { isOk: true, text: 'It thinks before it answers, apart from the answer; that takes time.' };
    return /<\/?think(?:ing)?>/i.test(text)
      ? { isOk: true, text: 'It thinks aloud within its answers, which is kept back here; that takes time.' }
      : { isOk: true, text: 'It answers without thinking aloud.' };
  });

async function contextOf({ settings }: Model, { signal, timeoutMs }: DoctorOptions): Promise<readonly ModelFinding[]> {
  if (settings.provider !== 'ollama') return [];
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const most = await ollamaContext(settings, limit).catch(() => undefined);
  signal.throwIfAborted();
  const { contextTokens: set = 0 } = settings;
  if (most === undefined) return [];
  return set > most
    ? [{ what: 'context', isOk: false, text: `It takes in ${most} tokens at most, and ${set} are set.` }]
    : [{ what: 'context', isOk: true, text: `It can take in ${most} tokens; ${set} are set.` }];
}
