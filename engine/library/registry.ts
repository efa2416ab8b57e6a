/** What a program can do: its functions, and who carries them out (seed-contracts.md B9, rows 74 and 75). */
import { folkmootError } from '../errors.ts';
import type { FunctionSpec } from '../language/function-spec.ts';
import { createLanguage } from '../language/language.ts';
import type { Language } from '../language/language.ts';
import type { Mutation } from '../moot.ts';
import { functionSpec } from './definitions.ts';
import type { FunctionInput } from './definitions.ts';

/** Carries out one call; may be asynchronous. What it throws is collected, and the next call is carried out. */
export type Handler = (call: Mutation, context: HandlerContext) => unknown;

export interface HandlerContext {
  /** Aborts when the execution was stopped or the handler's time is over. */
  readonly signal: AbortSignal;
}

export interface Registry {
  /**
   * Adds a function, and who carries it out.
   * Throws FOLKMOOT_HANDLER_TWICE for a name that is there already, and FOLKMOOT_LANGUAGE_INVALID as soon as the functions
   * are used, if one is not well formed.
   */
  register(spec: FunctionInput, handler?: Handler): void;
  /** For all functions of a category that have no handler of their own. Throws FOLKMOOT_HANDLER_TWICE. */
  registerCategory(category: string, handler: Handler): void;
  /** For all functions that have none, nor their category. Throws FOLKMOOT_HANDLER_TWICE. */
  registerDefault(handler: Handler): void;
  /** The function's own, else its category's, else the default one. Throws FOLKMOOT_NO_HANDLER. */
  handlerOf(name: string): Handler;
  /** The same; undefined where there is none. */
  handlerIfAny(name: string): Handler | undefined;
  functionsOf(category: string): FunctionSpec[];
  /** All functions so far. Throws FOLKMOOT_LANGUAGE_INVALID. */
  language(): Language;
}

export function createRegistry(): Registry {
  const specs = new Map<string, FunctionSpec>();
  const own = new Map<string, Handler>();
  const ofCategory = new Map<string, Handler>();
  let otherwise: Handler | undefined;
  let language: Language | undefined;
  const handlerIfAny = (name: string) => own.get(name) ?? ofCategory.get(specs.get(name)?.category ?? '') ?? otherwise;
  return {
    handlerIfAny,
    register(input, handler) {
      if (specs.has(input.name)) throw twice(`Function ${input.name}`);
      specs.set(input.name, functionSpec(input));
      if (handler) own.set(input.name, handler);
      language = undefined;
    },
    registerCategory(category, handler) {
      if (ofCategory.has(category)) throw twice(`The handler of category ${category}`);
      ofCategory.set(category, handler);
    },
    registerDefault(handler) {
      if (otherwise) throw twice('The default handler');
      otherwise = handler;
    },
    handlerOf(name) {
      const handler = handlerIfAny(name);
      if (!handler)
        throw folkmootError('FOLKMOOT_NO_HANDLER', `Nothing carries out ${name || 'a call without a name'}.`);
      return handler;
    },
    functionsOf: (category) => [...specs.values()].filter((spec) => spec.category === category),
    language: () => (language ??= createLanguage([...specs.values()])),
  };
}

const twice = (what: string) => folkmootError('FOLKMOOT_HANDLER_TWICE', `${what} is registered already.`);
