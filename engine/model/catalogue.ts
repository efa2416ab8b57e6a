/** Which models there are. Each provider's package is loaded on first use. */
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { folkmootError } from '../errors.ts';
import type { EvaluateCondition, Model, ModelSettings } from './model.ts';

/** What models need from outside. */
export interface ModelPorts {
  /** For the conditions of `scripted`; without it a line that has one is an error. */
  readonly evaluate?: EvaluateCondition;
}

const providers: Readonly<Record<string, (settings: ModelSettings, ports: ModelPorts) => Promise<BaseChatModel>>> = {
  rules: async () => (await import('./rules/rules-model.ts')).createRulesChatModel(),
  scripted: async ({ script }, { evaluate }) =>
    (await import('./scripted.ts')).createScriptedChatModel(script, evaluate),
  openai: async (settings) => (await import('./openai.ts')).createOpenAiChatModel(settings),
  'openai-compatible': async (settings) => (await import('./openai.ts')).createOpenAiChatModel(settings),
  ollama: async (settings) => (await import('./providers.ts')).createOllamaChatModel(settings),
  anthropic: async (settings) => (await import('./providers.ts')).createAnthropicChatModel(settings),
  mistral: async (settings) => (await import('./providers.ts')).createMistralChatModel(settings),
};

export const providerNames: readonly string[] = Object.keys(providers);

/** Whether the model answers inside this process from a task's data: no network, no prompt. */
export const isLocal = ({ provider }: Pick<ModelSettings, 'provider'>): boolean =>
  provider === 'rules' || provider === 'scripted';

/** A model that loads on its first `chat()`. A load that failed is tried again by the next one. */
export function createModel(
  settings: ModelSettings,
  fallback?: () => Model | undefined,
  ports: ModelPorts = {},
): Model {
  let loading: Promise<BaseChatModel> | undefined;
  return {
    settings,
    ...(fallback ? { fallback } : {}),
    chat() {
      loading ??= load(settings, ports).catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
      return loading;
    },
  };
}

async function load(settings: ModelSettings, ports: ModelPorts): Promise<BaseChatModel> {
  const provider = Object.hasOwn(providers, settings.provider) ? providers[settings.provider] : undefined;
  if (!provider) {
    const what = `There is no model provider "${settings.provider}"; there are ${providerNames.join(', ')}.`;
    throw folkmootError('FOLKMOOT_MODEL_UNKNOWN', what);
  }
  return provider(settings, ports);
}

const keyVariables: Readonly<Record<string, string | undefined>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  mistral: 'MISTRAL_API_KEY',
  ollama: '',
};

function hostedBy(provider: string, modelName: string, env: NodeJS.ProcessEnv): ModelSettings | undefined {
  const variable = Object.hasOwn(keyVariables, provider) ? keyVariables[provider] : undefined;
  if (variable === undefined) return undefined;
  const key = variable ? env[variable] : undefined;
  return { provider, modelName, ...(key ? { apiKey: key } : {}) };
}

/**
 * Settings from the text of FOLKMOOT_MODEL: `rules`, `scripted`, `openai:NAME`, `anthropic:NAME`, `mistral:NAME`,
 * `ollama:NAME`, `openai-compatible:URL#NAME`. The key comes from OPENAI_API_KEY, ANTHROPIC_API_KEY or MISTRAL_API_KEY. Throws FOLKMOOT_MODEL_UNKNOWN.
 */
export function parseModelName(text: string, env: NodeJS.ProcessEnv = process.env): ModelSettings {
  const [, provider = '', rest = ''] = /^([a-z-]+)(?::(.*))?$/.exec(text.trim()) ?? [];
  const key = env['OPENAI_API_KEY'];
  const apiKey = key ? { apiKey: key } : {};
  if ((provider === 'rules' || provider === 'scripted') && !rest) return { provider };
  const hosted = rest ? hostedBy(provider, rest, env) : undefined;
  if (hosted) return hosted;
  if (provider === 'openai-compatible') {
    const at = rest.indexOf('#');
    const baseUrl = at < 0 ? rest : rest.slice(0, at);
    const modelName = at < 0 ? '' : rest.slice(at + 1);
    if (URL.canParse(baseUrl) && modelName) return { provider, baseUrl, modelName, ...apiKey };
  }
  const forms = 'rules, scripted, openai:NAME, anthropic:NAME, mistral:NAME, ollama:NAME or openai-compatible:URL#NAME';
  throw folkmootError('FOLKMOOT_MODEL_UNKNOWN', `FOLKMOOT_MODEL is "${text}"; it has to be ${forms}.`);
}
