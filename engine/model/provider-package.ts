/** Packages of model providers are installed by whoever wants them, and loaded when they are first used. */
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { folkmootError } from '../errors.ts';
import type { ModelSettings } from './model.ts';

export type ChatModelClass = new (options: Readonly<Record<string, unknown>>) => BaseChatModel;

/** Throws FOLKMOOT_MODEL_UNKNOWN with the command that installs the package. */
export async function providerClass(name: string, className: string): Promise<ChatModelClass> {
  try {
    const loaded = (await import(name)) as Readonly<Record<string, ChatModelClass | undefined>>;
    const found = loaded[className];
    if (found) return found;
  } catch (error) {
    const what = `The package of this model is not installed: run "npm install ${name}" in the Node-RED folder.`;
    throw folkmootError('FOLKMOOT_MODEL_UNKNOWN', what, error);
  }
  throw folkmootError('FOLKMOOT_MODEL_UNKNOWN', `The package ${name} is another version: it has no ${className}.`);
}

/** Throws FOLKMOOT_BAD_SETTING. */
export function requireName({ modelName }: ModelSettings): string {
  if (!modelName) throw folkmootError('FOLKMOOT_BAD_SETTING', 'The model has no name.');
  return modelName;
}

/** The key of the settings, else of the variable. Throws FOLKMOOT_BAD_SETTING. */
export function requireKey({ apiKey }: ModelSettings, variable: string): string {
  const key = apiKey ?? process.env[variable];
  if (!key) throw folkmootError('FOLKMOOT_BAD_SETTING', `The model needs an API key, in the node or in ${variable}.`);
  return key;
}

/** A variable is left out where a setting is not given. */
export const given = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));
