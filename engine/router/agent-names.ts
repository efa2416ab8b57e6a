/** Names of agents as a model writes them, and whom it means. */
import { chatAgentId } from './team.ts';
import type { TeamMember } from './team.ts';

/** Letters and digits only: "Lawn Mower", "lawn_mower" and "lawn-mower" are one name. */
const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/**
 * Finds whom a written name means: the exact id, else the same id or name but for case, spaces, dashes and underscores,
 * else the only one within one edit. Of two agents with one name the first is meant (row 61). `undefined`: nobody.
 */
export function mendAgent(written: string, team: readonly TeamMember[]): TeamMember | undefined {
  const exact = team.find((member) => member.agentId === written);
  if (exact) return exact;
  const name = folded(written);
  if (!name) return undefined;
  const namesOf = (member: TeamMember) => [folded(member.agentId), folded(member.name)];
  const same = team.find((member) => namesOf(member).includes(name));
  if (same) return same;
  const near = team.filter((member) => namesOf(member).some((other) => withinOneEdit(name, other)));
  return near.length === 1 ? near[0] : undefined;
}

/** Whether a written name means the fallback that nobody is asked for. */
export const meansChat = (written: string): boolean => folded(written) === chatAgentId;

/** One letter more, less, other, or two neighbours swapped. Names below four letters are never mended. */
export function withinOneEdit(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < 4 || Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  const most = Math.min(one.length, other.length) - start;
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const left = one.slice(start, one.length - end);
  const right = other.slice(start, other.length - end);
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && left === [...right].reverse().join('');
}
