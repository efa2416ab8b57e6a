/** The `scripted` model: canned answers, for examples and specs. */
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { createLocalChatModel } from './local-chat-model.ts';
import type { LocalAnswer } from './local-chat-model.ts';
import type { ScriptLine, TaskData } from './model.ts';

/**
 * The first line with a `when` that is part of the request answers, as often as it fits. Else the lines without `when` are
 * used up in order; the last one that fits stays. When none fits: words that say so, and nothing happens.
 */
export function createScriptedChatModel(script: readonly ScriptLine[] = []): BaseChatModel {
  const waiting = script.filter((line) => line.when === undefined);
  return createLocalChatModel('scripted', (data) => {
    const said = script.find((line) => line.when !== undefined && fits(line, data));
    if (said) return said.answer;
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

/** A line without a task belongs to the task whose form its answer has. */
function taskOf({ answer }: ScriptLine, { task }: TaskData): string {
  if (typeof answer === 'string') return task;
  if ('steps' in answer || 'questions' in answer || 'declined' in answer) return 'plan';
  return 'calls' in answer || 'question' in answer ? 'generate' : task;
}

const nothing = ({ task }: TaskData): LocalAnswer => {
  const message = 'I have no answer to that.';
  return task === 'plan' ? { message, steps: [], declined: true } : { message, calls: [] };
};
