/** Compiled languages are kept, for planning and each step read with the same functions again and again. */
import type { FunctionSpec } from '../../language/function-spec.ts';
import { compileLanguage } from './compile.ts';
import type { CompiledLanguage } from './compile.ts';
import { english } from './words.en.ts';

const most = 32;
const bySpecs = new Map<string, CompiledLanguage>();

/** By content, for task data is copied on its way. The least used of more than 32 are forgotten. */
export function compiled(functions: readonly FunctionSpec[]): CompiledLanguage {
  const key = JSON.stringify(functions);
  const known = bySpecs.get(key);
  const language = known ?? compileLanguage(functions, english);
  bySpecs.delete(key);
  bySpecs.set(key, language);
  const [oldest] = bySpecs.keys();
  if (bySpecs.size > most && oldest !== undefined) bySpecs.delete(oldest);
  return language;
}
