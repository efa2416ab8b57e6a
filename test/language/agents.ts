/** Agents of the sample language. */
import type { AgentDefinition } from '../../engine/agent/definition.ts';
import { createLanguage } from '../../engine/language/language.ts';
import { sampleFunctions } from './sample.ts';

export const sampleLanguage = createLanguage(sampleFunctions);

export function sampleAgent(
  extra: Partial<AgentDefinition> & Pick<AgentDefinition, 'accepts' | 'generates'>,
): AgentDefinition {
  const known = new Set([...extra.accepts, ...extra.generates]);
  for (const name of known) for (const one of sampleLanguage.find(name)?.consequences ?? []) known.add(one.function);
  return {
    agentId: 'sample-agent',
    name: 'Sample',
    description: 'Does what the sample language says.',
    topics: ['samples', 'trials'],
    parameters: [],
    instructions: '',
    functions: sampleLanguage.functions.filter(({ name }) => known.has(name)),
    ...extra,
  };
}

export const lightsAgent = sampleAgent({ agentId: 'lights', name: 'Lights', accepts: [], generates: ['SetLight'] });
export const mowerAgent = sampleAgent({
  agentId: 'lawn-mower',
  name: 'Lawn Mower',
  accepts: [],
  generates: ['MowLawn'],
});
export const wasteAgent = sampleAgent({
  agentId: 'waste-disposer',
  name: 'Waste Disposer',
  topics: ['waste'],
  parameters: ['area'],
  accepts: ['ProduceCutGrass'],
  generates: ['CollectWaste'],
  instructions: 'Be tidy.\nWhen the lawn was mown: collect the waste',
});
