/** The JSON Schema that every function spec must pass (contracts.md 2). */
import { limits } from '../limits.ts';

export const namePattern = '^[A-Za-z][A-Za-z0-9_]{0,63}$';

const text = { type: 'string', maxLength: 500 } as const;
const word = { type: 'string', minLength: 1, maxLength: 200 } as const;
const synonyms = { type: 'array', items: word, maxItems: limits.synonyms } as const;

const itemProperties = {
  description: text,
  label: { type: 'string', minLength: 1, maxLength: 60 },
  type: { type: 'string', enum: ['string', 'integer', 'number', 'boolean', 'datetime', 'list', 'object'] },
  allowedValues: { type: 'array', items: word, maxItems: limits.allowedValues },
  minimum: { type: 'number' },
  maximum: { type: 'number' },
  unit: { type: 'string', maxLength: 32 },
  synonyms: { type: 'object', additionalProperties: synonyms },
  // What is nested has to pass `itemSchema` or `parameterSchema` in its turn.
  items: { type: 'object' },
  fields: { type: 'array', items: { type: 'object' }, maxItems: limits.functionParameters },
} as const;

/** What each item of a list is. */
export const itemSchema = {
  type: 'object',
  required: ['type'],
  additionalProperties: false,
  properties: itemProperties,
} as const;

/** A parameter of a function, or a field of an object. */
export const parameterSchema = {
  type: 'object',
  required: ['name', 'type', 'required'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', pattern: namePattern },
    required: { type: 'boolean' },
    ...itemProperties,
  },
} as const;

export const functionSpecSchema = {
  type: 'object',
  required: ['name', 'description', 'category', 'risk', 'effect', 'repeatable', 'parameters'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', pattern: namePattern },
    description: text,
    category: { type: 'string', maxLength: 100 },
    risk: { type: 'string', enum: ['read', 'reversible', 'critical'] },
    effect: { type: 'boolean' },
    repeatable: { type: 'boolean' },
    parameters: { type: 'array', items: parameterSchema, maxItems: limits.functionParameters },
    requireOneOf: {
      type: 'array',
      maxItems: limits.functionParameters,
      items: { type: 'array', minItems: 1, items: { type: 'string' } },
    },
    consequences: {
      type: 'array',
      maxItems: limits.consequences,
      items: {
        type: 'object',
        required: ['function', 'parameters'],
        additionalProperties: false,
        properties: {
          function: { type: 'string' },
          parameters: { type: 'object', additionalProperties: text },
        },
      },
    },
    synonyms,
    sentence: text,
  },
} as const;
