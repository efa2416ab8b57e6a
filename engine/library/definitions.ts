/** Short forms in which programs define functions and agents; what is left out gets its default. */
import type { AgentDefinition } from '../agent/definition.ts';
import { agentIdFrom } from '../ids.ts';
import type { FunctionSpec, ParameterSpec } from '../language/function-spec.ts';
import { functionsWithFollowing } from '../language/following.ts';
import type { Language } from '../language/language.ts';

/** A function: only its name is needed. */
export interface FunctionInput extends Partial<Omit<FunctionSpec, 'parameters'>> {
  /** `^[A-Za-z][A-Za-z0-9_]{0,63}$` */
  readonly name: string;
  /** Default: none. `type` is `string` and `required` is true where they are not given. */
  readonly parameters?: readonly (Partial<ParameterSpec> & Pick<ParameterSpec, 'name'>)[];
}

/** An agent: only its name is needed. */
export interface AgentInput extends Partial<Omit<AgentDefinition, 'functions' | 'accepts' | 'generates'>> {
  readonly name: string;
  /** Function names or `category:NAME`: what it sees of what others generated. Default: nothing. */
  readonly accepts?: readonly string[];
  /** Function names or `category:NAME`: what it may generate. Default: nothing, it only talks. */
  readonly generates?: readonly string[];
}

/** Defaults: no description, category `other`, risk `reversible`, with an effect unless it only reads, not repeatable. */
export const functionSpec = ({ name, parameters = [], ...given }: FunctionInput): FunctionSpec => ({
  description: '',
  category: 'other',
  risk: 'reversible',
  effect: given.risk !== 'read',
  repeatable: false,
  ...given,
  name,
  parameters: parameters.map((parameter) => ({ type: 'string', required: true, ...parameter })),
});

/** An agent with the functions that its names and categories stand for; unknown ones give none. */
export function agentDefinition({ name, accepts = [], generates = [], ...given }: AgentInput, language: Language) {
  const [sees, may] = [language.resolve(accepts), language.resolve(generates)];
  return {
    agentId: agentIdFrom(name),
    description: '',
    topics: [],
    parameters: [],
    instructions: '',
    ...given,
    name,
    accepts: sees,
    generates: may,
    functions: functionsWithFollowing([...sees, ...may], language),
  } satisfies AgentDefinition;
}
