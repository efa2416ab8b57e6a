/** What a report of commands does not tell: answers without commands, refusals, questions. */
import type { Mutation, Plan } from '../moot.ts';

/**
 * Texts of steps that brought no commands and what others left undone, then the plan's questions; each once, one a line.
 * Empty: there is no rest.
 */
export function restOf(plan: Plan, mutations: readonly Pick<Mutation, 'step'>[]): string {
  const acted = new Set(mutations.map(({ step }) => step));
  const texts = plan.steps.map(({ id, text, rest }) => (acted.has(id) ? rest : text));
  return sentences([...texts, ...(plan.questions ?? [])]);
}

/** Each text once, one a line, without empty ones. */
export const sentences = (texts: readonly (string | undefined)[]): string =>
  [...new Set(texts.map((text) => text?.trim()).filter((text) => text))].join('\n');
