/** What speaks for each agent in a clause, and which of its words nothing explains. */
import type { Token } from '../../model/rules/tokens.ts';
import { baseForms } from './base-forms.ts';
import type { Clause } from './clauses.ts';
import { isContent, isOnlyVerb, placeOf } from './place.ts';
import { otherVerbs, toldOnly } from './everyday.en.ts';
import { keyOf, longestPhrase, meaningsOf } from './everyday.ts';
import { isLoose, lists, particles } from './profile-words.ts';
import type { Profile, Profiles } from './profile.ts';
import { unitAt } from './unit-at.ts';

/** What a word is to an agent: what it does, what it is for, or a value of its functions. */
export type Sort = 'verb' | 'thing' | 'value';

export interface Evidence {
  readonly agentId: string;
  readonly verb: number;
  readonly things: number;
  readonly values: number;
  /** Places of the clause that it explains, and how. */
  readonly explained: ReadonlyMap<number, Sort>;
}

export interface ClauseEvidence {
  readonly byAgent: readonly Evidence[];
  /** Places of words that say something. */
  readonly content: readonly number[];
  /** Those that nobody in the team explains. */
  readonly strange: readonly number[];
  /** Those of them that everyday words know: they are about something else. */
  readonly foreign: readonly number[];
}

interface Key {
  readonly key: string;
  readonly length: number;
}

/** Keys of the words from `at` on, longest first. */
function keysAt(tokens: readonly Token[], at: number): Key[] {
  const found: Key[] = [];
  const first = tokens[at];
  if (!first) return found;
  const heads = [...new Set([first.stem, ...baseForms(first.text)])];
  for (let length = Math.min(longestPhrase, tokens.length - at); length > 1; length -= 1) {
    const rest = tokens.slice(at + 1, at + length);
    const last = rest.at(-1);
    if (!last || rest.some(({ before }) => before)) continue;
    const middle = rest.slice(0, -1).map(({ stem }) => stem);
    for (const end of new Set([last.stem, ...baseForms(last.text)]))
      for (const head of heads) found.push({ key: [head, ...middle, end].join(' '), length });
  }
  return [...found, ...heads.map((key) => ({ key, length: 1 }))];
}

/** "clear that away", "let the kids know": a verb and its particle with something between them. */
function apartAt(tokens: readonly Token[], at: number): string[] {
  const first = tokens[at];
  if (!first) return [];
  const near = tokens.slice(at + 2, at + 7).filter(({ text }) => particles.has(text));
  return near.flatMap(({ text }) =>
    [...new Set([first.stem, ...baseForms(first.text)])].map((head) => `${head} ${text}`),
  );
}

/** Words in the longest everyday name of a thing that begins here: "car pool", "front door". 0: it is a single word. */
function phraseAt(tokens: readonly Token[], at: number): number {
  const found = keysAt(tokens, at).find(({ key }) => meaningsOf(key).some(({ sort }) => sort !== 'action'));
  return found && found.length > 1 ? found.length : 0;
}

const placesOf = (at: number, length: number): number[] => Array.from({ length }, (_, index) => at + index);

/** What comes behind says when, and not whose matter it is. */
const limiting = new Set(['before', 'until', 'till', 'while', 'when']);

const naming = new Set(['called', 'named']);

export function evidenceOf(clause: Clause, profiles: Profiles): ClauseEvidence {
  const { tokens } = clause;
  const from = tokens.findIndex(({ text }, at) => at > 0 && limiting.has(text));
  const to = tokens.findIndex(({ text }, at) => at > from && text === 'and');
  const isWhen = (at: number) => from >= 0 && at >= from && (to < 0 || at < to);
  const isToUs = (at: number) => at === 0 && clause.mood === 'question' && lists.speakers.has(tokens[1]?.text ?? '');
  const content = [...tokens.entries()].flatMap(([at, token]) =>
    isContent(token) && !isWhen(at) && !isToUs(at) && !naming.has(tokens[at - 1]?.text ?? '') ? [at] : [],
  );
  const plain = profiles.agents.map((profile) => weigh(clause, profile, profiles, () => 1));
  const known = new Set(plain.flatMap(({ explained }) => [...explained.keys()]));
  const strange = content.filter((at) => !known.has(at));
  const inPhrase = new Set(content.flatMap((at) => placesOf(at, phraseAt(tokens, at))));
  const foreign = strange.filter(
    (at) => inPhrase.has(at) || keysAt(tokens, at).some(({ key }) => meaningsOf(key).length > 0),
  );
  // Part of the name of another thing: "light lunch", "car pool".
  const isStrange = (at: number) => strange.includes(at) && !/(?:ing|ed)$/.test(tokens[at]?.text ?? '');
  const share = (from: number, to: number) => {
    if (isStrange(to) && !tokens[to]?.before && !isOtherVerb(tokens[to])) return clause.mood === 'question' ? 0.7 : 0.3;
    return from > 0 && isStrange(from - 1) && !tokens[from]?.before ? 0.6 : 1;
  };
  const byAgent = strange.length ? profiles.agents.map((profile) => weigh(clause, profile, profiles, share)) : plain;
  return { byAgent, content, strange, foreign };
}

const verbKeys = new Set(otherVerbs.map(keyOf));
export const isOtherVerb = (token: Token | undefined): boolean =>
  token !== undefined && baseForms(token.text).some((form) => verbKeys.has(form));

function weigh(
  clause: Clause,
  profile: Profile,
  profiles: Profiles,
  share: (from: number, to: number) => number,
): Evidence {
  const explained = new Map<number, Sort>();
  const sum = { verb: 0, thing: 0, value: 0 };
  for (let at = 0; at < clause.tokens.length;) {
    const number = clause.tokens[at]?.value;
    if (number !== undefined && profile.numbers.some(({ least, most }) => number >= least && number <= most))
      sum.value += 0.4;
    const unit = number === undefined ? undefined : unitAt(clause.tokens, at + 1);
    if (unit)
      sum.thing +=
        (profile.meanings.get(`unit:${unit}`) ?? 0) * profiles.rarity(`unit:${unit}`, clause.mood === 'question');
    const found = bestAt(clause, at, profile, profiles);
    const whole = phraseAt(clause.tokens, at);
    if (!found || found.length < whole) {
      at += Math.max(1, whole);
      continue;
    }
    const { sort, length } = found;
    const weight = found.weight * (sort === 'thing' ? share(at, at + length) : 1);
    sum[sort] = sort === 'verb' ? Math.max(sum.verb, weight) : sum[sort] + weight;
    for (let place = at; place < at + length; place += 1) explained.set(place, sort);
    at += length;
  }
  return { agentId: profile.agentId, verb: sum.verb, things: sum.thing, values: sum.value, explained };
}

const own = new Set(['my', 'our', 'i', 'we']);

/** "cover the hill with heather" */
const covering = new Set(['cover', 'fill', 'dot', 'line', 'populate']);

interface Found {
  readonly sort: Sort;
  readonly weight: number;
  readonly length: number;
}

function bestAt(clause: Clause, at: number, profile: Profile, { rarity }: Profiles): Found | undefined {
  const place = placeOf(clause, at);
  const isQuestion = clause.mood === 'question';
  let best: Found | undefined;
  const take = (sort: Sort, weight: number | undefined, key: string, length: number) => {
    if (weight === undefined) return;
    const now = weight * rarity(key, isQuestion);
    if (now > (best?.weight ?? 0)) best = { sort, weight: now, length };
  };
  const act = (key: string, length: number) => {
    // "take it down" says little of what is done.
    const weak = (weight: number | undefined) =>
      weight !== undefined && isLoose(key) ? Math.min(weight, 0.6) : weight;
    take('verb', weak(profile.verbs.get(key)), key, length);
    if (covering.has(key) && clause.tokens.slice(at).some(({ text }) => text === 'with'))
      take('verb', profile.meanings.get('action:creating'), 'action:creating', length);
    for (const { sort, name } of meaningsOf(key))
      if (sort === 'action') take('verb', weak(profile.meanings.get(`action:${name}`)), `action:${name}`, length);
  };
  // Where something is that somebody calls theirs.
  if (clause.tokens[at]?.text === 'where' && !clause.tokens.some(({ text }) => own.has(text) || text === 'remind'))
    return undefined;
  for (const { key, length } of keysAt(clause.tokens, at)) {
    if (best && length < best.length) break;
    if (place !== 'noun') act(key, length);
    const isDone = length === 1 && place !== 'noun' && isOnlyVerb(clause.tokens[at]);
    take(isDone ? 'verb' : 'value', profile.values.get(key), key, length);
    if (place === 'verb' || (clause.mood === 'command' && toldOnly.has(key))) continue;
    take('thing', profile.words.get(key), key, length);
    for (const { sort, name } of meaningsOf(key))
      if (sort !== 'action') take('thing', profile.meanings.get(`${sort}:${name}`), `${sort}:${name}`, length);
  }
  if (place !== 'noun') for (const key of apartAt(clause.tokens, at)) act(key, 1);
  return best;
}
