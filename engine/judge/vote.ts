/** Counting what debaters want: by heads or by confidence. A tie is no decision, never a coin. */
import { canonical } from '../ids.ts';
import type { Mutation, Statement } from '../moot.ts';

/** `majority`: one voice each; the option with the most wins. `weighted`: the largest sum of confidence wins. */
export type VoteRule = 'majority' | 'weighted';

/** What can be decided: the same proposal, or without one the same claim, however many speak for it. */
export interface Option {
  /** The claim of the surest who speak for it; of options that read the same, later ones have a number behind. */
  readonly label: string;
  /** Of the surest. */
  readonly mutations: readonly Mutation[];
  /** The surest first; of those as sure as each other in the order of the statements. */
  readonly statements: readonly Statement[];
  /** Voices or confidence, by the rule. */
  readonly votes: number;
}

export interface Tally {
  /** Most votes first. */
  readonly options: readonly Option[];
  /** Absent: a tie, or nobody is sure of anything. */
  readonly winner?: Option;
  /** Of the winner: its part of all votes, 0 to 1. */
  readonly share: number;
}

/** Sums of decimals differ in the last digits; more than this is a difference that somebody meant. */
const grain = 1e9;
const rounded = (value: number): number => Math.round(value * grain) / grain;

/**
 * What a statement stands for. Proposals are compared as sets of commands; claims without case and punctuation.
 */
export function optionKey({ proposal, claim }: Pick<Statement, 'proposal' | 'claim'>): string {
  if (proposal.length === 0) return `claim:${plain(claim)}`;
  const calls = proposal.map((one) => canonical([one.function, one.parameters]));
  return `proposal:${[...new Set(calls)].sort().join()}`;
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** @param statements One of each debater, of one round, in the debaters' order. The order decides nothing but names. */
export function tally(statements: readonly Statement[], rule: VoteRule): Tally {
  const groups = new Map<string, Statement[]>();
  for (const one of statements) groups.set(optionKey(one), [...(groups.get(optionKey(one)) ?? []), one]);
  const labels = new Set<string>();
  const options = [...groups.values()]
    .map((group) => optionOf(group, rule, labels))
    .sort((one, other) => other.votes - one.votes);
  const [first, second] = options;
  const all = options.reduce((sum, { votes }) => sum + votes, 0);
  if (!first || first.votes <= 0 || first.votes === second?.votes) return { options, share: 0 };
  return { options, winner: first, share: Math.round((first.votes / all) * 1000) / 1000 };
}

function optionOf(group: readonly Statement[], rule: VoteRule, labels: Set<string>): Option {
  const statements = [...group].sort((one, other) => other.confidence - one.confidence);
  const claim = statements[0]?.claim ?? '';
  let label = claim;
  for (let n = 2; labels.has(label); n += 1) label = `${claim} (${n})`;
  labels.add(label);
  const sum = rounded(group.reduce((total, { confidence }) => total + confidence, 0));
  return {
    label,
    mutations: statements[0]?.proposal ?? [],
    statements,
    votes: rule === 'majority' ? group.length : sum,
  };
}

/** Whether at least two spoke and all want the same. */
export const isConsensus = (statements: readonly Statement[]): boolean =>
  statements.length > 1 && new Set(statements.map(optionKey)).size === 1;
