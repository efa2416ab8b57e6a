/** What a memory on an agent's asks output lets that agent do: three functions, carried out as memory asks, never as commands. */
import type { FunctionSpec } from '../language/function-spec.ts';
import type { Parameters } from '../moot.ts';

export type MemoryOperation = 'remember' | 'recall' | 'forget';

/** Payload of an ask of kind `memory` (contracts.md 4). */
export interface MemoryAsk {
  readonly operation: MemoryOperation;
  /** `remember`: what to keep. */
  readonly text?: string;
  /** `recall`, `forget`: what it is about, in words. */
  readonly query?: string;
  /** `recall`: at most so many. Default: the memory node's. */
  readonly k?: number;
  /** `forget`: the person said yes when they were asked back. */
  readonly confirmed?: true;
}

const common = { category: 'memory', effect: false, repeatable: true } as const;
const words = { type: 'string' } as const;

/** Remember(text), Recall(query), Forget(query). None needs approval: a person can say again what was kept or forgotten, and is asked back before all of it is. */
export const memoryFunctions: readonly FunctionSpec[] = [
  {
    ...common,
    name: 'Remember',
    description: 'Remember what you say, to tell it again later',
    risk: 'reversible',
    parameters: [
      { ...words, name: 'text', label: 'shall I remember', required: true, description: 'A whole statement' },
    ],
    synonyms: ['memorise', 'memorize', 'write down'],
    sentence: 'remembered: {text}',
  },
  {
    ...common,
    name: 'Recall',
    description: 'Recall what you wanted remembered',
    risk: 'read',
    // Without it the newest are recalled: "what do you remember?"
    parameters: [{ ...words, name: 'query', required: false, description: 'The question, or what it is about' }],
    synonyms: ['do you remember', 'what do you remember', 'what do you know', 'do you know', 'look up'],
    sentence: 'recalled[: {query}]',
  },
  {
    ...common,
    name: 'Forget',
    description: 'Forget what you wanted remembered',
    risk: 'reversible',
    parameters: [{ ...words, name: 'query', label: 'shall I forget', required: true, description: 'What it is about' }],
    synonyms: ['forget about', 'erase', 'no longer remember'],
    sentence: 'forgotten: {query}',
  },
];

const operations: Readonly<Record<string, MemoryOperation>> = {
  Remember: 'remember',
  Recall: 'recall',
  Forget: 'forget',
};

/** A call of one of the three as the payload of a memory ask; undefined: it is none of them. */
export function memoryAskOf(call: {
  readonly function: string;
  readonly parameters: Parameters;
}): MemoryAsk | undefined {
  const operation = Object.hasOwn(operations, call.function) ? operations[call.function] : undefined;
  if (!operation) return undefined;
  const name = operation === 'remember' ? 'text' : 'query';
  return { operation, [name]: String(call.parameters[name] ?? '') };
}
