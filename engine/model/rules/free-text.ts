/** Text that a person wants passed on as it is: "tell Anna that …", "a timer named …". */
import type { Clause } from './clause.ts';
import type { CompiledFunction, CompiledParameter } from './compile.ts';
import type { Lists } from './lists.ts';

export interface FreeText {
  readonly parameter: CompiledParameter;
  /** Where it begins in the clause's tokens; the words before it that introduce it are part of the span. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Whom it is for, if that can't be said to the function. */
  readonly addressee?: string;
}

/** The first parameter that takes any text, if the clause introduces one. */
export function freeTextOf(fn: CompiledFunction, clause: Clause, lists: Lists): FreeText | undefined {
  for (const parameter of fn.parameters.filter((one) => one.isFreeText)) {
    const isName = ['name', 'title', 'label'].some((word) => parameter.names.has(word));
    const found = isName ? named(parameter, clause, lists) : told(fn, parameter, clause, lists);
    if (found) return found;
  }
  return undefined;
}

/** "named pizza", "called pizza": words up to the next preposition or number. */
function named(parameter: CompiledParameter, clause: Clause, lists: Lists): FreeText | undefined {
  const { stems } = clause;
  const at = stems.findIndex((stem) => lists.naming.has(stem));
  const isFor = at < 0 && stems.at(-2) === 'for' && clause.tokens.at(-1)?.value === undefined;
  const from = isFor ? stems.length - 2 : at;
  if (from < 0 || (isFor && !clause.quantities.length)) return undefined;
  let to = from + 1;
  while (to < stems.length && stems[to] !== 'for' && stems[to] !== 'to' && clause.tokens[to]?.value === undefined) to++;
  return to > from + 1 ? { parameter, from, to, text: sourceOf(clause, from + 1, to) } : undefined;
}

/** A verb of the function, at most one person, and "that", a colon, or a whole statement. */
function told(fn: CompiledFunction, parameter: CompiledParameter, clause: Clause, lists: Lists): FreeText | undefined {
  const { stems } = clause;
  const verb = verbPlace(fn, clause, lists);
  if (verb === undefined) return undefined;
  const isColon = (index: number) => opensText(clause, index);
  const at = stems.findIndex(
    (stem, index) => index > verb && index <= verb + 6 && (lists.telling.has(stem) || isColon(index)),
  );
  if (at < 1)
    return parameter.spec.required
      ? (noted(fn, parameter, clause, lists) ?? stated(fn, parameter, clause, lists))
      : undefined;
  const persons = stems.slice(verb + 1, at);
  if (!mayBePerson(persons, fn, lists)) return undefined;
  if (!persons.length && !isColon(at) && isPronoun(clause, at, lists)) return undefined;
  const begin = isColon(at) && !lists.telling.has(stems[at] ?? '') ? at : at + 1;
  if (begin >= stems.length || isLeftOpen(clause, begin)) return undefined;
  const text = restOf(clause, begin, lists);
  if (isAddressed(persons, fn)) return { parameter, from: at, to: stems.length, text };
  const strangers = strangersIn(persons, fn, lists);
  const first = verb + 1 + persons.indexOf(strangers[0] ?? '');
  const addressee = strangers.length ? sourceOf(clause, first, first + strangers.length) : undefined;
  return { parameter, from: verb + 1, to: stems.length, text, ...(addressee === undefined ? {} : { addressee }) };
}

/** "tell everyone", "let the kids know", and nothing more: where the persons stand. What to tell is asked for. */
export function personsAlone(fn: CompiledFunction, { stems, tokens }: Clause, lists: Lists): readonly number[] {
  const [verb = '', ...rest] = stems;
  const isTelling = fn.parameters.some((one) => one.isFreeText && one.spec.required) && fn.verbs.has(verb);
  const isPerson = (stem: string) => lists.persons.has(stem) && !lists.speakers.has(stem);
  if (!isTelling || !rest.some(isPerson) || tokens.some((token) => token.quoted)) return [];
  const isAround = (stem: string) =>
    [lists.aroundPersons, lists.toPersons, lists.determiners].some((list) => list.has(stem)) ||
    fn.cues.some((cue) => cue[0] === verb && cue.includes(stem));
  return rest.every((stem) => isPerson(stem) || isAround(stem)) ? [...rest.keys()].map((at) => at + 1) : [];
}

/** "say that again", "say that in German": "that" is what was said before, and nothing is told. */
function isPronoun({ stems }: Clause, at: number, lists: Lists): boolean {
  const rest = stems.slice(at + 1);
  const isSmall = lists.small.has(rest[0] ?? '') && !lists.determiners.has(rest[0] ?? '');
  const hasVerb = rest.some((stem) => lists.stating.has(stem));
  return rest.length < 2 || (isSmall && rest.length < 4 && !hasVerb);
}

/** "note …", "make a note …" */
function verbPlace(fn: CompiledFunction, { stems }: Clause, lists: Lists): number | undefined {
  const place = lists.lightVerbs.has(stems[0] ?? '') && stems[1] === 'a' ? 2 : 0;
  const verb = stems[place] ?? '';
  return fn.cues.some((cue) => cue[0] === verb) || fn.verbs.has(verb) ? place : undefined;
}

/** A colon, or a quotation that goes on to the end. */
const opensText = ({ tokens }: Clause, at: number): boolean => {
  const before = tokens[at]?.before ?? '';
  return before.includes(':') || (/["“„«]/.test(before) && tokens.slice(at).every((token) => token.quoted));
};

/** "… “it is late” to Anna": more is said behind the quotation, and that is no part of the text. */
const isLeftOpen = ({ tokens }: Clause, begin: number): boolean =>
  Boolean(tokens[begin]?.quoted) && !tokens.at(-1)?.quoted;

/** "forget the spare key": a whole sentence of one phrase and a text, for what does nothing in the house. */
function noted(fn: CompiledFunction, parameter: CompiledParameter, clause: Clause, lists: Lists): FreeText | undefined {
  const { stems, sentence, from, to } = clause;
  if (fn.spec.effect || fn.parameters.length > 1 || from > 0 || to < sentence.tokens.length) return undefined;
  const lengths = fn.cues.filter((cue) => cue.every((stem, at) => stems[at] === stem)).map((cue) => cue.length);
  const begin = Math.max(0, ...lengths);
  if (!begin || begin >= stems.length || lists.it.has(stems[begin] ?? '')) return undefined;
  return { parameter, from: begin, to: stems.length, text: sourceOf(clause, begin, stems.length) };
}

/** "tell everyone dinner is ready": others are told a statement; "tell me …" more often asks for something. */
function stated(
  fn: CompiledFunction,
  parameter: CompiledParameter,
  clause: Clause,
  lists: Lists,
): FreeText | undefined {
  const { stems } = clause;
  const begin = statementBegin(fn, stems, lists);
  if (begin === undefined) return undefined;
  const next = stems[begin] ?? '';
  const verb = stems.findIndex((stem, at) => at > begin && lists.stating.has(stem));
  if (isLeftOpen(clause, begin)) return undefined;
  if (isLetKnow(fn, stems, begin) && saysSomething(stems.slice(begin), lists))
    return { parameter, from: 1, to: stems.length, text: restOf(clause, begin, lists) };
  if (verb < 0 || lists.questionStarts.has(next) || lists.noStatement.has(next)) return undefined;
  return { parameter, from: 1, to: stems.length, text: restOf(clause, begin, lists) };
}

/** Behind the person and the rest of the verb ("let everyone know"), or behind a verb that takes no person. */
function statementBegin(fn: CompiledFunction, stems: readonly string[], lists: Lists): number | undefined {
  const [verb = '', second = ''] = stems;
  if (lists.announcing.has(verb) && !lists.persons.has(second)) return 1;
  const person = lists.determiners.has(second) ? 2 : 1;
  const said = stems[person] ?? '';
  if (!lists.persons.has(said) || lists.speakers.has(said)) return undefined;
  const next = behindHome(stems, person + 1, lists);
  const rest = fn.cues.find((cue) => cue.length === 2 && cue[0] === verb && cue[1] === stems[next]);
  return next + (rest ? 1 : 0);
}

/** "let everyone know …": whatever follows the second word of the verb is the text. */
const isLetKnow = (fn: CompiledFunction, stems: readonly string[], begin: number): boolean =>
  begin > 2 && fn.cues.some((cue) => cue.length === 2 && cue[0] === stems[0] && cue[1] === stems[begin - 1]);

/** More than "now", "about dinner" or "when it is ready". */
const saysSomething = ([first = '', ...more]: readonly string[], lists: Lists): boolean =>
  more.length > 1 &&
  !lists.questionStarts.has(first) &&
  !lists.neverExplained.has(first) &&
  (first === 'a' || lists.determiners.has(first) || !(lists.noStatement.has(first) || lists.small.has(first)));

/** Behind "at home", "in the house". */
function behindHome(stems: readonly string[], at: number, lists: Lists): number {
  const noun = stems.findIndex((stem, place) => place > at && lists.homes.has(stem));
  const between = stems.slice(at, noun);
  const isPlace = noun > at && noun < at + 4 && lists.small.has(between[0] ?? '') && between[0] !== 'the';
  return isPlace && between.every((stem) => lists.aroundPersons.has(stem)) ? noun + 1 : at;
}

/** A parameter of the function takes the person. */
const isAddressed = (words: readonly string[], fn: CompiledFunction): boolean =>
  words.some((stem) => fn.values.has(stem));

/** Neither "me", "the kids", "everyone in the house", nor words that the function itself explains ("everybody know"). */
function strangersIn(words: readonly string[], fn: CompiledFunction, lists: Lists): readonly string[] {
  const isOwn = (stem: string) => fn.vocabulary.has(stem) || fn.cues.some((cue) => cue.includes(stem));
  return words.filter((stem) => !isOwn(stem) && !lists.persons.has(stem) && !lists.aroundPersons.has(stem));
}

/** Nobody, people, or at most one name: "anna", "my neighbour", "mum and anna". */
function mayBePerson(words: readonly string[], fn: CompiledFunction, lists: Lists): boolean {
  if (isAddressed(words, fn)) return true;
  const rest = strangersIn(words, fn, lists);
  if (rest.length === 0) return true;
  const before = words[words.indexOf(rest[0] ?? '') - 1];
  // "at noon", "in town": neither is somebody.
  if (before !== undefined && lists.small.has(before) && !isBeforePerson(before, lists)) return false;
  if (rest.some((stem) => /^-?\d/.test(stem))) return false;
  if (rest.length === 1) return !lists.neverExplained.has(rest[0] ?? '') && !lists.small.has(rest[0] ?? '');
  return rest.length === 2 && lists.determiners.has(rest[0] ?? '') && !lists.small.has(rest[1] ?? '');
}

const isBeforePerson = (stem: string, lists: Lists): boolean =>
  lists.toPersons.has(stem) || lists.determiners.has(stem);

/** From the original text, so that capitals stay. */
function sourceOf({ sentence, tokens }: Clause, from: number, to: number): string {
  const [first, last] = [tokens[from], tokens[to - 1]];
  return first && last ? sentence.source.slice(first.start, last.end) : '';
}

/** All to the clause's end, without the politeness behind it. */
function restOf({ sentence, tokens, to }: Clause, from: number, lists: Lists): string {
  const first = tokens[from];
  const last = sentence.tokens[to - 1];
  if (!first || !last) return '';
  let text = sentence.source.slice(first.start, last.end);
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replace(lists.politeTail, '');
  }
  return text;
}
