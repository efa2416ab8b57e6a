/** The `rules` model: no model at all. Loads @langchain/core: import it with `await import()`. */
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { createLocalChatModel } from '../local-chat-model.ts';
import type { TaskData } from '../model.ts';
import { generateWithRules } from './generate.ts';
import { planWithRules } from './plan.ts';

/**
 * Reads only `metadata.folkmoot`. Answers `plan` with a tool call `make_plan`, `generate` with a tool call `generate`, and
 * other tasks with a sentence that says that it takes a model.
 */
export const createRulesChatModel = (): BaseChatModel => createLocalChatModel('rules', answer);

function answer(data: TaskData) {
  if (data.task === 'plan') return planWithRules(data);
  if (data.task === 'generate') return generateWithRules(data);
  if (data.task === 'statement') return 'Words and rules have no opinion; that takes an AI model or canned answers.';
  return 'That takes an AI model; choose one in the model’s settings.';
}
