/** For specs: what a person says, line by line, to one agent that may do everything. */
import type { FunctionSpec } from '../../language/function-spec.ts';
import type { PendingQuestion } from '../model.ts';
import { generateWithRules } from './generate.ts';
import { planWithRules } from './plan.ts';
import { planData } from './sample.ts';

/** What the last line led to. */
export interface Answer {
  /** Values of each call, in the order of the function's parameters, behind its name: "SetSaw band_saw off". */
  readonly calls: readonly string[];
  /** What the person is told or asked. */
  readonly text: string;
  readonly open?: PendingQuestion;
}

/** Each line may answer the question that is open then. */
export function converse(lines: readonly string[], functions: readonly FunctionSpec[]): Answer {
  const agent = { agentId: 'all', name: 'All', description: '', topics: [], parameters: [], accepts: [] };
  const agents = [{ ...agent, generates: functions.filter(({ effect }) => effect).map(({ name }) => name) }];
  let answer: Answer = { calls: [], text: '' };
  for (const line of lines) {
    const data = planData(line, { functions, agents });
    const plan = planWithRules(answer.open ? { ...data, pending: answer.open } : data);
    const steps = plan.steps.map(({ prompt }) => ({
      prompt,
      ...generateWithRules({ ...data, task: 'generate', request: prompt }),
    }));
    const asked = [
      ...(plan.questions ?? []),
      ...steps.flatMap(({ prompt, question }) => (question ? [{ request: prompt, question }] : [])),
    ];
    const [first] = asked;
    const open = first ?? (plan.steps.length || plan.dropsQuestion ? undefined : answer.open);
    const made = steps.flatMap((step) => step.calls);
    answer = {
      calls: made.map((call) => [call.function, ...Object.values(call.parameters)].join(' ')),
      text: asked.length ? asked.map(({ question }) => question).join(' ') : plan.message,
      ...(open ? { open } : {}),
    };
  }
  return answer;
}
