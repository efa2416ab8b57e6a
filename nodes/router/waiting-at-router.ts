/** Plans that wait for a person at a router: where they are kept, which one a wire's answer is for, and its status. */
import { publishChanges } from '../../engine/blackboard/board-changes.ts';
import { operate } from '../../engine/blackboard/operations.ts';
import type { Timer } from '../../engine/clock.ts';
import { folkmootError } from '../../engine/errors.ts';
import { newId } from '../../engine/ids.ts';
import type { PersonAnswer } from '../../engine/moot.ts';
import type { ApprovalOptions } from '../../engine/plan/approvals.ts';
import { answeredBy } from '../../engine/plan/take-waiting.ts';
import type { RunRequest } from '../../engine/plan/run-request.ts';
import { createWaitingPlans, type WaitingPlans } from '../../engine/plan/waiting-plans.ts';
import { storeUp } from '../../engine/store/store-up.ts';
import type { Backbone } from '../backbone/lease.ts';
import { languageInUse } from '../language/language-in-use.ts';
import type { NodeKit } from '../shared/define-node.ts';
import { mootOf, plainMessage } from '../shared/message.ts';
import { processClock, runFeed } from '../shared/process.ts';
import type { RedMessage } from '../shared/red.ts';
import type { StartedRequest } from '../shared/run-message.ts';
import type { routerFields } from './router.fields.ts';

type RouterKit = NodeKit<typeof routerFields>;

export const waitingAt = (kit: RouterKit, { store, house }: Backbone): WaitingPlans =>
  createWaitingPlans(store, { house, owner: kit.id, clock: processClock });

export const approvalsOf = (kit: RouterKit, backbone: Backbone): ApprovalOptions => ({
  before: kit.config.approve,
  by: kit.config.approveBy,
  withinMs: kit.config.approvalMinutes * 60_000,
  plans: waitingAt(kit, backbone),
  async startOver(conversation) {
    const { changes } = await operate(backbone.store, {
      ...{ operation: 'clear', conversation, moot: { v: 1 }, payload: '', accepts: [] },
      language: languageInUse(kit.RED, kit.config.language),
    });
    publishChanges(backbone.bus, changes).catch((error: unknown) => {
      if (!kit.signal.aborted) kit.error(error);
    });
  },
});

const decisions: readonly unknown[] = [
  'approve',
  'refine',
  'restart',
  'deny',
  'cancel',
] satisfies PersonAnswer['decision'][];

/**
 * A message with `moot.answer` as the run that carries it out. It belongs to whom was asked, whoever answers; without a
 * waiting plan the run says so. Throws FOLKMOOT_BAD_INPUT for an answer that decides nothing.
 */
export async function answerOf(kit: RouterKit, message: RedMessage, backbone: Backbone): Promise<StartedRequest> {
  const { answer: given, run, conversation, user, request } = mootOf(message);
  if (!given || typeof given !== 'object' || !decisions.includes(given.decision))
    throw folkmootError('FOLKMOOT_BAD_INPUT', `moot.answer.decision must be one of ${decisions.join(', ')}.`);
  checkPlan(given);
  const named = given.run ?? run;
  const plans = waitingAt(kit, backbone);
  const waiting = await answeredBy(plans, named ? { run: named } : {}, conversation ? { conversation } : {});
  const { text: _, run: __, parent: ___, ...asked }: RunRequest = waiting?.request ?? { text: '' };
  const text = typeof given.text === 'string' ? given.text : '';
  const name = waiting?.run ?? named;
  return {
    ...(user ? { user } : {}),
    ...asked,
    ...(request ? { request } : {}),
    run: newId(),
    text,
    conversation: asked.conversation ?? conversation ?? newId(),
    answer: { ...given, text, ...(name ? { run: name } : {}) },
    carry: plainMessage(message).message,
  };
}

function checkPlan({ plan }: PersonAnswer): void {
  const isStep = (step: unknown) =>
    typeof step === 'object' &&
    step !== null &&
    ['id', 'agent', 'prompt'].every((name) => typeof (step as Record<string, unknown>)[name] === 'string') &&
    Array.isArray((step as Record<string, unknown>)['after']);
  if (plan === undefined || (Array.isArray(plan.steps) && plan.steps.every(isStep))) return;
  throw folkmootError(
    'FOLKMOOT_BAD_INPUT',
    'moot.answer.plan must have steps, each with id, agent, prompt and a list after.',
  );
}

/** Shows that something waits, as long as it does; also after a restart. */
export function showWaiting(kit: RouterKit, backbone: Promise<Backbone>): void {
  let timer: Timer | undefined;
  async function look(isOver: boolean): Promise<void> {
    const made = await backbone;
    if (!(await storeUp(made.store, kit.signal))) return;
    const waiting = await waitingAt(kit, made).all();
    if (kit.signal.aborted) return;
    const ends = waiting.map(({ until }) => until).filter((until) => until >= processClock.now());
    processClock.clearTimer(timer);
    timer = undefined;
    if (ends.length > 0) {
      kit.status('approval');
      timer = processClock.setTimer(() => refresh(true), Math.min(...ends) - processClock.now() + 1);
    } else if (isOver) kit.status('idle');
  }
  const refresh = (isOver = false) =>
    void look(isOver).catch((error: unknown) => {
      if (!kit.signal.aborted) kit.error(error);
    });
  const stop = runFeed.onEnded(({ owner, result }) => {
    if (owner === kit.id && (timer || result?.waits)) refresh();
  });
  const stopListening = runFeed.onDecided(({ run, decision }) => {
    void backbone
      .then((made) => waitingAt(kit, made).byRun(run))
      .then((waiting) => {
        // As if it came over a wire, so that its result leaves as any other does.
        if (waiting && !kit.signal.aborted)
          kit.node.receive({ payload: '', moot: { v: 1, answer: { run, decision } } });
      })
      .catch((error: unknown) => kit.error(error));
  });
  kit.signal.addEventListener('abort', () => {
    processClock.clearTimer(timer);
    stop();
    stopListening();
  });
  refresh();
}
