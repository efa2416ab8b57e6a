/** A team seen through one language. */
import type { Language } from '../../engine/language/language.ts';
import type { TeamMember } from '../../engine/router/team.ts';

/** A node with a language of its own uses its team for that only. Without one: all of it. */
export function within(language: Language | undefined, team: readonly TeamMember[]): readonly TeamMember[] {
  if (!language) return team;
  const isIn = (name: string) => language.find(name)?.name === name;
  return team.map((member) => ({
    ...member,
    accepts: member.accepts.filter(isIn),
    generates: member.generates.filter(isIn),
    functions: member.functions.filter(({ name }) => isIn(name)),
  }));
}
