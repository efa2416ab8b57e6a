/** What needs nobody: a greeting, thanks, or a matter of everyday life that nobody of the team is there for. */
import { planWithRules } from '../../model/rules/plan.ts';
import type { Sentence } from '../../model/rules/tokens.ts';
import { baseForms } from './base-forms.ts';
import { meaningsOf } from './everyday.ts';
import type { Judged } from './judge.ts';
import type { Profiles } from './profile.ts';
import type { Reading } from './reading.ts';
import { smallTalk } from './talk.en.ts';

/** Matters of a kind of their own: who talks about them talks about nothing else. */
const apart = new Set(
  `music television weather phone email alarm traffic money news joke health travel school food cooking laundry
  vacuum geography sport`.split(/\s+/),
);

/** Who is described with one of these may be there for anything. */
const vague =
  /\b(?:any|anything|everything|general|assistant|questions?|chat|talks?|talking|conversation|whatever|else|web|internet)\b/i;

/** Nothing but politeness and small talk, and nobody who is there for that. */
export function greeted({ source }: Sentence, readings: readonly Reading[], { agents }: Profiles): Judged | undefined {
  if (agents.some(({ member }) => member.fallback)) return undefined;
  const said = (message: string): Judged => ({ confidence: 0.95, answer: { message, steps: [] } });
  if (readings.length === 0) {
    const {
      message,
      steps,
      declined: isNone,
    } = planWithRules({
      ...{ task: 'plan', request: source },
      ...{ agents: [], functions: [], board: [] },
    });
    return steps.length || isNone ? undefined : said(message);
  }
  const replies = readings.map(({ clause }) => {
    const words = clause.tokens.map(({ text }) => text).join(' ');
    return smallTalk.find(([form]) => form.test(words))?.[1];
  });
  const [reply] = replies;
  return reply !== undefined && replies.every((one) => one !== undefined) ? said(reply) : undefined;
}

/** One order or question about a matter of a kind of its own, and nothing in it that anybody is there for. */
export function declined(readings: readonly Reading[], { agents }: Profiles): Judged | undefined {
  const [reading, ...more] = readings;
  if (!reading || more.length || reading.clause.mood === 'statement') return undefined;
  const isVague = agents.some(
    ({ member }) => member.fallback || vague.test([member.description, ...member.topics].join(' ')),
  );
  const { clause, evidence } = reading;
  if (isVague || evidence.byAgent.some(({ things, verb }) => things + verb >= 0.7)) return undefined;
  const foreign = evidence.foreign.flatMap((at) =>
    baseForms(clause.tokens[at]?.text ?? '')
      .flatMap(meaningsOf)
      .filter(({ name }) => apart.has(name)),
  );
  const isElse = foreign.length > 1 || (foreign.length === 1 && clause.mood !== 'fragment');
  return isElse ? { confidence: 0.7, answer: { message: '', steps: [], declined: true } } : undefined;
}
