/** Planning for an agent that works alone: there is nobody to choose, so no model is called for it. */
import type { Model } from '../model/model.ts';
import { emptyUsage } from '../model/usage.ts';
import { plannerOf } from './plan.ts';
import type { CallPlanner } from './plan.ts';

/**
 * One step with the request as it came. `rules` plans all the same: that costs nothing, and it is there that it joins an
 * answer with the question that waits for it and finds the standing order of an event.
 */
export const plannerForOne =
  (model: Model, agentId: string): CallPlanner =>
  (call) => {
    if (model.settings.provider === 'rules') return plannerOf(model)(call);
    const { request, pending } = call.data;
    const prompt = pending ? `${pending.request}\n${pending.question}\n${request}` : request;
    const args = { message: '', steps: [{ agent: agentId, prompt }] };
    return Promise.resolve({ text: '', calls: [{ name: 'make_plan', args }], usage: emptyUsage });
  };
