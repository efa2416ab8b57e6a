/** Which memories answer a question: by words and by embedding, the two rankings joined by reciprocal rank fusion. */
import type { MemoryRecord } from './memory.ts';
import { contentTerms, coverage, termsOf } from './terms.ts';

export interface Recalled {
  readonly record: MemoryRecord;
  /** How like it is to the question, 0 to 1: the better of words and embedding. */
  readonly score: number;
  /** All content of the question is in it, or it is very like the question. */
  readonly isSure: boolean;
}

export interface RankOptions {
  readonly query: string;
  readonly records: readonly MemoryRecord[];
  /** Cosine by id, from the index; absent ones weren't found there. */
  readonly likeness: ReadonlyMap<string, number>;
  readonly threshold: number;
  readonly k: number;
}

/** The usual constant of reciprocal rank fusion. */
const fusion = 60;
const sureLikeness = 0.6;

/** Best first; of equals the newest. A question for everything ("what do you remember?") gives the newest. */
export function rank({ query, records, likeness, threshold, k }: RankOptions): readonly Recalled[] {
  const newest = [...records].sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
  const wanted = contentTerms(query);
  if (isForEverything(query)) return newest.slice(0, k).map((record) => ({ record, score: 1, isSure: true }));
  const judged = newest.map((record) => ({
    record,
    words: coverage(wanted, record.text),
    // One step is a tenth: smaller differences say less than which is newer.
    like: Math.round(Math.max(0, likeness.get(record.id) ?? 0) * 10) / 10,
    exact: Math.max(0, likeness.get(record.id) ?? 0),
  }));
  const fitting = judged.filter(({ words, exact }) => Math.max(words, exact) >= threshold);
  const [byWords, byLikeness] = [placesOf(fitting.map((one) => one.words)), placesOf(fitting.map((one) => one.like))];
  const fused = (one: (typeof fitting)[number]): number =>
    (one.words > 0 ? 1 / (fusion + byWords(one.words)) : 0) + (one.like > 0 ? 1 / (fusion + byLikeness(one.like)) : 0);
  return fitting
    .map((one) => ({ ...one, fused: fused(one) }))
    .sort((a, b) => b.fused - a.fused)
    .slice(0, k)
    .map(({ record, words, exact }) => ({
      record,
      score: Math.min(1, Math.max(words, exact)),
      isSure: words === 1 || exact >= sureLikeness,
    }));
}

/** The place of a value among others, from 1; equal values share one. */
function placesOf(values: readonly number[]): (value: number) => number {
  const steps = [...new Set(values)].sort((a, b) => b - a);
  return (value) => steps.indexOf(value) + 1;
}

const everything = new Set(['everything', 'anything', 'all', 'memories', 'memory', 'things', 'something', 'list']);
const recalling = new Set(['remember', 'recall', 'know', 'told', 'said', 'remind']);

/** "what do you remember?", "everything": nothing is asked for in particular. */
export function isForEverything(query: string): boolean {
  const terms = termsOf(query);
  const wanted = contentTerms(query);
  if (terms.length === 0) return true;
  return wanted.length > 0 ? wanted.every((term) => everything.has(term)) : terms.some((term) => recalling.has(term));
}

/** "everything", "all you know about me": said in so many words, for what is forgotten is gone. */
export function isForAll(query: string): boolean {
  const wanted = contentTerms(query);
  return wanted.some((term) => all.has(term)) && wanted.every((term) => all.has(term) || term.startsWith('memor'));
}

const all = new Set(['everything', 'all']);
