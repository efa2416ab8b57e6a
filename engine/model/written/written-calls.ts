/**
 * Calls of tools that a model wrote as text, because it can't make them otherwise: in the forms of Llama, Qwen, Hermes,
 * Mistral, DeepSeek, Phi, Gemma and others. They count only when they name an offered tool with fitting arguments and are
 * meant: not in an example, in code, in a quotation or in a thought.
 */
import type { JsonSchema } from '../../language/json-schema.ts';
import { candidatesIn } from './candidates.ts';
import { fittingArguments } from './fitting-arguments.ts';
import { spokenAndThought } from './thinking.ts';

export interface OfferedCall {
  readonly name: string;
  readonly schema: JsonSchema;
}

export interface WrittenCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface WrittenAnswer {
  readonly calls: readonly WrittenCall[];
  /** For people: without calls and thoughts. */
  readonly say: string;
  readonly thinking: string;
  /** Calls that are none: of names that are not offered, or with arguments that do not fit. */
  readonly wrong: readonly { readonly name: string; readonly why: 'unknown' | 'arguments' }[];
}

/** Marks of the ends of answers, which no one should see. */
const endMarks =
  /<\|(?:eom_id|eot_id|end|im_end|endoftext|return|end_of_text)\|>|<end_of_turn>|<｜end▁of▁sentence｜>|<\/s>|✿RETURN✿[\s\S]*$/g;

export function writtenAnswer(text: string, offered: readonly OfferedCall[]): WrittenAnswer {
  const { say: spoken, thinking } = spokenAndThought(text);
  const wrong: { name: string; why: 'unknown' | 'arguments' }[] = [];
  const calls: WrittenCall[] = [];
  const found = candidatesIn(spoken, (name) => offered.some((one) => one.name === name));
  for (const { name, given } of found.calls) {
    const tool = offered.find((one) => one.name === name);
    const args = tool && fittingArguments(given, tool.schema);
    if (tool && args) calls.push({ name: tool.name, args });
    else wrong.push({ name, why: tool ? 'arguments' : 'unknown' });
  }
  const say = found.say
    .replace(endMarks, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return { calls, say, thinking, wrong };
}
