/** Ids of runs, asks and mutations, and the canonical text that hashes are made of. */
import { createHash, randomUUID } from 'node:crypto';

export const newId = (): string => randomUUID();

/** JSON with sorted keys: the same value always gives the same text. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value && typeof value === 'object') {
    const entries = Object.entries(value as Record<string, unknown>).filter(([, v]) => v !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** 32 hexadecimal digits of SHA-256. */
export const hash = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(canonical(parts)).digest('hex').slice(0, 32);

/** A UUID in the form of `newId`, always the same for the same values. */
export function uuidOf(...parts: readonly unknown[]): string {
  const digits = [...hash('uuid', ...parts)];
  digits[12] = '4';
  digits[16] = '8';
  return digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Id of a mutation made in a run (contracts.md 3): the key in the effect ledger. */
export const mutationId = (
  run: string,
  step: string,
  functionName: string,
  parameters: Readonly<Record<string, unknown>>,
  index: number,
): string => hash('mutation', run, step, functionName, parameters, index);

/** Id of application data on a board: of its content and its place (contracts.md 3). */
export const dataId = (functionName: string, parameters: Readonly<Record<string, unknown>>, index: number): string =>
  hash('data', functionName, parameters, index);

/** Ask ids (contracts.md 4): `ask:<run>/<step>`, asked anew on purpose `~<n>`. */
export const askId = (run: string, step: string, again = 0): string => `ask:${run}/${step}${again ? `~${again}` : ''}`;

export const isAskId = (text: unknown): text is string => typeof text === 'string' && /^ask:[^/\s]+\/\S+$/.test(text);

export { agentIdFrom, agentIdPattern } from './agent/agent-id.ts';

/** Run and step of an ask id; what hangs below a step (tools, memories) belongs to it. */
export function partsOfAskId(id: string): { run: string; step: string } {
  const [, run = '', step = ''] = /^ask:([^/\s]+)\/([^/\s]+)/.exec(id) ?? [];
  return { run, step };
}
