/** Which waiting plan a message answers, and what it decides; two persons are told apart (contracts.md 3). */
import { decisionOf, decisionOfAnswer } from '../language/decision.ts';
import type { Decision } from '../language/decision.ts';
import { limits } from '../limits.ts';
import type { PersonAnswer } from '../moot.ts';
import type { RunRequest } from './run-request.ts';
import { texts } from './text.ts';
import type { WaitingPlan } from './waiting-plan.ts';
import type { WaitingPlans } from './waiting-plans.ts';

export type Taken =
  | { readonly waiting: WaitingPlan; readonly decision: Decision }
  /** For people: it can't be an answer, and it is none of anything else. */
  | { readonly refused: string };

export interface TakeOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether a run goes on. */
  readonly isOpen: (run: string) => Promise<boolean>;
}

/**
 * An answer of a wire goes to the plan of its run, else to the only one of its conversation, or without one, of this router. Words count for whom was asked: any in the same conversation, plain decisions elsewhere too, if exactly one plan
 * of that user on that topic waits. The run claims what it gets.
 * @returns Nothing: it is a request like any other.
 */
export async function takeWaiting(
  plans: WaitingPlans,
  request: RunRequest & { readonly run: string },
  { now, isOpen }: TakeOptions,
): Promise<Taken | undefined> {
  const { answer, event } = request;
  if (event && !answer) return undefined;
  const said = answer ? decisionOfAnswer(answer) : decisionOf(request.text);
  const found = answer ? await answeredBy(plans, answer, request) : await meantBy(plans, request, said !== undefined);
  if (found === 'other') return said ? { refused: texts.askedOther } : undefined;
  if (!found) return answer ? { refused: texts.nothingWaits } : undefined;
  if (now > found.until) {
    await plans.close(found);
    return said ? { refused: texts.answeredLate } : undefined;
  }
  if (!(await plans.claim(found, request.run, isOpen))) return said ? { refused: texts.nothingWaits } : undefined;
  if (found.legs < limits.planLegs)
    return { waiting: found, decision: said ?? { decision: 'refine', text: request.text } };
  await plans.close(found);
  return { refused: texts.changedTooOften };
}

/** The plan that a wire's answer is for. */
export async function answeredBy(
  plans: WaitingPlans,
  { run }: Pick<PersonAnswer, 'run'>,
  { conversation }: Pick<RunRequest, 'conversation'>,
): Promise<WaitingPlan | undefined> {
  if (run !== undefined) return plans.byRun(run);
  return only(await (conversation === undefined ? plans.all() : plans.inConversation(conversation)));
}

/** `other`: only somebody else was asked here. */
async function meantBy(
  plans: WaitingPlans,
  { conversation, user, topic }: RunRequest,
  isPlain: boolean,
): Promise<WaitingPlan | 'other' | undefined> {
  const here = conversation === undefined ? [] : await plans.inConversation(conversation);
  const isAsked = ({ request }: WaitingPlan) => !user || !request.user || request.user === user;
  const own = here.find(({ request }) => request.user === user) ?? only(here.filter(isAsked));
  if (own) return own;
  if (here.length > 0) return 'other';
  if (!isPlain || (!user && !topic)) return undefined;
  return only((await plans.all()).filter(({ request }) => request.user === user && request.topic === topic));
}

const only = <T>(list: readonly T[]): T | undefined => (list.length === 1 ? list[0] : undefined);
