/** Whether a clause orders, asks or only tells something. */
import type { Token } from '../../model/rules/tokens.ts';
import { baseForms } from './base-forms.ts';
import { isContent, isOnlyVerb } from './place.ts';
import { lists, particles } from './profile-words.ts';

export type Mood = 'command' | 'question' | 'statement' | 'fragment';

/** Single verbs that may begin an order: everybody's, and those of the team. */
export type Verbs = ReadonlySet<string>;

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

export const subjects = set('i you we they he she it there this that');
const grading = set('way too so very really getting far a');
const showing = set('show list display');
const embedding = set('tell show remind give say');
const telling = set('tell show');
const definite = set('the my our about');
const finding = set('check see look find verify');
const wishing = set('can could may');
const becoming = set('be get have go come');
const needing = set('need needs want wants');
const lackedAfter = set('a an some more less');
const subordinate = set('while when because since before after until');
const doing = set('have do');
const persons = set('i you he she they we');
const obliging = set('should must');
const past = set(
  'broke went came made got took bought sold saw fell forgot found lost told stood ate gave wants likes loves hates keeps smells sounds ' +
    'works wanted liked loved hated worked left brought',
);
const states = set(
  'is are was were am has have had looks look seems seem needs need feels feel would will says said gets keeps can could does did',
);

export const isVerb = (token: Token | undefined, verbs: Verbs): boolean =>
  token !== undefined && (verbs.has(token.text) || verbs.has(token.stem)) && !/\w{3}(?:ing|ed)$/.test(token.text);

export interface Said {
  readonly tokens: readonly Token[];
  readonly isPolite: boolean;
  /** It ends with a question mark. */
  readonly isAsked: boolean;
}

export function moodOf(said: Said, verbs: Verbs): Mood {
  const words = said.tokens.map(({ text }) => text);
  if (!words.length) return 'fragment';
  return (
    wished(words, said) ?? askedFor(words, said) ?? ordered(said.tokens, said.isPolite, verbs) ?? told(said, verbs)
  );
}

/** "could the lawn be mowed", "have the farmer feed the cow", "the grass needs cutting", "there should be some frogs". */
function wished(words: readonly string[], { isPolite, isAsked }: Said): Mood | undefined {
  const [first = '', second = '', third = ''] = words;
  const isOfThing = lists.determiners.has(second) || second === 'a';
  const isWish =
    (wishing.has(first) && isOfThing && words.slice(3).some((word) => becoming.has(word))) ||
    (doing.has(first) && isOfThing && !isAsked) ||
    (first === 'there' && obliging.has(second) && third === 'be') ||
    isNeeded(words) ||
    (!isAsked && !persons.has(first) && !/^\d/.test(first) && words.some((word) => obliging.has(word)));
  return isWish && !isPolite ? 'command' : undefined;
}

function isNeeded(words: readonly string[]): boolean {
  if (words.join(' ').includes('could do with')) return !subjects.has(words[0] ?? '');
  const need = words.findIndex((word) => needing.has(word));
  const next = words[need + 1] ?? '';
  const isOfThing = lists.determiners.has(words[0] ?? '') || !subjects.has(words[0] ?? '');
  return need > 0 && isOfThing && (next === 'to' || lackedAfter.has(next) || next.endsWith('ing'));
}

function askedFor([first = '', second = '', third = '']: readonly string[], { isPolite }: Said): Mood | undefined {
  const isAsking = (word: string) => lists.questionWords.has(word) || word === 'whether' || word === 'if';
  if (lists.questionStarts.has(first) && !isPolite && !(first === 'do' && second === 'not')) return 'question';
  if (embedding.has(first) && lists.speakers.has(second) && isAsking(third)) return 'question';
  if (finding.has(first) && (isAsking(second) || isAsking(third))) return 'question';
  if (telling.has(first) && lists.speakers.has(second) && definite.has(third)) return 'question';
  return showing.has(first) || (first === 'a' && second === 'list') ? 'question' : undefined;
}

function ordered(tokens: readonly Token[], isPolite: boolean, verbs: Verbs): Mood | undefined {
  const [first, second] = tokens;
  if (!first) return undefined;
  if (isPolite || first.text === 'let') return 'command';
  if (isVerb(first, verbs) && !isCalled(first, second) && !subjects.has(first.text)) return 'command';
  // "fill the …": a verb that is no word of ours.
  return second && !lists.known.has(first.text) && lists.determiners.has(second.text) ? 'command' : undefined;
}

function told({ tokens: all, isAsked }: Said, verbs: Verbs): Mood {
  const end = all.findIndex(({ text }, at) => at > 0 && subordinate.has(text));
  const tokens = end < 0 ? all : all.slice(0, end);
  const [first = '', second = '', ...rest] = tokens.map(({ text }) => text);
  // "its" is often written for "it's".
  if (subjects.has(first) || (first === 'its' && grading.has(second))) return 'statement';
  const isTold =
    [second, ...rest].some((word) => states.has(word)) || tokens.some((_, at) => isDoing(tokens, at, verbs));
  if (isTold) return isAsked ? 'question' : 'statement';
  return 'fragment';
}

/** "the wolf eats the sheep", "Tom mowed the lawn", "the kids broke it". */
function isDoing(tokens: readonly Token[], at: number, verbs: Verbs): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (!token || at === 0) return false;
  if (past.has(token.text)) return true;
  if (!next || next.before || next.value !== undefined || particles.has(next.text)) return false;
  if (/\w\wed$/.test(token.text)) return lists.determiners.has(next.text);
  return (
    token.text !== token.stem &&
    verbs.has(token.stem) &&
    isOnlyVerb(token) &&
    (lists.determiners.has(next.text) || isContent(next))
  );
}

/** "lights off": a thing and no order to light something. */
const isCalled = (first: Token, second: Token | undefined): boolean =>
  first.text !== first.stem &&
  second !== undefined &&
  baseForms(first.text).length > 0 &&
  !lists.determiners.has(second.text);
