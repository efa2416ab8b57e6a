/** What people are told of the commands of a run: one sentence for each, then what no command covers. */
import type { FunctionSpec } from '../language/function-spec.ts';
import { sentenceOf } from '../language/sentence.ts';
import type { Moot, Mutation, Parameters, ReportLine } from '../moot.ts';
import { restOf } from '../plan/rest.ts';

/** What became of one command. */
export interface Result {
  readonly mutation: Mutation;
  readonly state: ReportLine['state'];
  /** For people; a full sentence. */
  readonly reason?: string;
  /** Absent: it is not in the language. */
  readonly spec?: FunctionSpec;
}

export interface Report {
  /** Sentences for people, one a line. */
  readonly payload: unknown;
  readonly lines: readonly ReportLine[];
}

export const reasons = {
  notInLanguage: 'That is not something I can do.',
  noRow: 'Nothing is set up here to carry it out.',
  unconnected: 'Nothing is connected here to carry it out.',
  critical: 'It needs the consent of a person, and nobody can be asked here.',
  criticalAgain: 'It is done only when somebody asks for it.',
  notFinished: 'The request was not finished.',
  paused: 'The house is paused, so nothing is done.',
  shadow: 'The house only tries things out, so nothing was really done.',
  cancelled: 'That was cancelled, so nothing was done.',
} as const;

const isShadow = ({ state, reason }: Result): boolean => state === 'board only' && reason === reasons.shadow;

/** Of commands that came while the house is paused. */
export const pausedReport = (mutations: readonly Mutation[]): Report => ({
  payload: reasons.paused,
  lines: mutations.map(({ id, function: name }) => ({ id, function: name, state: 'refused', reason: reasons.paused })),
});

/** Of commands whose message says that they shall not be carried out. What else the run has to say is told. */
export function cancelledReport({ mutations = [], plan, verdict }: Pick<Moot, 'mutations'> & Decided): Report {
  const rest = plan ? restOf(plan, mutations) : '';
  const refused = mutations.map((mutation): Result => ({ mutation, state: 'refused', reason: reasons.cancelled }));
  return {
    payload: [reasons.cancelled, rest, verdict?.rest].filter(Boolean).join('\n'),
    lines: refused.map(lineOf),
  };
}

const lineOf = ({ mutation, state, reason }: Result): ReportLine => ({
  id: mutation.id,
  function: mutation.function,
  state,
  ...(reason ? { reason } : {}),
  ...(mutation.again === undefined ? {} : { again: mutation.again }),
});

/** What the commands come from: a plan, or what a judge decided. */
type Decided = Pick<Moot, 'plan' | 'verdict'>;

/**
 * The report of a run. Without commands, and when there is nothing to say of them, the payload goes on as it is.
 * @param payload What the run answered.
 */
export function reportOf(results: readonly Result[], payload: unknown, { plan, verdict }: Decided): Report {
  if (results.length === 0) return { payload, lines: [] };
  const told = results.map(wordsFor).filter((words) => words !== '');
  const mutations = results.map(({ mutation }) => mutation);
  const rest = plan ? restOf(plan, mutations) : '';
  const first = results.some(isShadow) ? [reasons.shadow] : [];
  const text = [...first, ...againWords(results), ...told, ...[rest, verdict?.rest].filter(Boolean)].join('\n');
  // A board in between has put its list there.
  const words = Array.isArray(payload) ? (plan?.message ?? '') : payload;
  return { payload: text === '' ? words : text, lines: results.map(lineOf) };
}

/** The report of a run that ended badly: what it says itself, then what it would have done. */
export function unfinishedReportOf(results: readonly Result[], payload: unknown): Report {
  const told = results.map(wordsFor).filter((words) => words !== '');
  const text = typeof payload === 'string' ? [payload, ...told].join('\n') : payload;
  return { payload: text, lines: results.map(lineOf) };
}

/** The report of a failure that came after the report. */
export function lateReportOf(result: Result): Report {
  return { payload: `Not done after all: ${sentence(result)}${reasonOf(result)}`, lines: [lineOf(result)] };
}

/** A fresh start may do hundreds of things: they are counted, and named only where twice may be too often. */
function againWords(results: readonly Result[]): string[] {
  const again = results.filter(({ state, mutation }) => state === 'applied' && mutation.again !== undefined);
  if (again.length === 0) return [];
  const count = again.length === 1 ? 'One thing from before was' : `${again.length} things from before were`;
  const onceOnly = again.filter(({ spec }) => !spec?.repeatable).map(sentence);
  const named = onceOnly.length ? [`Not meant to be done twice, and done again: ${onceOnly.join(' ')}`] : [];
  return [`${count} done again.`, ...named];
}

function wordsFor(result: Result): string {
  switch (result.state) {
    case 'applied':
      return result.mutation.again === undefined ? sentence(result) : '';
    case 'board only':
      return isShadow(result) ? `Would have been done: ${sentence(result)}` : '';
    case 'unknown':
      return `It is not known whether this was done: ${sentence(result)}`;
    case 'refused':
    case 'failed':
      return result.spec ? `Not done: ${sentence(result)}${reasonOf(result)}` : `Not done.${reasonOf(result)}`;
  }
}

const reasonOf = ({ reason }: Result): string => (reason ? ` ${closed(reason)}` : '');

function sentence({ spec, mutation }: Result): string {
  return closed(spec ? sentenceOf(spec, knownValues(spec, mutation.parameters)) : 'something that I cannot do');
}

const closed = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** A refused command may hold anything: only values of parameters that exist are told, and no long ones. */
function knownValues(spec: FunctionSpec, parameters: Readonly<Record<string, unknown>>): Parameters {
  const names = new Set(spec.parameters.map(({ name }) => name));
  const isTold = (value: unknown) =>
    ['string', 'number', 'boolean'].includes(typeof value) || (JSON.stringify(value) ?? 'null').length <= 1_000;
  const known = Object.entries(parameters).filter(
    ([name, value]) => names.has(name) && value !== null && isTold(value),
  );
  return Object.fromEntries(known.map(([name, value]) => [name, shortened(value)])) as Parameters;
}

const shortened = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/\p{Cc}+/gu, ' ').slice(0, 200) : value;
