/** Planning for an agent elsewhere: the request as it came is its one step, for what it understands is its own affair. */
import { emptyUsage } from '../model/usage.ts';
import type { CallPlanner } from './plan.ts';

/** @param byRules Joins an answer with the question that waits for it, for nobody elsewhere knows of that one. */
export const passOn =
  (agentId: string, byRules: CallPlanner): CallPlanner =>
  async (call) => {
    const { request, pending } = call.data;
    const joined = pending ? await byRules(call) : undefined;
    const steps = (joined?.calls[0]?.args as { readonly steps?: readonly unknown[] } | undefined)?.steps;
    if (joined && steps?.length) return joined;
    const args = { message: '', steps: [{ agent: agentId, prompt: request }] };
    return { text: '', calls: [{ name: 'make_plan', args }], usage: emptyUsage };
  };
