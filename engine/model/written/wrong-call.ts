/** What a model is told of a call that it wrote and that is none: with the nearest names that there are. */
import { quoted } from '../../language/words.ts';

const mostNames = 5;

export function wrongCallFinding(
  { name, why }: { readonly name: string; readonly why: 'unknown' | 'arguments' },
  offered: readonly { readonly name: string }[],
): string {
  if (why === 'arguments') return `The arguments of ${quoted(name)} do not fit its schema.`;
  const names = nearestNames(
    name,
    offered.map((one) => one.name),
  );
  return `There is no tool ${quoted(name)}; there are ${names.join(', ')}${names.length < offered.length ? ' and others' : ''}.`;
}

/** The most similar first: by pairs of letters that both have. */
export function nearestNames(name: string, names: readonly string[]): readonly string[] {
  const wanted = pairsOf(name);
  const likeness = (other: string) => {
    const pairs = pairsOf(other);
    return (2 * [...wanted].filter((pair) => pairs.has(pair)).length) / Math.max(1, wanted.size + pairs.size);
  };
  return [...names].sort((a, b) => likeness(b) - likeness(a)).slice(0, mostNames);
}

const pairsOf = (name: string): ReadonlySet<string> => {
  const plain = name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  return new Set([...plain].slice(1).map((letter, at) => `${plain[at] ?? ''}${letter}`));
};
