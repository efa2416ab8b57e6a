/** What is said to people: plain words, no function names and no ids. */
import { checkCall } from '../../language/check-call.ts';
import { questionFor } from '../../language/findings.ts';
import type { FunctionSpec } from '../../language/function-spec.ts';
import { createLanguage } from '../../language/language.ts';
import { capitalised, labelOf, listed, quoted, valueForPeople, wordsOf } from '../../language/words.ts';
import type { PlainParameters } from '../../moot.ts';
import type { CompiledFunction } from './compile.ts';
import type { Doubt } from './contradictions.ts';
import { askedPlace, valuesOf } from './every.ts';
import type { CallReading, Reading } from './reading.ts';
import { textOf } from './tokens.ts';

/** The person's own words of a clause. */
export const wordsOfClause = ({ clause }: Reading): string => textOf(clause.sentence, clause.from, clause.to).trim();

/** The same without a word that only joins it to what stands before. */
export const plainWordsOf = (reading: Reading): string =>
  wordsOfClause(reading).replace(/^(?:(?:and|then|also|but|so)\s+|[,;]\s*)+/i, '');

/** The description without a full stop, else the words of the name. */
export const abilityOf = ({ description, name }: FunctionSpec): string =>
  capitalised((description.trim() || wordsOf(name)).replace(/\.$/, ''));

/** It needs values that words do not fill: lists and objects. */
export const takesModel = ({ parameters }: FunctionSpec): boolean =>
  parameters.some(({ required, type }) => required && (type === 'list' || type === 'object'));

/** What no answer to a question would help. */
export const modelNeeded = (words: string): string => `Sorry, I can’t do “${quoted(words)}”: that takes an AI model.`;

/** One line for each function that people may ask for. @param tools Names of tools: they do what the board never sees. */
export function abilities(functions: readonly FunctionSpec[], tools: readonly string[] = []): string {
  const isTool = ({ name }: FunctionSpec) => tools.includes(name);
  const able = functions.filter((spec) => spec.effect || spec.risk === 'read' || isTool(spec));
  // What acts in the house comes first.
  const lines = [...able.filter((spec) => !isTool(spec)), ...able.filter(isTool)].map((spec) => `- ${abilityOf(spec)}`);
  if (!lines.length) return 'There is nothing yet that I can do for you here.';
  return `Here is what I can do:\n${lines.slice(0, 40).join('\n')}`;
}

/** What has to be asked before a clause can be acted on. */
export function questionOf(reading: CallReading, words: string): string {
  const about = words ? `About “${quoted(words)}”: ` : '';
  const [doubt] = reading.match?.slots.doubts ?? [];
  if (reading.doubt) return doubtFor(reading.doubt, reading.fn);
  if (doubt && reading.conflicts.length) return `${about}${doubtFor(doubt, reading.fn)}`;
  if (reading.conflicts.length) {
    const labels = reading.conflicts.map((name) => {
      const parameter = reading.fn.spec.parameters.find((one) => one.name === name);
      return parameter ? labelOf(parameter) : wordsOf(name);
    });
    const names = listed(labels, 'and');
    return `${about}I can understand that in more than one way (${names}). What exactly should I do?`;
  }
  const telling = tellingQuestion(reading);
  if (telling !== undefined) return telling;
  const unknown = reading.stranger === undefined ? '' : `I don’t know “${quoted(reading.stranger)}” there. `;
  return `${about}${unknown}${missingQuestion(reading)}${orAll(reading)}`;
}

/** "What shall I tell everyone?": where only the text lacks, in the person's own words. */
function tellingQuestion(reading: CallReading): string | undefined {
  const { fn, missing, clause } = reading;
  const parameter = fn.parameters.find(({ spec }) => spec.name === missing[0]);
  if (missing.length > 1 || !parameter?.isFreeText || !fn.verbs.has(clause.stems[0] ?? '')) return undefined;
  const [first] = clause.tokens;
  const last = clause.tokens.at(-1);
  const words = first && last ? clause.sentence.source.slice(first.start, last.end) : '';
  const turned = words.replace(/\b(?:my|our)\b/gi, 'your').replace(/\b(?:me|us)\b/gi, 'you');
  const of = /^(?:inform|notify|remind|warn)/i.test(turned) ? ' of' : '';
  return `What shall I ${turned.charAt(0).toLowerCase()}${quoted(turned.slice(1))}${of}?`;
}

/** "dim the bedroom" leaves open how far, not whether it shall be on or off. */
function missingQuestion({ fn, missing, clause }: CallReading): string {
  const group = fn.spec.requireOneOf?.find((names) => names.every((name) => missing.includes(name))) ?? [];
  const [level, ...more] = fn.parameters.filter(({ spec, isNumeric }) => isNumeric && group.includes(spec.name));
  const { minimum, maximum, unit } = level?.spec ?? {};
  if (!level || more.length || minimum === undefined || maximum === undefined || !clause.isShift)
    return questionFor(fn.spec, missing);
  const others = missing.filter((name) => !group.includes(name));
  const place = others.length ? `${questionFor(fn.spec, others)} ` : '';
  return `${place}How far: ${minimum} to ${maximum}${unit ? ` ${unit}` : ''}?`;
}

/** Where "all" is an answer. */
function orAll({ fn, missing, calls, stranger }: CallReading): string {
  const [call = {}, ...more] = calls;
  const place =
    stranger === undefined && missing.length === 1 && !more.length ? askedPlace(fn, missing, call) : undefined;
  return place ? ` Or ${valuesOf(place).length === 2 ? 'both' : 'all'}?` : '';
}

/** What doesn't go together, and what would. */
function doubtFor({ kind, names, words }: Doubt, { spec }: CompiledFunction): string {
  const said = listed(
    words.map((word) => `“${quoted(word)}”`),
    'and',
  );
  const [only] = spec.parameters.filter(({ name }) => names.includes(name));
  const label = only ? labelOf(only) : '';
  if (kind === 'difference') return `I can only set the ${label}, not change it by ${said}. What shall it be?`;
  if (kind === 'time')
    return `Is ${said} a time or the ${label}? I can do nothing at a time. What shall the ${label} be?`;
  if (kind === 'level')
    return `Do you mean ${words.join(' ')}${only?.unit ? ` ${only.unit}` : ` as the ${label}`}? I can do nothing at a time.`;
  if (kind === 'person') return `I can’t do that for ${said} alone, only for everybody. Shall I?`;
  if (kind === 'way') return `I can’t follow ${said} there. ${questionFor(spec, names)}`;
  if (kind === 'place') return `There is no ${said}. ${questionFor(spec, names)}`;
  return `${said} don’t go together. Which one do you mean?`;
}

/** "the light", "the temperature" of functions that do the same with other things. */
function thingsApart(functions: readonly FunctionSpec[]): readonly string[] | undefined {
  const names = functions.map(({ name }) => wordsOf(name).split(' '));
  const [verb] = names.map(([first]) => first);
  const things = names.map(([, ...rest]) => rest.join(' '));
  const isApart = names.every(([first]) => first === verb) && things.every(Boolean);
  return isApart && new Set(things).size === things.length ? things.map((thing) => `the ${thing}`) : undefined;
}

export function tieQuestion(functions: readonly FunctionSpec[], words: string): string {
  // Descriptions of tools are written for models; their names are what the person sees in the flow.
  const meaningOf = (spec: FunctionSpec) => (spec.category === 'tools' ? wordsOf(spec.name) : abilityOf(spec));
  const things = thingsApart(functions.slice(0, 4));
  if (things) return `About “${quoted(words)}”: do you mean ${listed(things)}?`;
  const meanings = listed(functions.slice(0, 4).map((spec) => `“${meaningOf(spec)}”`));
  return `About “${quoted(words)}”: do you mean ${meanings}?`;
}

/** Why a value can't be set, with what is allowed. */
export function refusalOf({ fn, calls }: CallReading): string {
  const language = createLanguage([withoutConsequences(fn.spec)]);
  for (const parameters of calls) {
    const checked = checkCall(language, { function: fn.spec.name, parameters });
    if (!checked.ok) return checked.forPeople;
  }
  return 'That value is not possible.';
}

/** A function alone is a language only without what it brings about. */
function withoutConsequences(spec: FunctionSpec): FunctionSpec {
  const { consequences: _, ...rest } = spec;
  return rest;
}

/** Why a sentence was not understood; when it says more than that clause, that the rest was left as well. */
export function unclearMessage(reading: Extract<Reading, { kind: 'unclear' }>): string {
  const { tokens } = reading.clause.sentence;
  const isAll = reading.clause.to - reading.clause.from >= tokens.length;
  return `${reasonOf(reading)}${isAll ? '' : ' So I did nothing of the rest either.'}`;
}

function reasonOf(reading: Extract<Reading, { kind: 'unclear' }>): string {
  const words = plainWordsOf(reading);
  if (reading.isPerhapsText)
    return `I can’t tell whether “${quoted(words)}” belongs to the message. Say one after the other, please.`;
  if (reading.near && takesModel(reading.near.spec)) return modelNeeded(words);
  const isDenied = reading.clause.stems[0] === 'do' && reading.clause.stems[1] === 'not';
  if (reading.clause.isQuestion && !isDenied) return 'Sorry, I have no answer to that. Ask me what I can do.';
  if (reading.near && reading.words.length) {
    const unknown = listed(
      reading.words.slice(0, 5).map((word) => `“${quoted(word)}”`),
      'and',
    );
    return `Sorry, I can’t do “${quoted(words)}”: I don’t understand ${unknown} there.${knownFor(reading.near)}`;
  }
  if (reading.near) return `Sorry, I am not sure what you want with “${quoted(words)}”, so I did nothing.`;
  return `Sorry, I can’t help with “${quoted(words)}”. Ask me what I can do.`;
}

/** The names that a command knows, where it is one short list: most unknown words are meant for it. */
function knownFor({ spec }: CompiledFunction): string {
  const lists = spec.parameters.filter(({ required, allowedValues }) => required && allowedValues?.length);
  const [only, ...others] = lists;
  const names = only?.allowedValues?.map((value) => valueForPeople(only, value)) ?? [];
  return others.length || !names.length || names.length > 8 ? '' : ` I know ${listed(names, 'and')}.`;
}

/** Several, for where the verb of the name is itself a value: "Open vent roof to 0 %", "Set vent roof to 0 %". */
export function canonicalPrompts(reading: CallReading, parameters: PlainParameters): readonly string[] {
  const plain = canonicalPrompt(reading, parameters);
  return [plain, plain.replace(/^\S+/, 'Set')];
}

/** A call as words that `interpret` reads back to the same call, for a step that needs no other words. */
export function canonicalPrompt({ fn }: CallReading, parameters: PlainParameters): string {
  const verb = wordsOf(fn.spec.name);
  const values = fn.parameters
    .filter(({ spec }) => spec.name in parameters)
    .map((parameter) => {
      const value = valueForPeople(parameter.spec, parameters[parameter.spec.name]);
      if (parameter.isFreeText) return `that ${value}`;
      return parameter.isNumeric ? `to ${value}` : value;
    });
  return capitalised(`${verb} ${values.join(' ')}`.trim());
}
