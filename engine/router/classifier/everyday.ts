/** The everyday words by what they are about, looked up by words as they are said. */
import { stemOf } from '../../model/rules/tokens.ts';
import { actions, fields, kinds, neutral, otherVerbs } from './everyday.en.ts';

export interface Meaning {
  /** `light`, `animal`, … */
  readonly name: string;
  readonly sort: 'field' | 'action' | 'kind';
}

export const keyOf = (phrase: string): string => phrase.split(' ').map(stemOf).join(' ');

type Index = ReadonlyMap<string, readonly Meaning[]>;

const add = (index: Map<string, Meaning[]>, phrase: string, meaning: Meaning): void => {
  const key = keyOf(phrase);
  const known = index.get(key) ?? [];
  if (!known.some(({ name, sort }) => name === meaning.name && sort === meaning.sort))
    index.set(key, [...known, meaning]);
};

function indexed(side: 'said' | 'described'): Index {
  const index = new Map<string, Meaning[]>();
  for (const [name, words] of Object.entries(fields))
    for (const word of words) add(index, word, { name, sort: 'field' });
  for (const [name, words] of Object.entries(actions))
    for (const word of words) add(index, word, { name, sort: 'action' });
  for (const [name, { heads, members }] of Object.entries(kinds))
    for (const word of side === 'said' ? [...members, ...heads] : heads) add(index, word, { name, sort: 'kind' });
  return index;
}

const said = indexed('said');
const described = indexed('described');

/** What somebody who says this word or phrase talks about. */
export const meaningsOf = (key: string): readonly Meaning[] => said.get(key) ?? [];

/** What somebody who is described with this word or phrase is there for. */
export const purposesOf = (key: string): readonly Meaning[] => described.get(key) ?? [];

/** Words in the longest phrase that is known. */
export const longestPhrase = Math.max(...[...said.keys()].map((key) => key.split(' ').length));

/** Every single word of them. */
export const everydayWords: ReadonlySet<string> = new Set([
  ...[...said.keys()].flatMap((key) => key.split(' ')),
  ...neutral,
  ...otherVerbs,
]);

const memberKeys = new Map(
  Object.entries(kinds).map(([name, { members }]) => [name, new Set(members.map(keyOf))] as const),
);

/** "table" is a thing of the kind furniture, "furniture" is not. */
export const isOfKind = (kind: string, key: string): boolean => memberKeys.get(kind)?.has(key) ?? false;
