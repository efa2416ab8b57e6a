/** The shape of a function of the shared language (contracts.md 2). */
import type { Risk } from '../moot.ts';

export type ParameterType = 'string' | 'integer' | 'number' | 'boolean' | 'datetime' | 'list' | 'object';

/** What each item of a list is. */
export type ItemSpec = Omit<ParameterSpec, 'name' | 'required'>;

export interface ParameterSpec {
  readonly name: string;
  readonly description?: string;
  /** What people call it in questions and refusals: "site" of `site_name`. Default: the words of the name. */
  readonly label?: string;
  readonly type: ParameterType;
  /** Empty or absent: any value of the type. May hold `{areas}`, `{floors}`, `{entities}`, `{entities:light}`. */
  readonly allowedValues?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly unit?: string;
  /** Of a list: what each item is. Default: text. A list may have `minimum` and `maximum`: how many items. */
  readonly items?: ItemSpec;
  /** Of an object: its fields. */
  readonly fields?: readonly ParameterSpec[];
  readonly required: boolean;
  /** Other words for an allowed value (or for a number, written as text), at most eight each. */
  readonly synonyms?: Readonly<Record<string, readonly string[]>>;
}

export interface Consequence {
  readonly function: string;
  /** Text, or `{parameter}` for the value of that parameter of the cause. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface FunctionSpec {
  /** `^[A-Za-z][A-Za-z0-9_]{0,63}$` */
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly risk: Risk;
  /** False: for the board only. */
  readonly effect: boolean;
  /** True: sets a state, so that doing it twice is harmless. */
  readonly repeatable: boolean;
  readonly parameters: readonly ParameterSpec[];
  /** Groups of parameters of which at least one must be given. */
  readonly requireOneOf?: readonly (readonly string[])[];
  readonly consequences?: readonly Consequence[];
  /** Other words for the function, at most eight. */
  readonly synonyms?: readonly string[];
  /**
   * How people are told of a call: text with `{parameter}`; a part in square brackets is left out when one of its
   * parameters is missing: `{room} light {state}[ at {brightness}]`. Words for single values, and for all others, where
   * `#` is the value with its unit: `{position:0=closed|100=fully open|at # open}`. Default: the words of the name and
   * the values.
   */
  readonly sentence?: string;
}
