/**
 * A LangChain chat model that answers inside this process from `metadata.folkmoot` alone (architecture.md 8).
 * Loads @langchain/core: import it with `await import()`.
 */
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { BaseChatModelCallOptions } from '@langchain/core/language_models/chat_models';
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { AIMessage } from '@langchain/core/messages';
import type { BaseMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import type { RunnableConfig } from '@langchain/core/runnables';
import { folkmootError } from '../errors.ts';
import type { ScriptLine, TaskData } from './model.ts';

/** Text, or an answer object that becomes a tool call: `make_plan` for a plan, else named by the task. */
export type LocalAnswer = ScriptLine['answer'];

interface LocalCallOptions extends BaseChatModelCallOptions {
  folkmoot?: TaskData;
}

class LocalChatModel extends BaseChatModel<LocalCallOptions> {
  // No #private fields: LangChain asks for the type before this class has set anything.
  private readonly modelType: string | undefined;
  private readonly answer: (data: TaskData) => LocalAnswer | Promise<LocalAnswer>;

  constructor(name: string, answer: (data: TaskData) => LocalAnswer | Promise<LocalAnswer>) {
    super({ disableStreaming: true });
    this.modelType = name;
    this.answer = answer;
  }

  override _llmType(): string {
    return this.modelType ?? 'local';
  }

  override bindTools(): this {
    return this;
  }

  /** LangChain hands metadata to callbacks only; the answer needs it too. */
  protected override _separateRunnableConfigFromCallOptionsCompat(
    options?: Partial<LocalCallOptions>,
  ): [RunnableConfig, this['ParsedCallOptions']] {
    const [config, rest] = super._separateRunnableConfigFromCallOptionsCompat(options);
    const data = config.metadata?.['folkmoot'] as TaskData | undefined;
    return [config, data ? { ...rest, folkmoot: data } : rest];
  }

  override async _generate(
    _messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    _manager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    const data = options.folkmoot;
    if (!data) throw folkmootError('FOLKMOOT_MODEL_FAILED', `The model ${this._llmType()} was called without a task.`);
    const answer = await this.answer(data);
    const message = typeof answer === 'string' ? new AIMessage(answer) : asToolCall(data, answer);
    return { generations: [{ text: message.text, message }] };
  }
}

function asToolCall(data: TaskData, answer: Exclude<LocalAnswer, string>): AIMessage {
  const name = data.task === 'plan' ? 'make_plan' : data.task;
  return new AIMessage({ content: '', tool_calls: [{ id: 'answer', name, args: { ...answer }, type: 'tool_call' }] });
}

/** @param name Shown by LangChain as the model's type. */
export const createLocalChatModel = (
  name: string,
  answer: (data: TaskData) => LocalAnswer | Promise<LocalAnswer>,
): BaseChatModel => new LocalChatModel(name, answer);
