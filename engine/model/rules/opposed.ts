/** Clauses of one sentence that set the same thing to different values. */
import { excludedPair } from './contradictions.ts';
import type { CallReading, Reading } from './reading.ts';
import { plainWordsOf } from './said.ts';

type Request = Extract<Reading, { kind: 'call' | 'tie' }>;

/** Two calls that set the same thing to different values: neither acts, and the person is asked. */
export function withoutOpposed(requests: readonly Request[]): readonly Request[] {
  return requests.map((request) => {
    if (request.kind !== 'call') return request;
    const own = contradictionsIn(request);
    const others = requests.filter(
      (other): other is CallReading => other !== request && other.kind === 'call' && other.fn === request.fn,
    );
    const namesOf = (other: CallReading) =>
      other.calls.flatMap((theirs) => request.calls.flatMap((mine) => clashes(request, mine, theirs)));
    const names = others.flatMap(namesOf);
    const conflicts = [...new Set([...request.conflicts, ...own, ...names])];
    const other = others.find((one) => namesOf(one).length > 0);
    if (!other) return conflicts.length ? { ...request, conflicts } : request;
    const words = (requests.indexOf(other) < requests.indexOf(request) ? [other, request] : [request, other]).map(
      plainWordsOf,
    );
    return { ...request, conflicts, doubt: { kind: 'together', names, words } };
  });
}

const contradictionsIn = (request: CallReading): string[] =>
  request.calls.flatMap((mine, index) =>
    request.calls.slice(index + 1).flatMap((theirs) => clashes(request, mine, theirs)),
  );

/** Names of settings that differ although everything that must be given from a list is the same. */
function clashes(
  { fn }: CallReading,
  mine: CallReading['calls'][number],
  theirs: CallReading['calls'][number],
): string[] {
  const isPlace = (name: string) => {
    const parameter = fn.parameters.find((one) => one.spec.name === name);
    return Boolean(parameter?.spec.required && !parameter.isNumeric && parameter.spec.allowedValues?.length);
  };
  if (fn.parameters.some((one) => one.isFreeText && one.spec.required)) return [];
  const places = fn.parameters.map(({ spec }) => spec.name).filter(isPlace);
  if (places.some((name) => mine[name] !== theirs[name])) return [];
  const isExcluded = excludedPair(fn, (name) => mine[name] ?? theirs[name]);
  if (isExcluded && !excludedPair(fn, (name) => mine[name]) && mine !== theirs) return [...isExcluded];
  return Object.keys(mine).filter((name) => !isPlace(name) && name in theirs && mine[name] !== theirs[name]);
}
