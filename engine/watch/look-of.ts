/** From a request, a plan and a result to what is seen of them: cut, counted, and only what is named here. */
import { limits } from '../limits.ts';
import type { EventRecord, Mutation, Outcome, Plan, ReportLine, Scalar, Value } from '../moot.ts';
import type { RunRequest } from '../plan/run-request.ts';
import type { CommandLook, EventLook, RunLook, StepLook } from './run-look.ts';

/** What a run ended with, as far as it is seen. */
export interface Ending {
  readonly reason?: string;
  readonly payload?: string;
  readonly plan?: Plan;
  readonly mutations?: readonly Mutation[];
  readonly error?: { readonly code: string; readonly message: string };
  /** `parent`: the run whose question it answered. */
  readonly request?: Pick<RunRequest, 'parent'>;
}

export const short = (text: string, chars: number = limits.watchedTextChars): string =>
  text.length > chars ? `${text.slice(0, chars - 1)}…` : text;

export function openedLook(
  begun: Pick<RunLook, 'run' | 'owner' | 'startedAt'>,
  request: RunRequest | undefined,
): RunLook {
  const { user, event, answer } = request ?? {};
  return {
    ...begun,
    state: 'waiting',
    text: short(request?.text ?? ''),
    ...(user ? { user: short(user, 100) } : {}),
    ...(answer && !request?.text ? { decision: answer.decision } : {}),
    ...(request?.request ? { via: request.request.via } : {}),
    ...(event?.length ? { events: event.slice(0, limits.watchedEvents).map(eventOf) } : {}),
    steps: [],
    commands: [],
  };
}

function eventOf({ source, kind, value, unit }: EventRecord): EventLook {
  const words = typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value);
  return { source: short(source, 100), kind: short(kind, 100), value: short(unit ? `${words} ${unit}` : words, 100) };
}

/** A step that nobody planned (of a debate, or planned before a restart) is added. */
export function withStep(look: RunLook, id: string, change: Partial<StepLook>): RunLook {
  const isKnown = look.steps.some((step) => step.id === id);
  if (!isKnown && look.steps.length >= limits.watchedSteps) return look;
  const added: readonly StepLook[] = isKnown
    ? look.steps
    : [...look.steps, { id, agent: change.agent ?? '', state: 'running' }];
  return { ...look, steps: added.map((step) => (step.id === id ? { ...step, ...change } : step)) };
}

/** @param plan Its steps, as they came. @param known What is already known of them. */
export function plannedSteps(plan: unknown, known: readonly StepLook[]): readonly StepLook[] {
  const steps = Array.isArray(plan) ? (plan as Plan['steps']).slice(0, limits.watchedSteps) : [];
  const planned = steps.map((step): StepLook => {
    const before = known.find(({ id }) => id === step.id);
    return {
      ...before,
      id: step.id,
      agent: step.agent,
      prompt: short(step.prompt),
      state: step.state,
      ...(step.text ? { text: short(step.text) } : {}),
      ...(step.asked ? { asked: true } : {}),
    };
  });
  return [...planned, ...known.filter(({ id }) => !planned.some((step) => step.id === id))];
}

export function endedLook(look: RunLook, endedAt: number, outcome: Outcome, ending: Ending = {}): RunLook {
  const { plan, payload, mutations = [], error } = ending;
  const reason = ending.reason ?? (error ? `${error.code}: ${error.message}` : undefined);
  const steps = plan ? plannedSteps(plan.steps, look.steps) : look.steps;
  return {
    ...look,
    state: outcome,
    endedAt,
    // What waits for a person may still be done.
    steps: look.waits ? steps : steps.map((step) => (isOpen(step) ? { ...step, state: 'cancelled' } : step)),
    commands: mutations.slice(0, limits.watchedCommands).map(commandOf),
    ...(reason ? { reason: short(reason) } : {}),
    ...(payload ? { answer: short(payload, limits.watchedReplyChars) } : {}),
  };
}

const isOpen = ({ state }: StepLook): boolean => state === 'waiting' || state === 'running';

function commandOf({ id, function: name, parameters, agent }: Mutation): CommandLook {
  const values = Object.entries(parameters).slice(0, limits.functionParameters);
  const cut = (value: Value): Scalar => {
    const plain = typeof value === 'object' ? JSON.stringify(value) : value;
    return typeof plain === 'string' ? short(plain, 100) : plain;
  };
  return {
    id,
    function: short(name, 100),
    parameters: Object.fromEntries(values.map(([key, value]) => [short(key, 64), cut(value)])),
    ...(agent ? { agent } : {}),
  };
}

/** With what became of them. */
export function commandsOf(commands: readonly CommandLook[], lines: readonly ReportLine[]): readonly CommandLook[] {
  const byId = new Map(lines.map((line) => [line.id, line]));
  return commands.map((command) => {
    const line = byId.get(command.id);
    if (!line) return command;
    return { ...command, state: line.state, ...(line.reason ? { reason: short(line.reason) } : {}) };
  });
}
