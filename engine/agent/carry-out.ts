/** Carries out one call of a tool: rights, the effect ledger, the ask itself, and what is told of it. */
import type { Clock, Timer } from '../clock.ts';
import { limits } from '../limits.ts';
import type { AskAnswer, Parameters } from '../moot.ts';
import type { EffectLedger } from '../people/effects.ts';
import { toolNamed } from '../tools/agent-tool.ts';
import type { AgentTool, ToolArguments } from '../tools/agent-tool.ts';
import { resultText } from '../tools/tool-result.ts';
import type { PlannedCall, ToolOutcome } from './tool-turns.ts';

export interface CarryOut {
  readonly reached: () => readonly AgentTool[];
  readonly askId: string;
  readonly run: string;
  /** Node id of the agent. */
  readonly owner: string;
  readonly clock: Clock;
  /** Where what acts is written down before it does. Absent: there is no store, so once is not promised over a crash. */
  readonly effects?: EffectLedger | undefined;
  /** Asked before something acts: gives why it must not, in words. Absent: it may. */
  readonly mayAct?: (() => Promise<string | undefined>) | undefined;
  /** Asked before something acts: gives why the house holds it back now, in words for people. Absent: it doesn't. */
  readonly heldBack?: (() => string | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Sign of life. */
  readonly onProgress?: (() => void) | undefined;
  /** Keeps the call in the conversation. */
  readonly record?: ((outcome: ToolOutcome) => Promise<void>) | undefined;
}

/** Never rejects: what goes wrong is an outcome that the model and people are told. */
export async function carryOut(call: PlannedCall, work: CarryOut): Promise<ToolOutcome> {
  const tool = toolNamed(work.reached(), call.name);
  const answer = tool ? await allowed(tool, call, work) : refused(words.notWired, 'FOLKMOOT_NOT_WIRED');
  const outcome = outcomeOf(call, tool, answer);
  await work.record?.(outcome).catch(() => undefined);
  return outcome;
}

const words = {
  notWired: 'I can’t do that now: nothing here is connected for it.',
  consent: 'I can’t do that without somebody’s consent.',
  failed: 'I could not find that out: something went wrong.',
  notDone: 'That did not work.',
  late: 'I could not find that out in time.',
  unknown: 'I don’t know whether that was done.',
  stopped: 'That was stopped.',
  nothing: 'I don’t know that yet.',
  done: 'That is done.',
} as const;

const refused = (payload: string, code: string): AskAnswer => ({
  status: 'refused',
  payload,
  mutations: [],
  error: { code, message: payload },
});

function allowed(tool: AgentTool, call: PlannedCall, work: CarryOut): Promise<AskAnswer> | AskAnswer {
  if (tool.spec.risk === 'critical' && !tool.runWithoutAsking) return refused(words.consent, 'FOLKMOOT_NOT_ALLOWED');
  const heldBack = tool.spec.effect ? work.heldBack?.() : undefined;
  if (heldBack) return refused(heldBack, 'FOLKMOOT_NOT_ALLOWED');
  return tool.spec.effect && work.effects ? ours(tool, call, work, work.effects) : ask(tool, call, work);
}

async function ours(tool: AgentTool, call: PlannedCall, work: CarryOut, effects: EffectLedger): Promise<AskAnswer> {
  const why = await work.mayAct?.();
  return why ? failed(why, words.stopped) : once(tool, call, work, effects);
}

const idOf = (tool: AgentTool, { n }: PlannedCall, { askId }: CarryOut): string => `${askId}/${tool.mark}${n}`;

/** What acts is asked at most once, also over a crash: the ledger knows it by the ask's id (contracts.md 4). */
async function once(tool: AgentTool, call: PlannedCall, work: CarryOut, effects: EffectLedger): Promise<AskAnswer> {
  const id = idOf(tool, call, work);
  const { run, owner } = work;
  const planned = { run, function: tool.spec.name, parameters: scalars(call.given), repeatable: false, owner };
  const state = await effects.plan(id, planned);
  if (state === 'confirmed') return { status: 'answered', payload: words.done, mutations: [] };
  if (state === 'failed') return failed('It failed before.');
  if (state === 'sent' || state === 'unknown') {
    await effects.unknown(run, id, 'Folkmoot stopped before the tool had answered.');
    return failed(words.unknown, words.unknown);
  }
  // Written down as sent before it is: twice would be worse than not at all.
  await effects.sent(run, id);
  const answer = await ask(tool, call, work);
  if (answer.status === 'answered') await effects.confirmed(run, id);
  else if (answer.status === 'refused') await effects.failed(run, id, answer.error?.message ?? 'refused');
  else await effects.unknown(run, id, answer.error?.message ?? answer.status);
  if (answer.status === 'timeout') return { ...answer, payload: words.unknown };
  return answer;
}

const failed = (message: string, payload: string | null = null): AskAnswer => ({
  status: 'failed',
  payload,
  mutations: [],
  error: { code: 'FOLKMOOT_TOOL_FAILED', message },
});

const scalars = (given: ToolArguments): Parameters =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? value
        : JSON.stringify(value),
    ]),
  );

/** While the tool works, the agent's own asker must not take it for silent; the tool's time limit ends it. */
async function ask(tool: AgentTool, call: PlannedCall, work: CarryOut): Promise<AskAnswer> {
  let timer: Timer | undefined;
  const live = () => {
    work.onProgress?.();
    timer = work.clock.setTimer(live, limits.toolSignOfLifeMs);
  };
  live();
  try {
    return await tool.ask(idOf(tool, call, work), call.given, work.signal);
  } finally {
    work.clock.clearTimer(timer);
    work.onProgress?.();
  }
}

const foundBy = (tool: AgentTool | undefined, result: unknown): Pick<ToolOutcome, 'isNothing'> =>
  tool?.isNothing?.(result) ? { isNothing: true } : {};

function outcomeOf({ n, name, given }: PlannedCall, tool: AgentTool | undefined, answer: AskAnswer): ToolOutcome {
  const { status, payload, error } = answer;
  const base = { n, name: tool?.spec.name ?? name, given, status, ...(error ? { code: error.code } : {}) };
  if (status === 'answered') {
    const acts = tool !== undefined && tool.spec.risk !== 'read';
    const said = tool?.said(given, payload) ?? (acts ? words.done : words.nothing);
    return {
      ...base,
      ...foundBy(tool, payload),
      ...(answer.asksYes ? { asksYes: true as const } : {}),
      text: payload === null ? 'Nothing came back.' : resultText(payload),
      said,
    };
  }
  const own = typeof payload === 'string' && payload.trim() ? payload : undefined;
  const reads = tool?.spec.risk === 'read';
  const said = {
    refused: words.notWired,
    failed: reads ? words.failed : words.notDone,
    timeout: reads ? words.late : words.unknown,
    cancelled: words.stopped,
  }[status];
  return { ...base, text: `Error: ${error?.message ?? said}`, said: own ?? said };
}
