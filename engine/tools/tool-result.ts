/** What a tool gave: kept small for models, and told to people. */
import { folkmootError } from '../errors.ts';
import { fillOptional, fillSlots, parameterAt, valueAt, wordsFor } from '../language/sentence-template.ts';
import { capitalised, listed, valueForPeople, wordsOf } from '../language/words.ts';
import { limits } from '../limits.ts';
import type { ToolSettings } from './tool-card.ts';

/**
 * A result as plain JSON, at most `limits.toolResultChars` characters as text: what is longer is cut, with a note that
 * says so. Throws FOLKMOOT_TOOL_FAILED for what is no data.
 */
export function keptResult(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes that are no text)`;
  const text = typeof value === 'string' ? value : jsonOf(value);
  if (text.length <= limits.toolResultChars) return typeof value === 'string' ? value : JSON.parse(text);
  return `${text.slice(0, limits.toolResultChars)} … (cut: the first ${limits.toolResultChars} of ${text.length} characters)`;
}

function jsonOf(value: unknown): string {
  try {
    const text = JSON.stringify(value) as string | undefined;
    if (text !== undefined) return text;
  } catch (error) {
    throw folkmootError('FOLKMOOT_TOOL_FAILED', 'The result of the tool is no plain data.', error);
  }
  throw folkmootError('FOLKMOOT_TOOL_FAILED', 'The result of the tool is no plain data.');
}

/** For models: text as it is, all else as JSON. */
export const resultText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * For people: the tool's sentence with the arguments, the result and its properties, else the result's own words.
 * Undefined: there is no result.
 */
export function resultSentence(
  tool: Pick<ToolSettings, 'sentence' | 'parameters'>,
  given: Readonly<Record<string, unknown>>,
  result: unknown,
): string | undefined {
  const own = wordsOfResult(result);
  if (own === undefined) return undefined;
  if (!tool.sentence) return ended(own);
  const properties = result && typeof result === 'object' && !Array.isArray(result) ? result : {};
  const values: Readonly<Record<string, unknown>> = { ...properties, ...given, result };
  const valueOf = (name: string) => valueAt(values, name);
  const isThere = (name: string) => wordsOfResult(valueOf(name)) !== undefined;
  const said = (name: string) => {
    const spec = parameterAt(tool.parameters, name);
    return spec ? valueForPeople(spec, valueOf(name)) : (wordsOfResult(valueOf(name)) ?? '');
  };
  const text = fillSlots(
    fillOptional(tool.sentence, isThere, (inner) => inner),
    (slot) => (isThere(slot.name) ? wordsFor(slot, valueOf(slot.name), said(slot.name)) : ''),
  );
  return ended(text.replace(/\s+/g, ' ').replace(/ ([,.;:!?])/g, '$1'));
}

/** "living room: 20.5, bedroom: 18"; nothing for nothing. */
function wordsOfResult(value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value))
    return (
      listed(
        value.map((one) => wordsOfResult(one) ?? '–'),
        'and',
      ) || undefined
    );
  if (typeof value === 'object')
    return (
      Object.entries(value)
        .flatMap(([name, one]) => {
          const words = wordsOfResult(one);
          return words === undefined ? [] : [`${wordsOf(name)}: ${words}`];
        })
        .join(', ') || undefined
    );
  return String(value);
}

const ended = (text: string): string => {
  const line = capitalised(text.trim());
  return /[.!?…]$/.test(line) ? line : `${line}.`;
};
