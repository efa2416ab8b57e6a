/** A question that no function answers by its words goes as it is to one that looks things up, such as a memory. */
import type { Clause } from './clause.ts';
import type { CompiledFunction, CompiledLanguage } from './compile.ts';
import type { Lists } from './lists.ts';
import type { CallReading } from './reading.ts';
import { textOf } from './tokens.ts';

/**
 * Only with a question word or the function's own words; what is denied or only thought of is looked up nowhere. Words
 * such as "leave" deny an order but no question: "where did I leave the key?"
 */
export function lookUp(clause: Clause, { functions, lists }: CompiledLanguage): CallReading | undefined {
  const { stems, sentence, from, to } = clause;
  if (stems.length < 2 || stems.some((stem) => lists.spreading.has(stem) || stem === 'if')) return undefined;
  const able = functions.filter(looksUp);
  const [fn] = able;
  const [parameter] = fn?.parameters ?? [];
  if (!fn || !parameter || able.length > 1 || !isToLookUp(clause, fn, lists)) return undefined;
  const calls = [{ [parameter.spec.name]: textOf(sentence, from, to) }];
  const isFallback = !isAskedByName(clause, fn);
  return { kind: 'call', clause, fn, calls, missing: [], outside: [], conflicts: [], isLookedUp: true, isFallback };
}

/** "do you remember …": with its own words. */
const isAskedByName = ({ stems }: Clause, fn: CompiledFunction): boolean =>
  fn.cues.some((cue) => cue.every((stem, at) => stems[at] === stem));

function isToLookUp(clause: Clause, fn: CompiledFunction, lists: Lists): boolean {
  const { stems, sentence, from, to, isQuestion } = clause;
  const [first = '', second = '', third = ''] = stems;
  // "tell me where …"
  if (lists.showing.has(first) && lists.speakers.has(second)) return lists.questionWords.has(third);
  if (isQuestion && isAskedByName(clause, fn)) return true;
  if (!isQuestion || !lists.questionWords.has(first)) return false;
  // Beside other clauses "when I …" is a condition and no question: "when is …" is one.
  const isWhole = from === 0 && to >= sentence.tokens.length;
  return isWhole || (lists.questionStarts.has(second) && !lists.questionWords.has(second));
}

/** It reads, and takes a query and nothing else. */
const looksUp = ({ spec, parameters }: CompiledFunction): boolean =>
  spec.risk === 'read' &&
  parameters.length === 1 &&
  parameters.every((one) => one.isFreeText && one.names.has('query'));
