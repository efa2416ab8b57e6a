/** The one place where models are called: queue, silence watch, streaming, usage, errors. */
import type { AIMessage, AIMessageChunk, UsageMetadata } from '@langchain/core/messages';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { folkmootError, isFolkmootError } from '../errors.ts';
import type { JsonSchema } from '../language/json-schema.ts';
import { limits } from '../limits.ts';
import type { Usage } from '../moot.ts';
import { modelError, refusesTools } from './call-errors.ts';
import { isLocal } from './catalogue.ts';
import { noteEnd, pauseBefore } from './host-pause.ts';
import { enterQueue } from './host-queue.ts';
import type { Place } from './host-queue.ts';
import type { Model, TaskData } from './model.ts';
import { withRetries } from './retry.ts';
import { watchSilence } from './silence.ts';
import type { SilenceWatch } from './silence.ts';
import { createTextGate, jsonIn, spokenText } from './spoken-text.ts';
import { wrongCallFinding } from './written/wrong-call.ts';
import { writtenAnswer } from './written/written-calls.ts';
import { costOf, emptyUsage } from './usage.ts';

export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  /** With the tools that the model called then. */
  | { readonly role: 'assistant'; readonly text: string; readonly calls?: readonly CalledTool[] }
  /** What one of them answered. */
  | { readonly role: 'tool'; readonly text: string; readonly name: string; readonly callId: string };

export interface CalledTool {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A tool that the model may call in its answer; nothing is run by it. */
export interface ToolOffer {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface ModelCall {
  /** Rendered from `data` by the same code; hosted models get only this. */
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ToolOffer[];
  /** `rules` and `scripted` get only this. */
  readonly data: TaskData;
  readonly signal?: AbortSignal | undefined;
  /** Longest silence, in milliseconds; each piece of the answer starts it anew. Default: the model's setting. */
  readonly timeoutMs?: number | undefined;
  /** Words for people as they come; JSON and thinking aloud are kept back. */
  readonly onText?: ((text: string) => void) | undefined;
  /** Each piece of the answer, words or not: a sign of life for who counts silence. */
  readonly onProgress?: (() => void) | undefined;
  /** Whose usage it is: an agentId, or `router`. */
  readonly agent?: string;
  readonly clock?: Clock;
}

export interface ModelToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The arguments as they came, when they were not readable; `args` is empty then. */
  readonly unreadable?: string;
}

export interface ModelReply {
  /** Without thinking aloud. */
  readonly text: string;
  readonly calls: readonly ModelToolCall[];
  readonly usage: Usage;
  /** What was wrong with calls that it wrote as text, for the model. */
  readonly findings?: readonly string[];
}

/** What another model may do better; a wrong request or a stop is the same for all. */
const worthFallback = new Set(['FOLKMOOT_MODEL_FAILED', 'FOLKMOOT_MODEL_UNKNOWN', 'FOLKMOOT_DEADLINE']);

/**
 * Calls the model, and the one that it falls back to when it fails or is silent (each at most once, so a circle of
 * fallbacks ends). Throws what the last one threw, as `callOnce` does.
 */
export async function callModel(model: Model, call: ModelCall): Promise<ModelReply> {
  const tried = new Set<Model>();
  for (let next: Model = model; ;) {
    tried.add(next);
    try {
      return await callOnce(next, call);
    } catch (error) {
      const other = next.fallback?.();
      const stopped = call.signal?.aborted === true || !isFolkmootError(error) || !worthFallback.has(error.code);
      if (stopped || !other || tried.has(other)) throw error;
      next = other;
    }
  }
}

/**
 * Calls the model once. Throws FOLKMOOT_DEADLINE (silence), FOLKMOOT_CANCELLED (or the signal's own error), FOLKMOOT_LIMIT,
 * FOLKMOOT_MODEL_FAILED, FOLKMOOT_MODEL_UNREADABLE, and what loading the model throws.
 */
async function callOnce(model: Model, call: ModelCall): Promise<ModelReply> {
  const { settings } = model;
  const clock = call.clock ?? systemClock;
  const ownMs = settings.timeoutSeconds ? settings.timeoutSeconds * 1000 : limits.modelTimeoutMs;
  const watch = watchSilence({ clock, ms: call.timeoutMs ?? ownMs, signal: call.signal, what: nameOf(model) });
  try {
    const queuedAt = clock.now();
    // Others are served first, each for as long as it isn't silent itself.
    watch.pause();
    const place = isLocal(settings) ? undefined : await placeAt(model, clock, watch.signal, call.onProgress);
    const startedAt = clock.now();
    try {
      const heard = () => {
        watch.heard();
        call.onProgress?.();
        place?.heard();
      };
      heard();
      const hosted = { model, call, watch, heard, hasSpoken: false };
      const tries = { clock, watch, hasSpoken: () => hosted.hasSpoken, onAgain: call.onProgress };
      const message = await watch.race(
        isLocal(settings) ? askLocal(model, call, watch) : withRetries(tries, () => askHosted(hosted)),
      );
      return replyOf(message, model, call, { queueMs: startedAt - queuedAt, modelMs: clock.now() - startedAt });
    } finally {
      place?.leave();
    }
  } catch (error) {
    throw modelError(error, { name: nameOf(model), watch, apiKey: settings.apiKey });
  } finally {
    watch.end();
  }
}

const nameOf = ({ settings }: Model): string => settings.modelName || settings.provider;

/** With a pause, calls are made one after the other. */
async function placeAt(model: Model, clock: Clock, signal: AbortSignal, onSign?: () => void): Promise<Place> {
  const { concurrency = limits.modelConcurrency, pauseSeconds = 0 } = model.settings;
  const [host, pauseMs] = [hostOf(model), pauseSeconds * 1000];
  const place = await enterQueue(host, pauseMs > 0 ? 1 : concurrency, signal, onSign);
  try {
    await pauseBefore(host, pauseMs, clock, signal);
  } catch (stopped) {
    place.leave();
    throw stopped;
  }
  return {
    ...place,
    leave() {
      noteEnd(host, pauseMs, clock);
      place.leave();
    },
  };
}

/** Models on one host share its queue, whatever their names. */
const hostOf = ({ settings }: Model): string =>
  settings.baseUrl && URL.canParse(settings.baseUrl) ? new URL(settings.baseUrl).host : settings.provider;

async function askLocal(model: Model, call: ModelCall, watch: SilenceWatch): Promise<AIMessage> {
  const chat = await model.chat();
  const messages = [{ role: 'user', content: call.data.request }];
  const message = await chat.invoke(messages, { metadata: { folkmoot: call.data }, signal: watch.signal });
  if (call.onText) createTextGate(call.onText)(message.text);
  return message;
}

/** Models whose server said that it knows no tools: asked for JSON text from then on. */
const withoutTools = new WeakSet<Model>();

interface Hosted {
  readonly model: Model;
  readonly call: ModelCall;
  readonly watch: SilenceWatch;
  /** A sign of life of the model. */
  readonly heard: () => void;
  hasSpoken: boolean;
}

async function askHosted(hosted: Hosted): Promise<AIMessage> {
  const { model, call } = hosted;
  try {
    return await stream(hosted, !withoutTools.has(model));
  } catch (error) {
    if (!call.tools?.length || withoutTools.has(model) || !refusesTools(error)) throw error;
    withoutTools.add(model);
    return stream(hosted, false);
  }
}

async function stream(hosted: Hosted, withTools: boolean): Promise<AIMessage> {
  const { model, call, watch, heard } = hosted;
  const chat = await model.chat();
  const tools = withTools ? (call.tools ?? []).map(asOpenAiTool) : [];
  const bound = tools.length && chat.bindTools ? chat.bindTools(tools) : chat;
  const messages = call.messages.map((message) => (withTools ? asChatMessage(message) : asText(message)));
  const tell = call.onText ? createTextGate(call.onText) : undefined;
  let whole: AIMessageChunk | undefined;
  let length = 0;
  for await (const chunk of await bound.stream(messages, { signal: watch.signal })) {
    hosted.hasSpoken = true;
    heard();
    whole = whole ? whole.concat(chunk) : chunk;
    length +=
      chunk.text.length + (chunk.tool_call_chunks ?? []).reduce((sum, part) => sum + (part.args?.length ?? 0), 0);
    if (length > limits.modelReplyChars)
      throw folkmootError(
        'FOLKMOOT_LIMIT',
        `The model ${nameOf(model)} answered more than ${limits.modelReplyChars} characters.`,
      );
    if (chunk.text) tell?.(chunk.text);
  }
  if (!whole) throw folkmootError('FOLKMOOT_MODEL_UNREADABLE', `The model ${nameOf(model)} answered nothing.`);
  return whole;
}

function asChatMessage(message: ModelMessage) {
  const { role, text: content } = message;
  if (message.role === 'tool') return { role, content, name: message.name, tool_call_id: message.callId };
  if (message.role !== 'assistant' || !message.calls?.length) return { role, content };
  const tool_calls = message.calls.map(({ id, name, args }) => ({ id, name, args, type: 'tool_call' as const }));
  return { role, content, tool_calls };
}

/** For models without tools: what they called is the JSON that they were asked for, and what came back is told. */
function asText(message: ModelMessage) {
  const { role, text: content } = message;
  if (message.role === 'tool') return { role: 'user', content: `Answer of ${message.name}: ${content}` };
  if (message.role !== 'assistant' || !message.calls?.length) return { role, content };
  const calls = message.calls.map(({ name, args }) => ({ function: name, parameters: args }));
  return { role, content: JSON.stringify({ message: content, calls }) };
}

const asOpenAiTool = ({ name, description, schema }: ToolOffer) => ({
  type: 'function' as const,
  function: { name, description, parameters: schema },
});

function replyOf(
  message: AIMessage,
  { settings }: Model,
  call: ModelCall,
  times: Pick<Usage, 'queueMs' | 'modelMs'>,
): ModelReply {
  const native = callsOf(message);
  const { text, calls, findings } = native.length
    ? { text: spokenText(message.text), calls: native, findings: [] }
    : writtenIn(message.text, call);
  if (!text && !calls.length && !findings.length)
    throw folkmootError('FOLKMOOT_MODEL_UNREADABLE', 'The model answered nothing.');
  const tokens = message.usage_metadata as UsageMetadata | undefined;
  const counts = { modelCalls: 1, tokensIn: tokens?.input_tokens ?? 0, tokensOut: tokens?.output_tokens ?? 0 };
  const usage: Usage = {
    ...emptyUsage,
    ...counts,
    ...costOf(settings, counts),
    tokensCached: tokens?.input_token_details?.cache_read ?? 0,
    ...times,
    byAgent: call.agent ? { [call.agent]: counts } : {},
  };
  return { text, calls, usage, ...(findings.length ? { findings } : {}) };
}

/** Models that can't call tools write their calls as text; those that name what is offered, and fit, count. */
function writtenIn(
  given: string,
  { tools = [] }: ModelCall,
): Pick<ModelReply, 'text' | 'calls'> & { findings: readonly string[] } {
  const plain = { text: spokenText(given), calls: [], findings: [] };
  if (!tools.length) return plain;
  const { calls, say, wrong } = writtenAnswer(given, tools);
  // In the form that was asked for it is read and mended as ever.
  const own = jsonIn(given);
  if (!calls.length && (!wrong.length || (own !== undefined && !('name' in own)))) return plain;
  return { text: say, calls, findings: wrong.map((one) => wrongCallFinding(one, tools)) };
}

/** Streamed arguments are read strictly: LangChain would mend a cut-off text into a call that nobody meant. */
function callsOf(message: AIMessage): ModelToolCall[] {
  const chunks = (message as Partial<AIMessageChunk>).tool_call_chunks;
  if (!chunks?.length) return (message.tool_calls ?? []).map(({ name, args }) => ({ name, args }));
  return chunks.map(({ name = '', args = '' }) => {
    try {
      const read: unknown = JSON.parse(args || '{}');
      if (read && typeof read === 'object' && !Array.isArray(read))
        return { name, args: read as Record<string, unknown> };
    } catch {
      // Said below.
    }
    return { name, args: {}, unreadable: args.slice(0, limits.badPayloadChars) };
  });
}
