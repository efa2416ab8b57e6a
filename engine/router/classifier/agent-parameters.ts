/** The values that a sentence gives for an agent's own parameters. */
import { wordsOf } from '../../language/words.ts';
import type { Token } from '../../model/rules/tokens.ts';
import { baseForms } from './base-forms.ts';
import { keyOf, isOfKind, purposesOf } from './everyday.ts';
import { isContent } from './place.ts';
import type { Reading } from './reading.ts';
import { lists } from './profile-words.ts';
import type { Profile } from './profile.ts';

/** Undefined: there may be values that it can't be sure of. */
export function agentParameters(
  { member }: Profile,
  readings: readonly Reading[],
): Record<string, string[]> | undefined {
  const found: Record<string, string[]> = {};
  for (const name of member.parameters) {
    const words = wordsOf(name.replaceAll('-', ' ')).split(' ');
    const kind = words.flatMap((word) => purposesOf(keyOf(word))).find(({ sort }) => sort === 'kind')?.name;
    const enumerated = valuesNamed(
      words,
      member.functions.filter((spec) => member.generates.includes(spec.name)),
    );
    const among = (told: boolean) =>
      readings
        .filter(({ clause }) => (clause.mood === 'statement') === told)
        .flatMap(({ clause: { tokens } }) =>
          kind ? thingsOf(kind, tokens) : enumerated ? valuesIn(enumerated, tokens) : [undefined],
        );
    // "The table is in the way, move it to the back": what was told before counts where the order names nothing.
    const ordered = among(false);
    const values = ordered.length ? ordered : among(true);
    const isAll = enumerated !== undefined && values.length < 2 && saysAny(readings, all);
    const isKind = kind !== undefined && saysAny(readings, new Set(words));
    if (values.includes(undefined) || isAll || isKind) return undefined;
    const sure = values.filter((value) => value !== undefined);
    if (sure.length) found[name] = [...new Set(sure)];
  }
  return found;
}

const all = new Set(['both', 'all', 'whole', 'entire', 'each', 'every', 'other']);

/** "both ends" are values that are not named; "the furniture" may be one or none. */
const saysAny = (readings: readonly Reading[], words: ReadonlySet<string>): boolean =>
  readings.some(({ clause }) => clause.tokens.some(({ text, stem }) => words.has(text) || words.has(stem)));

const places = new Set('side end part area zone half'.split(' '));

/** The allowed values of the function parameter of that name: "pool-side" and "end" are both a place. */
function valuesNamed(
  words: readonly string[],
  functions: Profile['member']['functions'],
): readonly string[] | undefined {
  const parameters = functions.flatMap((spec) => spec.parameters).filter(({ allowedValues }) => allowedValues?.length);
  const fits = parameters.find(({ name, label }) => {
    const own = wordsOf(label ?? name).split(' ');
    return (
      own.some((word) => words.includes(word)) ||
      (own.some((word) => places.has(word)) && words.some((word) => places.has(word)))
    );
  });
  return fits?.allowedValues;
}

const valuesIn = (values: readonly string[], tokens: readonly Token[]): string[] =>
  values
    .map((value) => ({ value, at: tokens.findIndex(({ stem }) => stem === keyOf(value)) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);

/** "the table and the two loungers", as they were said. A word before that isn't known may belong to the name. */
function thingsOf(kind: string, tokens: readonly Token[]): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  for (let at = 0; at < tokens.length;) {
    const length = [3, 2, 1].find((most) => isThing(kind, tokens.slice(at, at + most), most));
    if (!length) {
      at += 1;
      continue;
    }
    const before = tokens[at - 1];
    const isNamed =
      before !== undefined && !tokens[at]?.before && isContent(before) && !lists.lightVerbs.has(before.text) && at > 1;
    found.push(
      isNamed
        ? undefined
        : tokens
            .slice(at, at + length)
            .map(({ text }) => text)
            .join(' '),
    );
    at += length;
  }
  return found;
}

function isThing(kind: string, tokens: readonly Token[], length: number): boolean {
  const last = tokens.at(-1);
  if (tokens.length !== length || !last || tokens.slice(1).some(({ before }) => before)) return false;
  const start = tokens.slice(0, -1).map(({ stem }) => stem);
  return baseForms(last.text).some((form) => isOfKind(kind, [...start, form].join(' ')));
}
