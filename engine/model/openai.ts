/** OpenAI, and every server that speaks its chat completions: Ollama, llama.cpp, vLLM, LM Studio, … */
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { ModelSettings } from './model.ts';

/** Throws FOLKMOOT_MODEL_UNKNOWN when the package is missing, FOLKMOOT_BAD_SETTING for what the settings lack. */
export async function createOpenAiChatModel(settings: ModelSettings): Promise<BaseChatModel> {
  const { ChatOpenAI } = await loadPackage();
  const compatible = settings.provider === 'openai-compatible';
  checkSettings(settings, compatible);
  return new ChatOpenAI({
    model: settings.modelName ?? '',
    // A server of one's own needs no key, but the library insists on one; OpenAI's own is never sent elsewhere.
    ...(settings.apiKey ? { apiKey: settings.apiKey } : compatible ? { apiKey: 'none' } : {}),
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
    ...(settings.maxOutputTokens ? { maxTokens: settings.maxOutputTokens } : {}),
    timeout: settings.timeoutSeconds ? settings.timeoutSeconds * 1000 : limits.modelTimeoutMs,
    // Tried again by `callModel`, which alone can tell a pause from silence.
    maxRetries: 0,
    streaming: true,
    streamUsage: true,
    useResponsesApi: false,
    configuration: {
      // What goes wrong is told by our errors, not on the console.
      logLevel: 'off',
      ...(settings.baseUrl ? { baseURL: settings.baseUrl } : {}),
      ...(compatible ? { organization: null, project: null } : {}),
    },
  });
}

async function loadPackage() {
  try {
    return await import('@langchain/openai');
  } catch (error) {
    const what =
      'The package of this model is not installed: run "npm install @langchain/openai" in the Node-RED folder.';
    throw folkmootError('FOLKMOOT_MODEL_UNKNOWN', what, error);
  }
}

function checkSettings({ modelName, baseUrl, apiKey }: ModelSettings, compatible: boolean): void {
  if (!modelName) throw folkmootError('FOLKMOOT_BAD_SETTING', 'The model has no name.');
  if (compatible && !URL.canParse(baseUrl ?? ''))
    throw folkmootError(
      'FOLKMOOT_BAD_SETTING',
      `The model's address "${baseUrl ?? ''}" is not a URL such as http://host:11434/v1.`,
    );
  if (!compatible && !apiKey && !process.env['OPENAI_API_KEY'])
    throw folkmootError('FOLKMOOT_BAD_SETTING', 'The model needs an API key, in the node or in OPENAI_API_KEY.');
}
