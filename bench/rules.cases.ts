/** The form of the home commands: text, expected function and values, and what is known in that home. */
import type { FunctionSpec } from '../engine/language/function-spec.ts';
import { fillPlaceholders } from '../engine/language/placeholders.ts';
import type { KnownThings } from '../engine/language/placeholders.ts';
import { compiled } from '../engine/model/rules/compiled.ts';
import { interpret } from '../engine/model/rules/interpret.ts';
import { isActing } from '../engine/model/rules/reading.ts';
import { questionOf, refusalOf, tieQuestion, unclearMessage } from '../engine/model/rules/said.ts';
import type { Interpretation } from '../engine/model/rules/interpret.ts';
import type { Call, Verdict } from './rules.sets.ts';

export interface BenchCase {
  readonly text: string;
  readonly intent: string;
  readonly slots: Readonly<Record<string, string | number | boolean>>;
  readonly areas: readonly string[];
  readonly floors: readonly string[];
  readonly entities: NonNullable<KnownThings['entities']>;
}

export interface BenchResult {
  readonly total: number;
  readonly right: number;
  readonly asked: number;
  readonly wrong: number;
  readonly perSecond: number;
  readonly cases: readonly {
    readonly text: string;
    readonly expected: Call;
    readonly got: readonly Call[];
    readonly reply: string;
    readonly verdict: Verdict;
  }[];
}

export const functionsOf = (functions: readonly FunctionSpec[]): number => functions.length;

/** Each case in its own home: the placeholders of the specs are filled from it. */
export function measure(cases: readonly BenchCase[], functions: readonly FunctionSpec[]): BenchResult {
  const prepared = cases.map((one) => ({ one, language: compiled(withKinds(fillPlaceholders(functions, one), one)) }));
  for (const { one, language } of prepared) interpret(one.text, language);
  const begun = performance.now();
  const read = prepared.map(({ one, language }) => ({ one, understood: interpret(one.text, language) }));
  const seconds = (performance.now() - begun) / 1000;
  const results = read.map(({ one, understood }) => {
    const got = callsOf(understood);
    const expected = { function: one.intent, parameters: one.slots };
    return { text: one.text, expected, got, reply: replyOf(understood), verdict: verdictFor(got, expected) };
  });
  const count = (verdict: Verdict) => results.filter((one) => one.verdict === verdict).length;
  return {
    total: results.length,
    right: count('right'),
    asked: count('asked'),
    wrong: count('wrong'),
    perSecond: cases.length / Math.max(seconds, 1e-6),
    cases: results,
  };
}

/** A thing may be called with its kind behind its name: "play corner light". */
function withKinds(functions: readonly FunctionSpec[], { entities }: BenchCase): FunctionSpec[] {
  const kinds = entities.map(({ name, domain }) => [name, `${name} ${domain.replaceAll('_', ' ')}`] as const);
  return functions.map((spec) => ({
    ...spec,
    parameters: spec.parameters.map((parameter) => {
      const own = kinds.filter(([name]) => parameter.allowedValues?.includes(name));
      if (!own.length) return parameter;
      return {
        ...parameter,
        synonyms: { ...parameter.synonyms, ...Object.fromEntries(own.map(([name, kind]) => [name, [kind]])) },
      };
    }),
  }));
}

const callsOf = ({ requests }: Interpretation): Call[] =>
  requests
    .filter(isActing)
    .flatMap(({ fn, calls }) => calls.map((parameters) => ({ function: fn.spec.name, parameters })));

function replyOf({ requests, unclear }: Interpretation): string {
  if (unclear) return unclearMessage(unclear);
  return requests
    .map((one) => {
      if (one.kind === 'tie')
        return tieQuestion(
          one.matches.map(({ fn }) => fn.spec),
          '',
        );
      if (isActing(one)) return 'Done.';
      return one.outside.length ? refusalOf(one) : questionOf(one, '');
    })
    .join(' ');
}

/** Asked: nothing was called. Right: exactly the function with exactly the values. */
function verdictFor(got: readonly Call[], expected: Call): Verdict {
  if (!got.length) return 'asked';
  const [only] = got;
  return got.length === 1 && only && keyOf(only) === keyOf(expected) ? 'right' : 'wrong';
}

const keyOf = ({ function: name, parameters }: Call): string =>
  JSON.stringify([
    name,
    Object.entries(parameters)
      .map(([key, value]) => [
        key,
        typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)) ? Number(value) : value,
      ])
      .map(([key, value]) => [key, typeof value === 'string' ? value.toLowerCase() : value])
      .sort(),
  ]);
