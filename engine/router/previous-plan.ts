/** A plan made before, as the planner is shown it (row 50). */
import type { PlanAnswer } from '../model/model.ts';
import type { Plan } from '../moot.ts';

export const previousPlan = ({ message, steps }: Plan): Pick<PlanAnswer, 'message' | 'steps'> => ({
  message,
  steps: steps.map(({ agent, prompt, parameters }) => ({ agent, prompt, parameters })),
});
