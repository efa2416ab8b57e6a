import { choice, commonFields, config, list, number, text } from '../shared/fields.ts';

export const modelFields = {
  ...commonFields,
  provider: choice(['rules', 'scripted', 'openai-compatible', 'ollama', 'openai', 'anthropic', 'mistral'], 'rules'),
  modelName: text(),
  baseUrl: text(),
  contextTokens: number(8192, { minimum: 512 }),
  maxOutputTokens: number(1024, { minimum: 16 }),
  temperature: number(0, { minimum: 0, maximum: 2 }),
  thinking: choice(['auto', 'on', 'off'], 'auto'),
  keepAlive: text('', { pattern: '-?[0-9]+[smh]?' }),
  timeoutSeconds: number(60, { minimum: 1, maximum: 3600 }),
  concurrency: number(2, { minimum: 1, maximum: 64 }),
  pauseSeconds: number(0, { minimum: 0, maximum: 60 }),
  priceIn: number(0, { minimum: 0, maximum: 100_000 }),
  priceOut: number(0, { minimum: 0, maximum: 100_000 }),
  currency: text(),
  fallbackModel: config('folkmoot-model'),
  /** Of the `scripted` model: `{ task?, when?, condition?, answer }`. */
  script: list(),
} as const;
