/** A sample team whose router asks a person in between, over a store that outlives its runners. */
import { fakeClock } from '../../engine/clock.ts';
import { createQuestions } from '../../engine/conversation/questions.ts';
import { boardKey } from '../../engine/blackboard/stored-board.ts';
import type { ApprovalOptions } from '../../engine/plan/approvals.ts';
import type { AskStep } from '../../engine/plan/run-ports.ts';
import type { RunRequest } from '../../engine/plan/run-request.ts';
import type { RunnerOptions } from '../../engine/plan/run.ts';
import { createWaitingPlans } from '../../engine/plan/waiting-plans.ts';
import type { ModelCall } from '../../engine/model/call.ts';
import type { PlanAnswer } from '../../engine/model/model.ts';
import type { PlanStep, RunEvent } from '../../engine/moot.ts';
import { createEmbeddedStore } from '../../engine/store/embedded.ts';
import { answerOf, obedient, planner, sampleRunner } from './sample-team.ts';

/** Both wait for nothing: one group. */
export const lightAndLawn = answerOf([
  ['lights', 'turn on the kitchen light'],
  ['lawn-mower', 'mow the front lawn'],
]);
/** The waste is collected where grass was cut: two groups. */
export const lawnThenWaste = answerOf([
  ['lawn-mower', 'mow the front lawn'],
  ['waste-disposer', 'collect the cut grass'],
]);

export interface WaitingHouseOptions extends Partial<RunnerOptions> {
  readonly before?: ApprovalOptions['before'];
  readonly by?: ApprovalOptions['by'];
  /** What is planned for the words. */
  readonly plans?: (request: string) => PlanAnswer;
}

export function waitingHouse(options: WaitingHouseOptions = {}) {
  const { before = 'both', by = 'whole', plans: answer = () => lightAndLawn, ask = obedient, ...change } = options;
  const clock = fakeClock();
  const store = createEmbeddedStore({ path: ':memory:', clock });
  const plans = createWaitingPlans(store, { house: 'h', owner: 'router', clock });
  const asked: PlanStep[] = [];
  const calls: ModelCall[] = [];
  const events: RunEvent[] = [];
  const recorded: AskStep = async (step, context) => (asked.push(step), ask(step, context));
  const planned = planner(answer);
  const begin = (more: Partial<RunnerOptions> = {}) =>
    sampleRunner({
      clock,
      ask: recorded,
      call: (call) => (calls.push(call), planned(call)),
      questions: createQuestions(store, 'h'),
      approvals: {
        before,
        by,
        plans,
        startOver: async (conversation) => void (await store.delete(boardKey(conversation))),
      },
      onEvent: (event) => events.push(event),
      ...change,
      ...more,
    }).runner;
  const runner = begin();
  const send = async (request: Partial<RunRequest> & Pick<RunRequest, 'text'>, by = runner) => {
    const result = await by.start({ conversation: 'c1', user: 'anna', topic: 't', ...request });
    if (!result) throw new Error('no result');
    return result;
  };
  return {
    ...{ clock, store, plans, asked, calls, events, runner, begin, send },
    say: (text: string, more: Partial<RunRequest> = {}) => send({ text, ...more }),
  };
}
