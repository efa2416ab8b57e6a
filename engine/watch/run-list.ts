/** The last runs of this process as somebody watches them. In memory only, and each text of it is cut. */
import type { Clock } from '../clock.ts';
import { newId, partsOfAskId } from '../ids.ts';
import { limits } from '../limits.ts';
import type { AnswerStatus, AskInfo, Outcome, ReportLine, RunEvent } from '../moot.ts';
import type { RunRequest } from '../plan/run-request.ts';
import { commandsOf, endedLook, openedLook, plannedSteps, short, withStep, type Ending } from './look-of.ts';
import type { CallLook, RunChanges, RunLook, StepLook } from './run-look.ts';

export interface RunListOptions {
  readonly clock: Clock;
  /** The id by which the editor knows a node. Default: its own. */
  readonly nodeOf?: (id: string) => string;
  /** Called after each change. */
  readonly onChange?: () => void;
}

export interface OpenedRun {
  readonly run: string;
  /** Node id. */
  readonly owner: string;
  readonly request?: RunRequest;
}

export interface RunList {
  /** It waits for its turn. One that is known already goes on after a restart of its node. */
  opened(run: OpenedRun): void;
  happened(event: RunEvent): void;
  /** Somebody is asked within a run: an agent, a tool, a memory. */
  asked(ask: AskInfo): void;
  answered(id: string, status: AnswerStatus): void;
  ended(run: string, outcome: Outcome, ending?: Ending): void;
  /** Its commands were carried out. */
  reported(run: string, text: unknown, lines: readonly ReportLine[]): void;
  /** What changed after a revision of this epoch; of another epoch, or without one, everything. */
  since(revision?: number, epoch?: string): RunChanges;
}

/** Keeps the newest `limits.watchedRuns`. */
export function createRunList({ clock, nodeOf = (id) => id, onChange }: RunListOptions): RunList {
  const epoch = newId();
  const runs = new Map<string, { readonly look: RunLook; readonly revision: number }>();
  let revision = 0;

  function put(look: RunLook): void {
    revision += 1;
    runs.set(look.run, { look, revision });
    for (const oldest of runs.keys()) {
      if (runs.size <= limits.watchedRuns) break;
      runs.delete(oldest);
    }
    onChange?.();
  }

  function change(run: string, to: (look: RunLook) => RunLook): void {
    const found = runs.get(run);
    if (found) put(to(found.look));
  }

  return {
    opened({ run, owner, request }) {
      const known = runs.get(run);
      if (known) put({ ...known.look, state: 'waiting' });
      else put(openedLook({ run, owner: nodeOf(owner), startedAt: clock.now() }, request));
    },
    happened: (event) => change(event.run, (look) => after(look, event)),
    asked(ask) {
      const { run, step } = placeOf(ask.id);
      const node = nodeOf(ask.to);
      change(run, (look) => (isStep(ask) ? withStep(look, step, { node }) : withCall(look, step, callOf(ask, node))));
    },
    answered(id, status) {
      const { run, step } = placeOf(id);
      const call = runs
        .get(run)
        ?.look.steps.find((one) => one.id === step)
        ?.calls?.find((one) => one.id === id);
      if (call) change(run, (look) => withCall(look, step, { ...call, state: status }));
    },
    ended(run, outcome, ending) {
      change(run, (look) => endedLook(look, clock.now(), outcome, ending));
      const parent = ending?.request?.parent;
      // What was said leaves that one waiting, or is its answer.
      const waitsOn = outcome === 'asked' && runs.get(run)?.look.waits === undefined;
      if (parent !== undefined && !waitsOn) change(parent, answeredLook);
    },
    reported: (run, text, lines) =>
      change(run, (look) => ({
        ...look,
        commands: commandsOf(look.commands, lines),
        ...(typeof text === 'string' && text !== look.answer ? { report: short(text, limits.watchedReplyChars) } : {}),
      })),
    since(from = 0, of = epoch) {
      const changed = [...runs.values()].filter((one) => of !== epoch || one.revision > from);
      return { epoch, revision, now: clock.now(), runs: changed.map(({ look }) => look) };
    },
  };
}

/** Asked anew on purpose, a step is still the same one. */
function placeOf(id: string): { run: string; step: string } {
  const { run, step } = partsOfAskId(id);
  return { run, step: step.replace(/~\d+$/, '') };
}

const isStep = ({ kind }: AskInfo): boolean => kind === 'step' || kind === 'debate';

const callOf = ({ id, kind, name }: AskInfo, node: string): CallLook => ({
  id,
  node,
  kind,
  ...(name ? { name: short(name, 64) } : {}),
  state: 'running',
});

function withCall(look: RunLook, step: string, call: CallLook): RunLook {
  const calls = look.steps.find(({ id }) => id === step)?.calls ?? [];
  const isKnown = calls.some(({ id }) => id === call.id);
  if (!isKnown && calls.length >= limits.watchedCalls) return look;
  return withStep(look, step, {
    calls: isKnown ? calls.map((one) => (one.id === call.id ? call : one)) : [...calls, call],
  });
}

function after(look: RunLook, event: RunEvent): RunLook {
  const data = (event.data ?? {}) as Readonly<Record<string, unknown>>;
  switch (event.kind) {
    case 'started':
      return { ...look, state: 'running', ...(data['resumed'] === true ? { resumed: true } : {}) };
    case 'plan':
      return {
        ...look,
        steps: plannedSteps(data['steps'], look.steps),
        ...(data['routedBy'] === 'first tier' ? { byFirstTier: true } : {}),
        ...waitsOf(data),
      };
    case 'step':
      return event.step ? withStep(look, event.step, stepChange(event, data)) : look;
    case 'approval':
      return { ...look, ...waitsOf(data) };
    case 'text':
    case 'ended':
      // The end is told with more by who delivers the result.
      return look;
  }
}

/** What it waited for goes on in the run that answers it. */
const answeredLook = ({ waits: _, ...look }: RunLook): RunLook => ({
  ...look,
  steps: look.steps.filter(({ state }) => state !== 'waiting'),
});

/** `until` is there when a person is asked. */
function waitsOf({ until }: Readonly<Record<string, unknown>>): Pick<RunLook, 'waits'> {
  const at = typeof until === 'string' ? Date.parse(until) : NaN;
  return Number.isFinite(at) ? { waits: { until: at } } : {};
}

function stepChange(event: RunEvent, data: Readonly<Record<string, unknown>>): Partial<StepLook> {
  const at = Date.parse(event.at);
  const state = data['state'] as StepLook['state'];
  const { prompt, text } = data;
  return {
    state,
    ...(event.agent ? { agent: event.agent } : {}),
    ...(typeof prompt === 'string' ? { prompt: short(prompt) } : {}),
    ...(typeof text === 'string' ? { text: short(text) } : {}),
    ...(state === 'running' ? { startedAt: at } : { endedAt: at }),
  };
}
