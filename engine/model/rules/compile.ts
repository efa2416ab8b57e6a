/** A language of functions made ready for reading sentences: cues, vocabulary and value phrases of each function. */
import type { FunctionSpec, ParameterSpec } from '../../language/function-spec.ts';
import { isPlaceholder } from '../../language/values.ts';
import { wordsOf } from '../../language/words.ts';
import type { Scalar } from '../../moot.ts';
import { listsOf, unitNamed } from './lists.ts';
import type { Lists } from './lists.ts';
import { fold, phraseOf, stemOf } from './tokens.ts';
import { thingsIn } from './things.ts';
import { typingTargets } from './typos.ts';
import type { TypingTargets } from './typos.ts';
import { wayIn } from './ways.ts';
import type { Way } from './ways.ts';
import type { Words } from './words.ts';

export interface ValuePhrase {
  readonly stems: readonly string[];
  readonly parameter: CompiledParameter;
  readonly value: Scalar;
  /** Several words written as one ("livingroom"). */
  readonly isJoined: boolean;
}

export interface CompiledParameter {
  readonly spec: ParameterSpec;
  readonly isNumeric: boolean;
  readonly unit?: string;
  /** Of something that is given, such as litres: what all get together is more than what each gets. */
  readonly isAmount: boolean;
  /** Stems of its name and its unit. */
  readonly names: ReadonlySet<string>;
  /** Any text will do. */
  readonly isFreeText: boolean;
  /** Its values that mean none of a level, and some of it: "off" and "on". */
  readonly nothing: ReadonlySet<Scalar>;
  readonly something: ReadonlySet<Scalar>;
  /** Of a number: at or below the one, and at or above the other, it is at an end of what can be said. */
  readonly low: number;
  readonly high: number;
  /** Words that stand behind its values: those of its name and its label. */
  readonly nouns: ReadonlySet<string>;
  /** By the description, what it names is where something comes from, or where it goes. */
  readonly way?: Way;
}

export interface CompiledFunction {
  readonly spec: FunctionSpec;
  readonly parameters: readonly CompiledParameter[];
  /** Its first words: of the name, the synonyms and the description. */
  readonly verbs: ReadonlySet<string>;
  /** Words of the name that are no verb. */
  readonly nouns: ReadonlySet<string>;
  /** Words of its description, without its verbs and the names of parameters. */
  readonly topics: ReadonlySet<string>;
  /** What it is for: nouns of its name, its one-word synonyms, and its description up to the first "of" or "from". */
  readonly things: ReadonlySet<string>;
  /** Words of the names of numeric parameters ("brightness"). */
  readonly measures: ReadonlySet<string>;
  /** Its name begins with a light verb (set, turn): then it is asked for with any light verb or none. */
  readonly isLight: boolean;
  /** The name and each synonym as stems. */
  readonly cues: readonly (readonly string[])[];
  /** Stem to strength, 0 to 1. */
  readonly vocabulary: ReadonlyMap<string, number>;
  /** Words that it has only before one of its nouns ("roller blind"), with those nouns: alone they are another thing. */
  readonly bound: ReadonlyMap<string, readonly string[]>;
  /** Every stem of its words: one that is not here can only be a small word, a number or part of a text. */
  readonly stems: ReadonlySet<string>;
  /** By first stem, longest first. */
  readonly values: ReadonlyMap<string, readonly ValuePhrase[]>;
}

export interface CompiledLanguage {
  readonly lists: Lists;
  readonly functions: readonly CompiledFunction[];
  readonly typing: TypingTargets;
  /** Single words that are written apart by some ("day light"). */
  readonly joined: ReadonlySet<string>;
}

/** Takes about a millisecond for twenty functions; keep the result. */
export function compileLanguage(functions: readonly FunctionSpec[], words: Words): CompiledLanguage {
  const lists = listsOf(words);
  const common = commonWords(functions, lists);
  const compiled = functions.map((spec) => compileFunction(spec, common, lists));
  const texts = functions.flatMap(textsOf);
  return {
    lists,
    functions: compiled,
    typing: typingTargets(texts, lists),
    joined: new Set(
      compiled.flatMap((one) => [...one.values.values()].flat()).flatMap((one) => (isJoinable(one) ? one.stems : [])),
    ),
  };
}

const isJoinable = ({ stems, isJoined }: ValuePhrase): boolean =>
  !isJoined && stems.length === 1 && (stems[0]?.length ?? 0) >= 6;

const nameStems = (name: string, words: Words): string[] => phraseOf(wordsOf(name), words);

/** Words that stand in every name say nothing (a maker's prefix); verbs stay, or a smaller team would read differently. */
function commonWords(functions: readonly FunctionSpec[], { words, lightVerbs }: Lists): ReadonlySet<string> {
  const [first, ...others] = functions.map((spec) => nameStems(spec.name, words));
  if (!first || others.length < 2) return new Set();
  const common = first.filter((word) => others.every((name) => name[0] === word));
  return new Set(common.filter((word) => !lightVerbs.has(word)));
}

const textsOf = (spec: FunctionSpec): string[] => [
  wordsOf(spec.name),
  spec.description,
  spec.category,
  ...(spec.synonyms ?? []),
  ...spec.parameters.flatMap((parameter) => [
    wordsOf(parameter.name),
    ...(parameter.allowedValues ?? []),
    ...Object.values(parameter.synonyms ?? {}).flat(),
  ]),
];

function compileFunction(spec: FunctionSpec, common: ReadonlySet<string>, lists: Lists): CompiledFunction {
  const { words } = lists;
  const name = nameStems(spec.name, words).filter((stem) => !common.has(stem));
  const synonyms = (spec.synonyms ?? []).map((text) => phraseOf(text, words).filter((stem) => !isArticle(stem, lists)));
  const description = phraseOf(spec.description, words);
  const parameters = spec.parameters.map((parameter) => compileParameter(parameter, description, lists));
  const vocabulary = vocabularyOf(spec, name, synonyms, description, lists);
  const values = valuePhrases(parameters, lists);
  const isLight = lists.lightVerbs.has(name[0] ?? '') || lists.lightVerbs.has(name.at(-1) ?? '');
  const nouns = name
    // What reads is often named by a noun alone: "FrontDoor".
    .slice(spec.risk === 'read' || (isLight && !lists.lightVerbs.has(name[0] ?? '')) ? 0 : 1)
    .filter((stem) => !lists.lightVerbs.has(stem));
  const single = synonyms.flatMap((cue) => (cue.length === 1 ? cue : []));
  return {
    spec,
    parameters,
    isLight,
    things: new Set([...nouns, ...single, ...thingsIn(description, lists)]),
    topics: topicsOf(description.slice(1), parameters, vocabulary, lists),
    measures: new Set(parameters.flatMap((one) => (one.isNumeric ? nameStems(one.spec.name, words) : []))),
    verbs: new Set([name[0], ...synonyms.map((cue) => cue[0]), description[0]].filter((stem) => stem !== undefined)),
    nouns: new Set(nouns),
    cues: [name, ...synonyms].filter((cue) => cue.length > 0),
    vocabulary,
    values,
    bound: boundWords(spec, [name, ...synonyms], description, lists),
    stems: new Set([
      ...vocabulary.keys(),
      ...name,
      ...synonyms.flat(),
      ...[...values.values()].flat().flatMap((one) => one.stems),
    ]),
  };
}

function boundWords(
  spec: FunctionSpec,
  cues: readonly (readonly string[])[],
  description: readonly string[],
  lists: Lists,
): ReadonlyMap<string, readonly string[]> {
  const nouns = [...(cues[0]?.slice(1) ?? []), ...description];
  const isPair = ([, noun = '', ...more]: readonly string[]) => more.length === 0 && nouns.includes(noun);
  const pairs = cues.slice(1).filter((cue) => cue.length === 2 && isPair(cue) && !lists.lightVerbs.has(cue[0] ?? ''));
  const others = [
    ...description,
    ...phraseOf(spec.category, lists.words),
    ...spec.parameters.flatMap(({ name }) => nameStems(name, lists.words)),
    ...[...cues].filter((cue) => !pairs.includes(cue)).flat(),
    ...pairs.map(([, noun = '']) => noun),
  ];
  const own = pairs.filter(([word = '']) => !others.includes(word));
  return new Map(own.map(([word = '']) => [word, own.filter((cue) => cue[0] === word).map(([, noun = '']) => noun)]));
}

function topicsOf(
  description: readonly string[],
  parameters: readonly CompiledParameter[],
  vocabulary: ReadonlyMap<string, number>,
  lists: Lists,
): ReadonlySet<string> {
  const isParameter = (stem: string) => parameters.some((one) => one.names.has(stem));
  return new Set(
    description.filter(
      (stem) => vocabulary.has(stem) && !lists.small.has(stem) && !isParameter(stem) && stem.length > 3,
    ),
  );
}

const isArticle = (stem: string, lists: Lists): boolean => lists.determiners.has(stem) || stem === 'a' || stem === 'an';

function vocabularyOf(
  spec: FunctionSpec,
  name: readonly string[],
  synonyms: readonly (readonly string[])[],
  description: readonly string[],
  lists: Lists,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const add = (stems: readonly string[], strength: number) => {
    for (const stem of stems)
      if (!lists.neverExplained.has(stem) && (found.get(stem) ?? 0) < strength) found.set(stem, strength);
  };
  add(description, 0.4);
  add(phraseOf(spec.category, lists.words), 0.4);
  for (const parameter of spec.parameters) add(nameStems(parameter.name, lists.words), 0.5);
  for (const parameter of spec.parameters)
    if (parameter.description) add(phraseOf(parameter.description, lists.words), 0.4);
  for (const cue of synonyms)
    add(
      cue.filter((stem) => !isWeak(stem, lists)),
      0.6,
    );
  add(
    name.filter((stem) => !isWeak(stem, lists)),
    0.8,
  );
  // Small words are explained anyway; two functions are not told apart by a "to" in a description.
  for (const stem of [...found.keys()])
    if ((isWeak(stem, lists) || lists.small.has(stem)) && spec.risk !== 'read') found.delete(stem);
  return found;
}

/** Words that say something only in their place: light verbs, particles and directions. */
const isWeak = (stem: string, lists: Lists): boolean =>
  lists.lightVerbs.has(stem) || lists.prepositions.has(stem) || lists.directions.has(stem) || lists.relative.has(stem);

function compileParameter(spec: ParameterSpec, description: readonly string[], lists: Lists): CompiledParameter {
  const isNumeric = spec.type === 'number' || spec.type === 'integer';
  const unit = isNumeric ? (unitNamed(spec.unit ?? '', lists) ?? unitNamed(wordsOf(spec.name), lists)) : undefined;
  const names = [...nameStems(spec.name, lists.words), ...(unit ? [unit] : [])];
  const nouns = new Set([...nameStems(spec.name, lists.words), ...phraseOf(spec.label ?? '', lists.words)]);
  const way = wayIn(description, nouns, lists);
  return {
    spec,
    isNumeric,
    ...(unit ? { unit } : {}),
    isAmount: unit !== undefined && !lists.levelUnits.has(unit),
    names: new Set(names),
    isFreeText: spec.type === 'string' && !spec.allowedValues?.length,
    nothing: valuesMeaning(spec, lists.nothing, lists),
    something: valuesMeaning(spec, lists.something, lists),
    ...endsOf(spec),
    nouns,
    ...(way ? { way } : {}),
  };
}

/** Allowed values of which they themselves or a synonym are such a word. */
function valuesMeaning(spec: ParameterSpec, words: ReadonlySet<string>, lists: Lists): ReadonlySet<Scalar> {
  const values = spec.type === 'boolean' ? ['true', 'false'] : spec.type === 'string' ? (spec.allowedValues ?? []) : [];
  const isMeant = (value: string) =>
    [value, ...(spec.synonyms?.[value] ?? [])].some((text) => words.has(phraseOf(text, lists.words).join(' ')));
  return new Set(values.filter(isMeant).map((value) => (spec.type === 'boolean' ? value === 'true' : value)));
}

/** The ends of the range, or the lowest and highest value that has a word of its own: "minimum" may be 1 of 0 to 100. */
function endsOf({ minimum = -Infinity, maximum = Infinity, synonyms = {} }: ParameterSpec) {
  const named = Object.keys(synonyms).map(Number).filter(Number.isFinite);
  const middle = (minimum + maximum) / 2;
  return {
    low: Math.max(minimum, ...named.filter((one) => one === Math.min(...named) && one < middle)),
    high: Math.min(maximum, ...named.filter((one) => one === Math.max(...named) && one > middle)),
  };
}

function valuePhrases(parameters: readonly CompiledParameter[], lists: Lists) {
  const byFirst = new Map<string, ValuePhrase[]>();
  const add = (text: string, parameter: CompiledParameter, value: Scalar) => {
    const stems = phraseOf(text, lists.words);
    for (const variant of stems.length > 1 ? [stems, [stemOf(stems.join(''))]] : [stems]) {
      const first = variant[0];
      if (first === undefined) continue;
      const phrases = byFirst.get(first) ?? [];
      if (!phrases.some((one) => one.parameter === parameter && one.stems.join(' ') === variant.join(' ')))
        phrases.push({ stems: variant, parameter, value, isJoined: variant !== stems });
      byFirst.set(first, phrases);
    }
  };
  for (const parameter of parameters) {
    for (const value of parameter.spec.allowedValues ?? [])
      if (!isPlaceholder(value) && !parameter.isNumeric) add(value, parameter, value);
    for (const [value, synonyms] of Object.entries(parameter.spec.synonyms ?? {}))
      for (const synonym of synonyms) add(synonym, parameter, typed(value, parameter));
  }
  for (const phrases of byFirst.values()) phrases.sort((a, b) => b.stems.length - a.stems.length);
  return byFirst;
}

function typed(text: string, { spec, isNumeric }: CompiledParameter): Scalar {
  if (isNumeric) return Number(text);
  if (spec.type === 'boolean') return fold(text) === 'true';
  return spec.allowedValues?.find((value) => fold(value) === fold(text)) ?? text;
}
