/** What a run, or one agent's piece of work, may cost at most; reaching it ends what is under way (contracts.md 3, `limit`). */
import { folkmootError } from '../errors.ts';
import type { Usage } from '../moot.ts';

/** 0 or absent: no limit. */
export interface UsageLimits {
  readonly modelCalls?: number;
  readonly toolCalls?: number;
  /** In and out together. */
  readonly tokens?: number;
  /** In the currency of the models. */
  readonly cost?: number;
}

const kinds: readonly (readonly [keyof UsageLimits, (usage: Usage) => number, string])[] = [
  ['modelCalls', ({ modelCalls }) => modelCalls, 'calls of the AI model'],
  ['toolCalls', ({ toolCalls }) => toolCalls, 'calls of tools'],
  ['tokens', ({ tokensIn, tokensOut }) => tokensIn + tokensOut, 'tokens'],
  ['cost', ({ cost }) => cost, 'costs'],
];

/** Why no more may be spent, for people; undefined: there is something left. */
export function overLimit(limits: UsageLimits | undefined, usage: Usage): string | undefined {
  const found = kinds.find(([kind, spent]) => {
    const most = limits?.[kind] ?? 0;
    return most > 0 && spent(usage) >= most;
  });
  if (!found) return undefined;
  const [kind, , words] = found;
  const most = limits?.[kind] ?? 0;
  const amount = kind === 'cost' ? `costs of ${most} ${usage.currency}`.trim() : `${most} ${words}`;
  return `I stopped: ${amount} are the most for one request.`;
}

/** Throws FOLKMOOT_LIMIT with what was found out so far, when no more may be spent. */
export function checkLimit(limits: UsageLimits | undefined, usage: Usage, partial = ''): void {
  const why = overLimit(limits, usage);
  if (why !== undefined)
    throw Object.assign(folkmootError('FOLKMOOT_LIMIT', why), { partial, forPeople: why, toolCalls: usage.toolCalls });
}

/** How many tools had been called when it was thrown; 0 for any other error. */
export const toolCallsOf = (thrown: unknown): number =>
  typeof thrown === 'object' && thrown !== null && 'toolCalls' in thrown ? Number(thrown.toolCalls) : 0;

/** What such an error says to people, with what was found out so far. */
export function limitWords(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('forPeople' in thrown)) return undefined;
  const { partial = '', forPeople } = thrown as { partial?: unknown; forPeople: unknown };
  return [partial, forPeople].map(String).filter(Boolean).join(' ');
}
