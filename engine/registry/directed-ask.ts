/**
 * The asker's side of directed asks and of tools on the bus: a response topic, correlation data, a deadline, and an end at
 * once when who was asked goes away. An ask outlives the broker: it is asked again when the connection is back. A tool is
 * never called twice. Never rejects: it ends as an answer, whatever happens.
 */
import type { Bus, BusMessage } from '../bus/bus.ts';
import { readOur } from '../bus/our-message.ts';
import type { AskBody, ToolCallBody } from '../bus/our-payloads.ts';
import { senderOf, senderProperties, type Sender } from '../bus/our-properties.ts';
import { ourTopics } from '../bus/topics.ts';
import { sleep, type Clock } from '../clock.ts';
import { asError, isFolkmootError, type ErrorCode } from '../errors.ts';
import { limits } from '../limits.ts';
import type { AnswerStatus, AskAnswer, Mutation } from '../moot.ts';
import type { KnownAgent, KnownTool, Registry } from './registry.ts';
import { requestRepeatedly } from './repeated-request.ts';

export interface DirectedAsker {
  readonly bus: Bus;
  readonly registry: Registry;
  /** Who asks. */
  readonly sender: Sender;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

export interface DirectedAskOptions extends DirectedAsker {
  readonly clock: Clock;
  /** On the bus. */
  readonly agentId: string;
  readonly kind: AskBody['kind'];
  readonly payload: unknown;
  /** With the ask's id. */
  readonly moot: NonNullable<AskBody['moot']> & { readonly ask: { readonly id: string } };
}

export interface ToolCallOptions extends DirectedAsker {
  readonly toolId: string;
  readonly call: Omit<ToolCallBody, 'v' | 'deadline'>;
}

/** As it came: its form is checked, its words and commands are not. */
export type UncheckedAnswer = Omit<AskAnswer, 'mutations'> & {
  readonly mutations: readonly Pick<Mutation, 'function' | 'parameters'>[];
};

/**
 * Asks an agent elsewhere. One that is made anew by a deploy cuts its work off: it is asked the same again, as over a wire
 * (asks.md 2), within the same deadline.
 */
export async function askDirected(options: DirectedAskOptions): Promise<UncheckedAnswer> {
  const { clock, signal } = options;
  const until = clock.now() + options.deadlineMs;
  let answer = await askOnce(options);
  for (let again = 1; again <= limits.directedAskAgain; again += 1) {
    if (answer.status !== 'cancelled' || signal.aborted || clock.now() + limits.directedAgainMs >= until) break;
    if (!(await slept(clock, signal))) return stopped;
    answer = await askOnce({ ...options, deadlineMs: until - clock.now() });
  }
  return answer;
}

const slept = (clock: Clock, signal: AbortSignal): Promise<boolean> =>
  sleep(clock, limits.directedAgainMs, signal).then(
    () => true,
    () => false,
  );

function askOnce(options: DirectedAskOptions): Promise<UncheckedAnswer> {
  const { agentId, kind, payload, moot, bus, sender, registry, clock } = options;
  const topic = ourTopics.agentAsk(agentId);
  const properties = senderProperties(sender);
  const cancel = () => {
    const body: AskBody = { v: 1, kind: 'cancel', moot: { ask: moot.ask } };
    // Where it can't be said, the other side's own deadline ends the work.
    const message = { payload: JSON.stringify(body), properties, onlyNow: true };
    bus.request(topic, message, { timeoutMs: limits.registryReadyMs }).catch(() => undefined);
  };
  const find = () => registry.agent(agentId);
  const isBack = () => registry.unsureMs === 0;
  const body: AskBody = { v: 1, kind, payload, moot };
  const request: Exchange['request'] = (send, signal) =>
    requestRepeatedly({ bus, clock, registry, deadlineMs: options.deadlineMs, signal, send });
  return exchange(options, { topic, body, cancel, find, isBack, request });
}

/** Calls a tool that a program elsewhere has announced. */
export function callTool(options: ToolCallOptions): Promise<UncheckedAnswer> {
  const { toolId, call, registry } = options;
  const topic = ourTopics.toolCall(toolId);
  const find = () => registry.tool(toolId);
  const request: Exchange['request'] = (send, signal) => send(options.deadlineMs, signal);
  return exchange(options, {
    topic,
    body: { v: 1, ...call },
    cancel: () => undefined,
    find,
    isBack: () => true,
    request,
  });
}

type Send = (timeoutMs: number, signal: AbortSignal) => Promise<BusMessage>;

interface Exchange {
  readonly topic: string;
  /** Without its deadline. */
  readonly body: AskBody | ToolCallBody;
  readonly cancel: () => void;
  readonly find: () => KnownAgent | KnownTool | undefined;
  /** False while who is asked may come back from a loss of the broker: then nobody counts as gone. */
  readonly isBack: () => boolean;
  readonly request: (send: Send, signal: AbortSignal) => Promise<BusMessage>;
}

/** Reason of the abort when who was asked is no longer here. */
const wentAway = new Error('it went away');

async function exchange(options: DirectedAsker, { topic, body, ...way }: Exchange): Promise<UncheckedAnswer> {
  const { bus, registry, sender, deadlineMs, signal } = options;
  if (signal.aborted) return stopped;
  const asked = way.find();
  if (!asked || (asked.status !== 'online' && way.isBack())) return notHere(asked?.name ?? '');
  const gone = new AbortController();
  const unwatch = registry.onChange(() => {
    if (!way.isBack()) return;
    const now = way.find();
    // Another process that took over under the same name knows nothing of this ask.
    if (now?.status !== 'online' || now.process !== asked.process) gone.abort(wentAway);
  });
  const send: Send = (timeoutMs, stop) =>
    bus.request(
      topic,
      {
        payload: JSON.stringify({ ...body, deadline: timeoutMs }),
        properties: senderProperties(sender),
        onlyNow: true,
        expirySeconds: Math.ceil(timeoutMs / 1000),
      },
      { timeoutMs, signal: stop, accept: (message) => isAnswerOf(asked, message, registry) },
    );
  try {
    return unchecked(await way.request(send, AbortSignal.any([signal, gone.signal])), asked.name);
  } catch (error) {
    if (signal.aborted || isFolkmootError(error, 'FOLKMOOT_DEADLINE')) way.cancel();
    if (signal.aborted) return stopped;
    if (error === wentAway && asked.status !== 'online') return notHere(asked.name);
    return failed(error, asked.name, deadlineMs);
  } finally {
    unwatch();
  }
}

/** What says that it comes from somebody else is counted and passed over. What is in a wrong form is an answer all the same: no better one will come. */
function isAnswerOf({ process }: KnownAgent | KnownTool, message: BusMessage, { messages }: Registry): boolean {
  const from = senderOf(message.properties).process;
  if (process !== '' && from !== process) {
    messages.drop('answer', message, 'wrong sender', `It comes from ${from ? `process "${from}"` : 'nobody'}.`);
    return false;
  }
  messages.read('answer', message);
  return true;
}

function unchecked(message: BusMessage, name: string): UncheckedAnswer {
  const reading = readOur('answer', message);
  if ('fault' in reading)
    return ended('failed', 'FOLKMOOT_MESSAGE_INVALID', `The answer of ${name} could not be used: ${reading.detail}`);
  const { v: _v, payload = null, mutations = [], ...rest } = reading.body;
  return { ...rest, payload, mutations };
}

function failed(thrown: unknown, name: string, deadlineMs: number): UncheckedAnswer {
  if (thrown === wentAway) return notHere(name, 'went away while it worked');
  if (isFolkmootError(thrown, 'FOLKMOOT_DEADLINE')) {
    const words = `${name} took longer than ${Math.round(deadlineMs / 1000)} seconds.`;
    return ended('timeout', 'FOLKMOOT_DEADLINE', words);
  }
  const code = isFolkmootError(thrown) ? thrown.code : 'FOLKMOOT_BUS_LOST';
  return {
    ...ended('failed', code, `${name} can’t be reached right now.`),
    error: { code, message: asError(thrown).message },
  };
}

const notHere = (name: string, what = 'is not there right now'): UncheckedAnswer =>
  ended('failed', 'FOLKMOOT_NOT_HERE', `${name || 'Who should do that'} ${what}.`);

function ended(status: AnswerStatus, code: ErrorCode, words: string): UncheckedAnswer {
  return { status, payload: words, mutations: [], error: { code, message: words } };
}

const stopped = ended('cancelled', 'FOLKMOOT_CANCELLED', 'It was stopped.');
