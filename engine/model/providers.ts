/** Ollama, Anthropic and Mistral by their own interfaces, each with LangChain's package for it. */
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { folkmootError } from '../errors.ts';
import type { ModelSettings } from './model.ts';
import { given, providerClass, requireKey, requireName } from './provider-package.ts';

const ollamaUrl = 'http://127.0.0.1:11434';
/** Anthropic wants a length in any case. */
const usualLength = 1024;

/** Throws as `providerClass` does, and FOLKMOOT_BAD_SETTING. */
export async function createOllamaChatModel(settings: ModelSettings): Promise<BaseChatModel> {
  const { temperature, maxOutputTokens, contextTokens, keepAlive, thinking } = settings;
  const model = requireName(settings);
  const baseUrl = settings.baseUrl || ollamaUrl;
  if (!URL.canParse(baseUrl))
    throw folkmootError('FOLKMOOT_BAD_SETTING', `The model's address "${baseUrl}" is not a URL such as ${ollamaUrl}.`);
  const ChatOllama = await providerClass('@langchain/ollama', 'ChatOllama');
  const think = thinking === 'on' ? true : thinking === 'off' ? false : undefined;
  return new ChatOllama({
    ...{ model, baseUrl, maxRetries: 0, streaming: true },
    ...given({ temperature, numPredict: maxOutputTokens, numCtx: contextTokens, keepAlive, think }),
  });
}

export async function createAnthropicChatModel(settings: ModelSettings): Promise<BaseChatModel> {
  const { temperature, maxOutputTokens = usualLength, baseUrl } = settings;
  const model = requireName(settings);
  const apiKey = requireKey(settings, 'ANTHROPIC_API_KEY');
  const ChatAnthropic = await providerClass('@langchain/anthropic', 'ChatAnthropic');
  return new ChatAnthropic({
    ...{ model, apiKey, maxTokens: maxOutputTokens, maxRetries: 0, streaming: true },
    ...given({ temperature, anthropicApiUrl: baseUrl }),
  });
}

export async function createMistralChatModel(settings: ModelSettings): Promise<BaseChatModel> {
  const { temperature, maxOutputTokens, baseUrl } = settings;
  const model = requireName(settings);
  const apiKey = requireKey(settings, 'MISTRAL_API_KEY');
  const ChatMistralAI = await providerClass('@langchain/mistralai', 'ChatMistralAI');
  return new ChatMistralAI({
    ...{ model, apiKey, maxRetries: 0, streaming: true },
    ...given({ temperature, maxTokens: maxOutputTokens, serverURL: baseUrl }),
  });
}
