/** How complex a sentence is, without understanding it (seed-contracts.md P19). */
import type { Token } from '../../model/rules/tokens.ts';

export interface Complexity {
  readonly words: number;
  /** Different words of all, 0 to 1: who says several things says "the" and "and" again. */
  readonly typeTokenRatio: number;
  /** Words that are said once, of all, 0 to 1. */
  readonly hapaxShare: number;
  /** "and", "then", "but" … and commas. */
  readonly joints: number;
  readonly verbs: number;
  /** From 0, plain; above 1 it is composite, whoever it is for. */
  readonly score: number;
}

const joints = new Set(['and', 'then', 'but', 'plus', 'also', 'so', 'because', 'while', 'before', 'after', 'or']);

/** @param verbs How many clauses have a verb of their own. */
export function complexityOf(tokens: readonly Pick<Token, 'text' | 'before'>[], verbs: number): Complexity {
  const counts = new Map<string, number>();
  for (const { text } of tokens) counts.set(text, (counts.get(text) ?? 0) + 1);
  const words = tokens.length;
  const typeTokenRatio = words ? counts.size / words : 1;
  const hapaxShare = words ? [...counts.values()].filter((count) => count === 1).length / words : 1;
  const joined = tokens.filter(({ text, before }, at) => joints.has(text) || (at > 0 && /[,;:]/.test(before))).length;
  const score =
    0.12 * joined +
    0.15 * Math.max(0, verbs - 1) +
    0.6 * (1 - typeTokenRatio) +
    0.4 * (1 - hapaxShare) +
    Math.max(0, words - 12) / 40;
  return { words, typeTokenRatio, hapaxShare, joints: joined, verbs, score };
}
