/** A question that no function answers by its words goes as it is to one that looks things up, such as a memory. */
import type { Clause } from './clause.ts';
import type { CompiledFunction, CompiledLanguage } from './compile.ts';
import type { CallReading } from './reading.ts';
import { textOf } from './tokens.ts';

/** Only with a question word or the function's own words; what is denied or only thought of is looked up nowhere. */
export function lookUp(clause: Clause, { functions, lists }: CompiledLanguage): CallReading | undefined {
  const { stems, sentence, from, to } = clause;
  if (!clause.isQuestion || stems.length < 2 || stems.some((stem) => lists.negators.has(stem) || stem === 'if'))
    return undefined;
  const able = functions.filter(looksUp);
  const [fn] = able;
  if (!fn || able.length > 1) return undefined;
  const isCalled = fn.cues.some((cue) => cue.every((stem, at) => stems[at] === stem));
  const [parameter] = fn.parameters;
  if (!parameter || (!lists.questionWords.has(stems[0] ?? '') && !isCalled)) return undefined;
  const calls = [{ [parameter.spec.name]: textOf(sentence, from, to) }];
  return { kind: 'call', clause, fn, calls, missing: [], outside: [], conflicts: [], isLookedUp: true };
}

/** It reads, and takes a query and nothing else. */
const looksUp = ({ spec, parameters }: CompiledFunction): boolean =>
  spec.risk === 'read' &&
  parameters.length === 1 &&
  parameters.every((one) => one.isFreeText && one.names.has('query'));
