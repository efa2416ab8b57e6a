/**
 * The first tier of routing: without a model it says whose matter a request is, where that is clear, and leaves all else to
 * the planner (seed-contracts.md P18). It never guesses: what it takes for clear has to be so.
 */
import type { PlanAnswer } from '../../model/model.ts';
import { stemOf } from '../../model/rules/tokens.ts';
import type { Token } from '../../model/rules/tokens.ts';
import { mended, typingTargets } from '../../model/rules/typos.ts';
import type { PlanInput } from '../plan-prompt.ts';
import type { TeamMember } from '../team.ts';
import { baseForms } from './base-forms.ts';
import { readClauses, verbsOf } from './clauses.ts';
import type { Verbs } from './mood.ts';
import { complexityOf } from './complexity.ts';
import { evidenceOf } from './evidence.ts';
import { mistyped } from './everyday.en.ts';
import { everydayWords } from './everyday.ts';
import { judge } from './judge.ts';
import { lists } from './profile-words.ts';
import { profilesOf } from './profile.ts';
import type { Profiles } from './profile.ts';

export interface FirstTierAnswer {
  /** Present: this is the plan, no planner is needed. */
  readonly answer?: PlanAnswer;
  /** 0 to 1: how sure it is of that. */
  readonly confidence: number;
  /** Why it is left to the planner. */
  readonly doubt?: string;
}

/** What it is given: as much of a planner's input as it can judge. */
export type FirstTierInput = Pick<PlanInput, 'request' | 'team'> &
  Partial<Pick<PlanInput, 'pending' | 'event' | 'previous' | 'history'>>;

interface Prepared {
  readonly profiles: Profiles;
  readonly verbs: Verbs;
  readonly mend: (token: Token) => Token;
}

/** By content, for a router's team is put together anew for each request. */
const prepared = new Map<string, Prepared>();
const mostPrepared = 16;

function preparedFor(team: readonly TeamMember[]): Prepared {
  const key = JSON.stringify(team.map(({ nodeId: _nodeId, instructions: _instructions, ...said }) => said));
  let known = prepared.get(key);
  if (!known) {
    const profiles = profilesOf(team);
    known = { profiles, verbs: verbsOf(profiles), mend: menderOf(profiles) };
  }
  prepared.delete(key);
  prepared.set(key, known);
  const [oldest] = prepared.keys();
  if (prepared.size > mostPrepared && oldest !== undefined) prepared.delete(oldest);
  return known;
}

/** Short words have too many neighbours. */
const longEveryday = [...everydayWords].filter((word) => word.length >= 6);

/** Typing errors are mended towards words of the team, where no everyday word is meant. */
function menderOf({ agents }: Profiles): (token: Token) => Token {
  const own = agents.flatMap(({ words, verbs, values }) => [...words.keys(), ...verbs.keys(), ...values.keys()]);
  const typing = typingTargets([...own, ...longEveryday], lists);
  const known = new Set([...typing.known, ...everydayWords]);
  return (token) => {
    const small = Object.hasOwn(mistyped, token.text) ? mistyped[token.text] : undefined;
    if (small !== undefined) return { ...token, text: small, stem: stemOf(small) };
    if (baseForms(token.text).some((form) => known.has(form))) return token;
    const word = mended(token, { ...typing, known });
    return word === undefined ? token : { ...token, text: word, stem: stemOf(word) };
  };
}

/** Where something was said before, they mean it. */
const again = new Set('too also again other others another same else more less one ones back he she him'.split(' '));

const doubtful = (doubt: string): FirstTierAnswer => ({ confidence: 0, doubt });

export function firstTier(input: FirstTierInput, threshold: number): FirstTierAnswer {
  const { request, team } = input;
  if (input.pending) return doubtful('a question is open');
  if (input.event) return doubtful('an event');
  if (input.previous) return doubtful('a plan is changed');
  const { profiles, verbs, mend } = preparedFor(team);
  const { sentence, clauses } = readClauses(request, verbs, mend);
  if (input.history?.length && sentence.tokens.some(({ text }) => again.has(text)))
    return doubtful('it leans on earlier talk');
  const readings = clauses.map((clause) => ({ clause, evidence: evidenceOf(clause, profiles) }));
  const moving = clauses.filter(({ mood }) => mood === 'command' || mood === 'question').length;
  const complexity = complexityOf(sentence.tokens, moving);
  const { answer, confidence, doubt } = judge({ request: sentence, readings, profiles, complexity });
  if (!answer) return doubtful(doubt ?? 'nobody is meant');
  return confidence >= threshold ? { answer, confidence } : { confidence, doubt: 'not sure enough' };
}
