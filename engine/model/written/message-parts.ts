/** What servers put beside an answer: thoughts in a field of their own, or in parts of the content. */
import { spokenAndThought, type SpokenAndThought } from './thinking.ts';

const thoughtFields = ['reasoning_content', 'reasoning', 'thinking', 'thought'];

/** @param message As the server gave it: `content` as text or a list of parts. */
export function messageParts(message: Readonly<Record<string, unknown>>): SpokenAndThought {
  const beside = thoughtFields.map((field) => textOf(message[field])).filter(Boolean);
  const { content } = message;
  if (!Array.isArray(content)) {
    const { say, thinking } = spokenAndThought(textOf(content));
    return { say, thinking: [...beside, thinking].filter(Boolean).join('\n') };
  }
  const parts = (content as unknown[]).map((part) =>
    typeof part === 'object' && part !== null ? (part as Record<string, unknown>) : { type: 'text', text: part },
  );
  const isThought = ({ type }: Readonly<Record<string, unknown>>) =>
    typeof type === 'string' && /think|reason|thought/.test(type);
  const said = parts.filter((part) => !isThought(part)).map((part) => textOf(part['text'] ?? part['content']));
  const thought = parts
    .filter(isThought)
    .map((part) => textOf(part['thinking'] ?? part['reasoning'] ?? part['summary'] ?? part['text']));
  const own = spokenAndThought(said.join(''));
  return { say: own.say, thinking: [...beside, ...thought, own.thinking].filter(Boolean).join('\n') };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join('\n');
  if (typeof value === 'object' && value !== null) return textOf((value as Record<string, unknown>)['text']);
  return '';
}
