/** One piece of work for an agent elsewhere: asked over its own topic or by a broadcast, and its answer checked. */
import type { AgentDefinition } from '../agent/definition.ts';
import { debateOf } from '../agent/statement-prompt.ts';
import { createAmicaRequester } from '../bus/amica-requester.ts';
import type { Bus } from '../bus/bus.ts';
import { propertyNames, senderProperties, type Sender } from '../bus/our-properties.ts';
import type { Clock } from '../clock.ts';
import { asError, isFolkmootError, type ErrorCode } from '../errors.ts';
import { limits } from '../limits.ts';
import type { AnswerStatus, AskAnswer, Moot } from '../moot.ts';
import { askDirected, type DirectedAsker } from './directed-ask.ts';
import { returnMs } from './outage.ts';
import { trustedAnswer, trustedStatement } from './trusted-answer.ts';

export interface RemoteStep {
  /** The ask's. */
  readonly id: string;
  readonly run: string;
  readonly step: string;
  readonly kind: 'step' | 'debate';
  /** The prompt, or what a judge asks. */
  readonly payload: unknown;
  /** Of the run: what of it an agent elsewhere needs is sent. */
  readonly moot: Moot;
  readonly signal: AbortSignal;
  /** Sign of life. */
  readonly touch?: (words?: string) => void;
}

/** What another house is told of a run: nothing of who waits for its answer, or where. */
function mootFor({ id, run, step, moot }: RemoteStep) {
  const { conversation, user, depth, parameters, tainted, mutations, event } = moot;
  return {
    v: 1 as const,
    run,
    step,
    ask: { id },
    ...(conversation ? { conversation } : {}),
    ...(user ? { user } : {}),
    ...(depth ? { depth } : {}),
    ...(parameters ? { parameters } : {}),
    ...(tainted ? { tainted } : {}),
    ...(mutations?.length ? { mutations: mutations.slice(-limits.askMutations) } : {}),
    ...(event ? { event } : {}),
  };
}

/** Never rejects. @param options.agentId On the bus. @param options.member As this house sees it. */
export async function askElsewhere(
  options: Omit<DirectedAsker, 'signal'> & {
    readonly clock: Clock;
    readonly agentId: string;
    readonly member: AgentDefinition;
  },
  work: RemoteStep,
): Promise<AskAnswer> {
  const { member, ...asker } = options;
  const { run, step, kind, payload, moot, signal } = work;
  const sender = { ...asker.sender, ...(moot.user ? { user: moot.user } : {}) };
  const answer = await askDirected({ ...asker, sender, kind, payload, moot: mootFor(work), signal });
  const asked = { agent: member, run, step, board: moot.mutations ?? [] };
  return kind === 'debate'
    ? trustedStatement(answer, { ...asked, debate: debateOf(payload) })
    : trustedAnswer(answer, asked);
}

export interface BroadcastOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly sender: Sender;
  readonly member: AgentDefinition;
  /** For messages without a user. */
  readonly userName: string;
  readonly deadlineMs: number;
}

/** Asks everybody who hears A.M.I.C.A.'s requests. What they say are words, never commands. Never rejects. */
export async function askEverybody(options: BroadcastOptions, work: RemoteStep): Promise<AskAnswer> {
  const { bus, clock, member, userName, deadlineMs } = options;
  const { payload, moot, signal, run, step } = work;
  const depth = { [propertyNames.depth]: String((moot.depth ?? 0) + 1) };
  const requester = createAmicaRequester({ bus, clock, properties: { ...senderProperties(options.sender), ...depth } });
  const replies = new Map<number, { text: string; isComplete: boolean }>();
  try {
    const parts = requester.ask({
      message: String(payload),
      userName: moot.user ?? userName,
      ...(moot.conversation ? { conversation: moot.conversation } : {}),
      silenceMs: deadlineMs,
      lossMs: returnMs,
      signal,
    });
    for await (const { reply, text, isComplete } of parts) {
      work.touch?.(text);
      const known = replies.get(reply)?.text ?? '';
      replies.set(reply, { text: (known + text).slice(0, limits.replyChars), isComplete });
    }
  } catch (error) {
    if (signal.aborted) return ended('cancelled', 'FOLKMOOT_CANCELLED', 'It was stopped.');
    return isFolkmootError(error, 'FOLKMOOT_DEADLINE')
      ? ended('timeout', error.code, `${member.name} did not answer in time.`)
      : ended('failed', isFolkmootError(error) ? error.code : 'FOLKMOOT_BUS_LOST', asError(error).message);
  }
  const said = [...replies.values()].filter(({ isComplete }) => isComplete).map(({ text }) => text.trim());
  const answer = { status: 'answered', payload: [...new Set(said)].join('\n'), mutations: [] } as const;
  return trustedAnswer(answer, { agent: member, run, step, board: [] });
}

const ended = (status: AnswerStatus, code: ErrorCode, words: string): AskAnswer => ({
  status,
  payload: words,
  mutations: [],
  error: { code, message: words },
});
