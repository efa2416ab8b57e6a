/** An agent as a JSON document: what a person keeps in a file, shares, or sends to a server (P23, row 83). */
import { agentIdPattern } from '../agent/agent-id.ts';
import type { AgentExample } from '../agent/definition.ts';
import { namePattern } from '../language/spec-schema.ts';
import type { FunctionSpec } from '../language/function-spec.ts';
import { functionSpecSchema } from '../language/spec-schema.ts';
import { limits } from '../limits.ts';

export interface AgentDocument {
  readonly v: 1;
  /** Default: made from the name. */
  readonly agentId?: string;
  readonly name: string;
  readonly description: string;
  readonly topics: readonly string[];
  /** Names of values that the planner extracts for it. */
  readonly parameters: readonly string[];
  /** Function names or `category:NAME`. */
  readonly accepts: readonly string[];
  readonly generates: readonly string[];
  readonly instructions: string;
  readonly examples: readonly AgentExample[];
  readonly steps: readonly string[];
  readonly fallback: boolean;
  /** Functions that it brings with it, where the language of who runs it may not have them. */
  readonly functions?: readonly FunctionSpec[];
  /** Values of parameters, which the snake_case dialect may hold. */
  readonly parameterValues?: Readonly<Record<string, readonly string[]>>;
}

const text = { type: 'string', maxLength: 2_000 } as const;
const word = { type: 'string', minLength: 1, maxLength: 200 } as const;
const words = { type: 'array', items: word, maxItems: limits.languageFunctions } as const;
/** The dialects may have blank ones, which mean nothing. */
const looseWords = { ...words, items: { ...word, minLength: 0 } } as const;

/** Unknown properties are refused: a word written wrong would be lost silently. */
export const agentDocumentSchema = {
  title: 'Agent',
  description: 'An agent as a document: a file whose name ends in .agent.json, or the body of a request.',
  type: 'object',
  required: ['v', 'name'],
  additionalProperties: false,
  properties: {
    v: { const: 1 },
    agentId: { type: 'string', pattern: agentIdPattern.source },
    name: word,
    description: text,
    topics: looseWords,
    parameters: looseWords,
    accepts: words,
    generates: words,
    instructions: { type: 'string', maxLength: limits.promptChars },
    examples: {
      type: 'array',
      maxItems: limits.agentExamples,
      items: {
        type: 'object',
        required: ['prompt', 'calls'],
        additionalProperties: false,
        properties: {
          prompt: { type: 'string', minLength: 1, maxLength: 1_000 },
          calls: {
            type: 'array',
            maxItems: limits.mutationsPerStep,
            items: {
              type: 'object',
              required: ['function', 'parameters'],
              additionalProperties: false,
              properties: { function: { type: 'string', pattern: namePattern }, parameters: { type: 'object' } },
            },
          },
        },
      },
    },
    steps: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 1_000 }, maxItems: limits.agentSteps },
    fallback: { type: 'boolean' },
    functions: { type: 'array', items: functionSpecSchema, maxItems: limits.languageFunctions },
    parameterValues: { type: 'object', additionalProperties: looseWords },
  },
} as const;

/** With everything that may be left out. */
export const agentDocument = ({
  name,
  ...given
}: Partial<AgentDocument> & Pick<AgentDocument, 'name'>): AgentDocument => ({
  v: 1,
  name,
  description: '',
  topics: [],
  parameters: [],
  accepts: [],
  generates: [],
  instructions: '',
  examples: [],
  steps: [],
  fallback: false,
  ...given,
});
