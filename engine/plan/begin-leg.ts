/** What a run goes on with when it answers a waiting plan: the change of its state that `classify` gives. */
import type { Decision } from '../language/decision.ts';
import type { Plan, PlanStep } from '../moot.ts';
import { stagesOf } from '../router/dependencies.ts';
import { planOf } from '../router/plan.ts';
import type { PlanResult } from '../router/plan.ts';
import { outside } from './outside.ts';
import { asksNothing, emptyPlan } from './plan-state.ts';
import type { Asks, PlanState } from './plan-state.ts';
import type { Approvals, RunPorts } from './run-ports.ts';
import { sentences } from './rest.ts';
import type { RunRequest } from './run-request.ts';
import type { Taken } from './take-waiting.ts';
import { texts } from './text.ts';
import type { Leg, WaitingPlan } from './waiting-plan.ts';

type Change = Partial<PlanState>;

interface Begun {
  readonly request: RunRequest;
  readonly waiting: WaitingPlan;
  readonly decision: Decision;
  readonly asks: Asks;
  readonly leg: Leg;
}

/** When a person is asked in a run that begins with a request. */
export const asksOf = (approvals: Approvals | undefined): Asks =>
  approvals
    ? {
        plan: approvals.before === 'plan' || approvals.before === 'both',
        commands: approvals.before === 'commands' || approvals.before === 'both',
        byGroup: approvals.by === 'group',
      }
    : asksNothing;

/** Steps without an answer, and those whose commands were not approved. */
const openSteps = ({ plan, mutations }: WaitingPlan): readonly PlanStep[] => {
  const held = new Set(mutations.map(({ step }) => step));
  return plan.steps.filter(({ id, state }) => state === 'waiting' || held.has(id));
};

export async function beginLeg(request: RunRequest, taken: Taken, ports: RunPorts): Promise<Change> {
  if ('refused' in taken) return { ending: { outcome: 'refused', payload: taken.refused } };
  const { waiting, decision } = taken;
  const { event, mutations, data, tainted } = waiting.request;
  const goesOn: RunRequest = {
    ...(event ? { event } : {}),
    ...(mutations ? { mutations } : {}),
    ...(data === undefined ? {} : { data }),
    ...request,
    ...(tainted ? { tainted } : {}),
    parent: waiting.run,
  };
  const { run, text, legs, question } = waiting;
  const leg: Leg = {
    waiting: { run, request: waiting.request, text, legs, ...(question ? { question } : {}) },
    board: waiting.done,
    approved: [],
    said: request.text,
  };
  const begun: Begun = { request: goesOn, waiting, decision, asks: asksOf(ports.approvals), leg };
  switch (decision.decision) {
    case 'approve':
      return decision.plan ? withPlan(begun, decision.plan, ports, true) : approved(begun, ports);
    case 'refine':
      return decision.plan ? withPlan(begun, decision.plan, ports, false) : refined(begun);
    case 'restart':
      return restarted(begun, request, ports);
    case 'deny':
    case 'cancel':
      return denied(begun);
  }
}

function approved({ request, waiting, decision, asks, leg }: Begun, ports: RunPorts): Change {
  const { plan, questions, stage } = waiting;
  ports.emit('plan', plan);
  const commands = asks.commands || waiting.commands || decision.asksAgain === true;
  if (stage === 'plan') return { request, leg, plan, questions, asks: { ...asks, plan: false, commands } };
  // The ids stay, so that the effect ledger knows them; they belong to the run that brings them.
  const now = waiting.mutations.map((mutation) => ({ ...mutation, run: request.run ?? waiting.run }));
  const { byGroup } = waiting;
  return { request, leg: { ...leg, approved: now }, plan, questions, asks: { plan: false, commands, byGroup } };
}

/** The answer's own plan in the place of the one that waits. */
async function withPlan(begun: Begun, given: Plan, ports: RunPorts, isApproved: boolean): Promise<Change> {
  const { request, waiting, asks, leg } = begun;
  const team = await outside(() => ports.team());
  // People write steps in any order; who waits has to stand behind whom it waits for.
  const order = stagesOf(given.steps).flat();
  const inOrder = [...given.steps].sort((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
  const ids = inOrder.map(({ id }) => id);
  const steps = inOrder.map(({ agent, prompt, parameters, after }) => ({
    ...{ agent, prompt, parameters },
    after: after.map((id) => ids.indexOf(id)).filter((at) => at >= 0),
  }));
  const { plan, tooMany } = planOf({ message: '', steps }, team);
  if (tooMany !== undefined) return refusedPlan(begun, texts.tooMany(tooMany));
  if (plan.steps.length === 0) return denied(begun);
  const commands = asks.commands || waiting.commands || begun.decision.asksAgain === true;
  return { request, leg, plan, asks: { ...asks, plan: !isApproved && (asks.plan || !commands), commands } };
}

/** How a run ends after which something waits and nothing was done. */
export const waitsFor = { outcome: 'asked', reason: 'approval' } as const;

/** What was said about a waiting plan makes no other one: it is answered, and the plan waits on, or is no longer wanted. */
export function waitsOn(leg: Leg, { plan: made, usage, questions, declined, closesQuestion }: PlanResult): Change {
  const said = made.message || (declined ? texts.declined : '');
  if (closesQuestion && questions.length === 0)
    return { usage, leg, ending: { outcome: 'done', reason: 'denied', payload: said || texts.saidNo } };
  const [question = leg.waiting.question] = questions;
  const waiting = { ...leg.waiting, ...(question ? { question } : {}) };
  const payload = sentences([said, ...(made.questions ?? []), waiting.text]);
  return { usage, leg: { ...leg, waiting, keeps: true }, ending: { ...waitsFor, payload } };
}

const refusedPlan = ({ request, leg }: Begun, payload: string): Change => ({
  request,
  leg: { ...leg, keeps: true },
  ending: { outcome: 'refused', payload },
});

function refined({ request, waiting, decision, asks, leg }: Begun): Change {
  const { text = '' } = decision;
  if (!text)
    return {
      request,
      leg: { ...leg, keeps: true },
      ending: { ...waitsFor, payload: texts.whatElse },
    };
  const previousPlan: Plan = { message: waiting.plan.message, steps: openSteps(waiting) };
  const { commands } = waiting;
  return {
    request: { ...request, text, previousPlan },
    leg,
    pending: waiting.question ?? null,
    plan: emptyPlan,
    // Whoever changes something sees what comes of it, whatever was set meanwhile.
    asks: { ...asks, commands: asks.commands || commands, plan: asks.plan || !(asks.commands || commands) },
  };
}

/** Data that came with the request is forgotten too. */
async function restarted({ decision, asks, leg }: Begun, request: RunRequest, ports: RunPorts): Promise<Change> {
  const { conversation } = request;
  if (conversation !== undefined) await outside(() => ports.approvals?.startOver(conversation));
  const anew: Change = { request: { ...request, parent: leg.waiting.run }, leg: { ...leg, board: [] }, asks };
  return decision.text
    ? { ...anew, request: { ...request, parent: leg.waiting.run, text: decision.text } }
    : { ...anew, ending: { outcome: 'done', payload: texts.startedOver } };
}

function denied({ request, waiting, leg }: Begun): Change {
  const open = new Set(openSteps(waiting).map(({ id }) => id));
  const steps = waiting.plan.steps.map((one) => {
    const { text: _, rest: __, ...bare } = one;
    return open.has(one.id) ? { ...bare, state: 'cancelled' as const } : one;
  });
  return {
    request,
    leg,
    plan: { message: '', steps },
    ending: {
      outcome: 'done',
      reason: 'denied',
      payload: waiting.done.length > 0 ? texts.saidNoMore : texts.saidNo,
    },
  };
}
