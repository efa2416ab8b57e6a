/** The `scripted` model: canned answers, for examples and specs. */
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { folkmootError } from '../errors.ts';
import { createLocalChatModel } from './local-chat-model.ts';
import type { LocalAnswer } from './local-chat-model.ts';
import type { EvaluateCondition, ScriptLine, TaskData } from './model.ts';

/**
 * The first line with a `when` that is part of the request and a `condition` that holds answers, as often as it fits. Else
 * the lines with neither are used up in order; the last one that fits stays. When none fits: words that say so, and
 * nothing happens.
 * @param evaluate Works conditions out; without it a line with one is an error.
 */
export function createScriptedChatModel(
  script: readonly ScriptLine[] = [],
  evaluate: EvaluateCondition = noConditions,
): BaseChatModel {
  const isBound = (line: ScriptLine) => line.when !== undefined || Boolean(line.condition?.trim());
  const waiting = script.filter((line) => !isBound(line));
  return createLocalChatModel('scripted', async (data) => {
    for (const line of script)
      if (isBound(line) && fits(line, data) && (await holds(line, data, evaluate))) return line.answer;
    const next = waiting.findIndex((line) => fits(line, data));
    const line = waiting[next];
    if (!line) return nothing(data);
    if (waiting.some((other, index) => index > next && fits(other, data))) waiting.splice(next, 1);
    return line.answer;
  });
}

function fits(line: ScriptLine, data: TaskData): boolean {
  if ((line.task ?? taskOf(line, data)) !== data.task) return false;
  return line.when === undefined || data.request.toLowerCase().includes(line.when.toLowerCase());
}

/** What a condition speaks of: the same names for each task; what a task has not is absent. */
async function holds({ condition }: ScriptLine, data: TaskData, evaluate: EvaluateCondition): Promise<boolean> {
  if (!condition?.trim()) return true;
  const { topic = data.request, window = [], side, round } = data.debate ?? {};
  const held = data.graphql?.data ?? '';
  return (await evaluate(condition, { event: data.event ?? [], topic, window, side, round, data: held })) === true;
}

const noConditions: EvaluateCondition = () =>
  Promise.reject(
    folkmootError('FOLKMOOT_MODEL_FAILED', 'A canned answer has a condition, which nothing can work out.'),
  );

/** A line without a task belongs to the task whose form its answer has. */
function taskOf({ answer }: ScriptLine, { task }: TaskData): string {
  if (typeof answer === 'string') return task;
  if ('steps' in answer || 'questions' in answer || 'declined' in answer) return 'plan';
  if ('claim' in answer) return 'statement';
  if ('decision' in answer) return 'evaluate';
  const isGenerate = ['calls', 'mutations', 'queries', 'question'].some((name) => name in answer);
  return isGenerate ? 'generate' : task;
}

const nothing = ({ task }: TaskData): LocalAnswer => {
  const message = 'I have no answer to that.';
  if (task === 'plan') return { message, steps: [], declined: true };
  return task === 'generate' ? { message, calls: [] } : message;
};
