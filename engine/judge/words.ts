/** What people are told of a debate, in plain words. */
import { limits } from '../limits.ts';
import type { Statement, Verdict } from '../moot.ts';
import { sentences } from '../plan/rest.ts';
import type { Debater, Missing } from './debate-state.ts';

/** A sentence with a full stop. */
const closed = (text: string): string => (/[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);

export const nameOf = (debaters: readonly Debater[], agentId: string): string =>
  debaters.find((one) => one.agentId === agentId)?.name ?? agentId;

/** The decision, why, and who was against it or silent, a line each. */
export const decidedText = (verdict: Verdict, debaters: readonly Debater[]): string =>
  sentences([[verdict.decision, ...verdict.reasons].map(closed).join(' '), ...against(verdict, debaters)]);

/** The same without the decision, for those who are told what was done. */
export const restOfVerdict = (verdict: Verdict, debaters: readonly Debater[]): string =>
  sentences([verdict.reasons.map(closed).join(' '), ...against(verdict, debaters)]);

function against({ dissent }: Verdict, debaters: readonly Debater[]): readonly string[] {
  const others = dissent.map(({ agent, reason }) => `${nameOf(debaters, agent)}: ${closed(reason)}`);
  return others.length ? ['Not of that mind:', ...others] : [];
}

/** That nothing is done, and what each wanted. */
export const undecidedText = (
  statements: readonly Statement[],
  missing: readonly Missing[],
  debaters: readonly Debater[],
): string =>
  sentences([
    texts.undecided,
    ...statements.map(({ agent, claim }) => `${nameOf(debaters, agent)}: ${closed(claim)}`),
    ...missing.map(({ agent, reason }) => `${nameOf(debaters, agent)} said nothing: ${closed(reason)}`),
  ]);

export const texts = {
  undecided: 'There is no decision, so nothing is done.',
  tie: 'A tie: nothing has more for it than all else.',
  openQuestion: 'The judge finds that nothing was convincing.',
  nobodySpoke: 'Nobody had anything to say, so nothing is decided.',
  tooFew: 'It takes at least two to discuss that, and they are not here yet.',
  tooMany: (count: number) => `These are ${count} who would discuss that; ${limits.debaters} are the most.`,
  tooLong: `That was too long for me: more than ${limits.requestChars} characters. Please say it in fewer words.`,
  noJudgement: 'The decision could not be worked out.',
  timeout: 'There was no decision in time.',
  cancelled: 'It was stopped.',
  overlap: 'I am busy with something else. Please ask again in a moment.',
  tooDeep: 'That led in a circle, so I stopped.',
  failed: 'Something went wrong, so nothing is decided.',
} as const;
