/** Which steps wait for which: only for earlier ones, so a plan has no circles by construction. */
import type { FunctionSpec } from '../language/function-spec.ts';
import { namesWithFollowing } from '../language/following.ts';
import type { PlanStep } from '../moot.ts';
import type { TeamMember } from './team.ts';

/** A step on its way into a plan. */
export interface StepDraft {
  /** Absent: nobody is asked (refused). */
  readonly member?: TeamMember;
  /** Positions from 0 that the planner named. */
  readonly after: readonly number[];
}

/**
 * Positions that each step waits for, ascending: those that the planner named, if they are earlier, and earlier steps that
 * may bring what this one's agent accepts (what they may generate and the consequences of that).
 */
export function dependencies(drafts: readonly StepDraft[], team: readonly TeamMember[]): number[][] {
  const specs = specsOf(team);
  const brings = drafts.map(({ member }) => (member ? broughtBy(member, specs) : new Set<string>()));
  return drafts.map((draft, position) => {
    const earlier = Array.from({ length: position }, (_, index) => index);
    const accepts = draft.member?.accepts ?? [];
    return earlier.filter((index) => draft.after.includes(index) || accepts.some((name) => brings[index]?.has(name)));
  });
}

/** Every function of the team by name. */
export function specsOf(team: readonly TeamMember[]): Map<string, FunctionSpec> {
  return new Map(team.flatMap((member) => member.functions.map((spec) => [spec.name, spec] as const)));
}

/** What an agent may put on the board: what it may generate, and all that follows from that. */
export function broughtBy(
  member: Pick<TeamMember, 'generates'>,
  specs: ReadonlyMap<string, FunctionSpec>,
): ReadonlySet<string> {
  return namesWithFollowing(member.generates, (name) => specs.get(name));
}

/**
 * The ids of steps that run at the same time, stage by stage; as many stages as the longest chain is long. Steps may stand
 * in any order, for people write plans too; what one waits for and isn't there, or waits for it in turn, doesn't count.
 */
export function stagesOf(steps: readonly Pick<PlanStep, 'id' | 'after'>[]): string[][] {
  const waitsFor = new Map(steps.map(({ id, after }) => [id, after]));
  const known = new Map<string, number>();
  function stageOf(id: string, behind: readonly string[]): number {
    const found = known.get(id);
    if (found !== undefined) return found;
    const earlier = waitsFor.get(id);
    if (!earlier || behind.includes(id)) return -1;
    const stage = Math.max(-1, ...earlier.map((other) => stageOf(other, [...behind, id]))) + 1;
    known.set(id, stage);
    return stage;
  }
  const stages: string[][] = [];
  for (const { id } of steps) (stages[stageOf(id, [])] ??= []).push(id);
  return stages;
}
