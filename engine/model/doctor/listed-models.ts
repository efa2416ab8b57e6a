/** Which models a server of one's own has, and how much each can take in. */
import { asError } from '../../errors.ts';
import type { ModelSettings } from '../model.ts';

export interface ListedModel {
  readonly name: string;
  /** Tokens that it can take in at most, where the server says so. */
  readonly contextTokens?: number;
}

/** Undefined: the server has no list, or it can't be asked; whether it answers at all shows elsewhere. */
export async function listedModels(
  { provider, baseUrl, apiKey }: ModelSettings,
  signal: AbortSignal,
): Promise<readonly ListedModel[] | undefined> {
  const base = (baseUrl || (provider === 'ollama' ? 'http://127.0.0.1:11434' : '')).replace(/\/$/, '');
  if (!base || (provider !== 'ollama' && provider !== 'openai-compatible')) return undefined;
  const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  if (provider === 'openai-compatible') return namesIn(await read(`${base}/models`, { headers, signal }), 'data', 'id');
  return namesIn(await read(`${base}/api/tags`, { headers, signal }), 'models', 'name');
}

/** Of Ollama's model: what it was made for. */
export async function ollamaContext(
  { baseUrl, modelName }: ModelSettings,
  signal: AbortSignal,
): Promise<number | undefined> {
  const base = (baseUrl || 'http://127.0.0.1:11434').replace(/\/$/, '');
  const body = JSON.stringify({ model: modelName });
  const shown = await read(`${base}/api/show`, { method: 'POST', body, signal });
  const info = record(record(shown)['model_info']);
  const length = Object.entries(info).find(([name]) => name.endsWith('.context_length'))?.[1];
  return typeof length === 'number' && length > 0 ? length : undefined;
}

async function read(url: string, options: RequestInit): Promise<unknown> {
  try {
    const answer = await fetch(url, options);
    return answer.ok ? ((await answer.json()) as unknown) : undefined;
  } catch {
    if (options.signal?.aborted) throw asError(options.signal.reason);
    return undefined;
  }
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

function namesIn(answer: unknown, list: string, key: string): readonly ListedModel[] | undefined {
  const all = record(answer)[list];
  if (!Array.isArray(all)) return undefined;
  return (all as unknown[]).flatMap((one) => {
    const { [key]: name, max_model_len: longest } = record(one);
    if (typeof name !== 'string') return [];
    return [{ name, ...(typeof longest === 'number' ? { contextTokens: longest } : {}) }];
  });
}
