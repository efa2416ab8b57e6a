/** What needs nobody: a greeting, thanks, or a matter of everyday life that nobody of the team is there for. */
import { planWithRules } from '../../model/rules/plan.ts';
import type { Sentence } from '../../model/rules/tokens.ts';
import { meaningsOf } from './everyday.ts';
import type { Judged } from './judge.ts';
import type { Profiles } from './profile.ts';
import type { Reading } from './reading.ts';
import { isOtherVerb } from './evidence.ts';

/** Matters of a kind of their own: who talks about them talks about nothing else. */
const apart = new Set(
  `music television weather shopping calendar phone email alarm traffic money news joke health travel school food
  cooking laundry vacuum`.split(/\s+/),
);

/** Who is described with one of these may be there for anything. */
const vague =
  /\b(?:any|anything|everything|general|assistant|questions?|chat|talks?|talking|conversation|whatever|else|web|internet)\b/i;

export function talkOf({ source }: Sentence, readings: readonly Reading[], { agents }: Profiles): Judged | undefined {
  if (readings.length === 0) {
    const { message, steps, declined } = planWithRules({
      task: 'plan',
      request: source,
      agents: [],
      functions: [],
      board: [],
    });
    return steps.length || declined ? undefined : { confidence: 0.95, answer: { message, steps: [] } };
  }
  const isVague = agents.some(
    ({ member }) => member.fallback || vague.test([member.description, ...member.topics].join(' ')),
  );
  if (isVague || readings.length > 1) return undefined;
  const [reading] = readings;
  if (!reading || reading.clause.mood === 'statement') return undefined;
  const { clause, evidence } = reading;
  const isOwn = evidence.byAgent.some(({ things, verb }) => things + verb >= 0.7);
  const foreign = evidence.foreign
    .flatMap((at) => meaningsOf(clause.tokens[at]?.stem ?? ''))
    .filter(({ name }) => apart.has(name));
  const isElse =
    foreign.length > 1 || (foreign.length === 1 && (clause.mood === 'question' || isOtherVerb(clause.tokens[0])));
  if (isOwn || !isElse) return undefined;
  return { confidence: 0.7, answer: { message: '', steps: [], declined: true } };
}
