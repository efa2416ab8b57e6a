/** The words in which a team is told of an event: a template with `{{name}}` for values. */
import { limits } from '../limits.ts';

/** What conditions and sentences may name: `value`, `previous`, `unit`, `kind`, `source`, `state` and each property. */
export type EventScope = Readonly<Record<string, unknown>>;

const placeholder = /\{\{\s*([^{}]{1,100}?)\s*\}\}/g;

/** A reading can't bring line breaks or a flood of words into a request. */
export function wordsOf(value: unknown): string {
  if (value === undefined || value === null) return 'unknown';
  const text = typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 200);
}

/**
 * Fills a template. `{{illuminance}}` is a value of the scope, `{{state.power}}` a value within one; what isn't known
 * reads `unknown`. At most `limits.requestChars` characters.
 */
export function sentenceFrom(template: string, scope: EventScope): string {
  return template
    .replace(placeholder, (_whole, name: string) => wordsOf(valueOf(scope, name)))
    .trim()
    .slice(0, limits.requestChars);
}

function valueOf(scope: EventScope, name: string): unknown {
  if (Object.hasOwn(scope, name)) return scope[name];
  let value: unknown = scope;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}
