/** The rounds of an agent with tools as plain data: what its model said, what was called, what came back. */
import { canonical } from '../ids.ts';
import { limits } from '../limits.ts';
import type { ModelMessage } from '../model/call.ts';
import type { AnswerStatus } from '../moot.ts';
import type { ToolArguments } from '../tools/agent-tool.ts';
import type { Draft } from './draft.ts';

/** A call to be carried out now; its number counts within the ask, from 1. */
export interface PlannedCall {
  readonly n: number;
  readonly name: string;
  readonly given: ToolArguments;
  /** Number of the earlier call that is the same: its answer is told again. */
  readonly same?: number;
  /** There were too many before it. */
  readonly isOver?: true;
}

/** One answer of the model. */
export interface Turn {
  readonly draft: Draft;
  readonly tools: readonly PlannedCall[];
}

/** What became of a call. */
export interface ToolOutcome {
  readonly n: number;
  readonly name: string;
  readonly given: ToolArguments;
  readonly status: AnswerStatus;
  /** For the model. */
  readonly text: string;
  /** For people. */
  readonly said: string;
  readonly code?: string;
  /** It was answered, but nothing was found. */
  readonly isNothing?: true;
  /** It asks for a plain yes, and did nothing. */
  readonly asksYes?: true;
}

/** The model's answer as a turn. @param isTool Whether this name is carried out now instead of being proposed. */
export function turnOf(draft: Draft, before: readonly Turn[], isTool: (name: string) => boolean): Turn {
  const earlier = before.flatMap(({ tools }) => tools);
  const tools: PlannedCall[] = [];
  for (const { function: name, parameters: given } of draft.calls.filter((call) => isTool(call.function))) {
    const n = earlier.length + tools.length + 1;
    const key = canonical([name.toLowerCase(), given]);
    const same = [...earlier, ...tools].find((one) => canonical([one.name.toLowerCase(), one.given]) === key);
    const isOver = n > limits.toolCalls;
    tools.push({ n, name, given, ...(same ? { same: same.same ?? same.n } : isOver ? { isOver: true } : {}) });
  }
  return { draft: { ...draft, calls: draft.calls.filter((call) => !isTool(call.function)) }, tools };
}

/** How many turns asked nothing but what was asked before. */
export const idleTurns = (turns: readonly Turn[]): number =>
  turns.filter(({ tools }) => tools.length > 0 && tools.every(({ same }) => same !== undefined)).length;

/** What is to be carried out of a turn: each different call once. */
export const dueCalls = (turn: Turn | undefined): PlannedCall[] =>
  (turn?.tools ?? []).filter((call) => call.same === undefined && !call.isOver);

/** Nine letters and digits, for some servers take no other. */
const callId = (turn: number, index: number): string =>
  `c${String(turn).padStart(4, '0')}${String(index).padStart(4, '0')}`;

/** The turns as real tool messages: each call of a turn that goes on gets its answer. */
export function historyOf(turns: readonly Turn[], outcomes: readonly ToolOutcome[]): ModelMessage[] {
  return turns.flatMap(({ draft, tools }, turn): ModelMessage[] => {
    if (!tools.length) return [];
    const answered = [
      ...tools.map((call) => ({ name: call.name, args: call.given, text: answerTo(call, outcomes) })),
      ...draft.calls.map((call) => ({ name: call.function, args: call.parameters, text: noted })),
    ];
    const calls = answered.map(({ name, args }, index) => ({ id: callId(turn, index), name, args }));
    return [
      { role: 'assistant', text: draft.message, calls },
      ...answered.map(({ name, text }, index): ModelMessage => ({
        role: 'tool',
        text,
        name,
        callId: callId(turn, index),
      })),
    ];
  });
}

const noted = 'Noted. It is carried out after your answer; do not repeat it.';

function answerTo({ n, same, isOver }: PlannedCall, outcomes: readonly ToolOutcome[]): string {
  if (isOver) return 'Not asked: that were too many calls. Answer with what you have.';
  const whole = outcomes.find((one) => one.n === (same ?? n))?.text ?? 'No answer.';
  const most = Math.floor(limits.toolHistoryChars / Math.max(1, outcomes.length));
  const text = whole.length > most ? `${whole.slice(0, most)} … (cut)` : whole;
  return same === undefined ? text : `You asked this before; the answer was: ${text}`;
}

/** All turns as one draft: the last words, every command and question. */
export function draftOfTurns(turns: readonly Turn[]): Draft {
  const { message = '', otherwise } = turns.at(-1)?.draft ?? {};
  return {
    message,
    ...(otherwise ? { otherwise } : {}),
    calls: turns.flatMap(({ draft }) => draft.calls),
    questions: turns.flatMap(({ draft }) => draft.questions),
    refusals: turns.flatMap(({ draft }) => draft.refusals),
    findings: turns.at(-1)?.draft.findings ?? [],
  };
}
