/** A garden as a program would define it, and a model that knows it by heart. */
import type { ScriptLine } from '../../engine/model/model.ts';
import { createRegistry } from '../../engine/library/registry.ts';
import { createSession } from '../../engine/library/session.ts';
import type { Mutation } from '../../engine/moot.ts';

const area = { name: 'area', allowedValues: ['front', 'back'] };

const mower = { name: 'Lawn Mower', topics: ['lawn'], generates: ['category:lawn'] };
const disposer = {
  name: 'Waste Disposer',
  topics: ['waste'],
  accepts: ['category:lawn-waste'],
  generates: ['CollectWaste'],
};

/** A garden whose handlers write down what they did. */
export function garden() {
  const done: string[] = [];
  const registry = createRegistry();
  const note = (call: Mutation) => void done.push(`${call.function} ${String(call.parameters['area'])}`);
  const consequences = [{ function: 'ProduceCutGrass', parameters: { area: '{area}' } }];
  registry.register({ name: 'MowLawn', category: 'lawn', parameters: [area], consequences }, note);
  registry.register({ name: 'ProduceCutGrass', category: 'lawn-waste', effect: false, parameters: [area] });
  registry.register({ name: 'CollectWaste', category: 'waste', parameters: [area] }, note);
  return { registry, done };
}

export const plan = (steps: readonly [agent: string, prompt: string][], when?: string): ScriptLine => ({
  task: 'plan',
  ...(when ? { when } : {}),
  answer: { message: 'I see to it.', steps: steps.map(([agent, prompt]) => ({ agent, prompt })) },
});
export const calls = (when: string, ...of: readonly [string, string][]): ScriptLine => ({
  task: 'generate',
  when,
  answer: { message: 'Good.', calls: of.map(([name, where]) => ({ function: name, parameters: { area: where } })) },
});

export const gardenScript = [
  plan([['lawn-mower', 'mow the back']], 'only the back'),
  plan([
    ['lawn-mower', 'mow the front'],
    ['waste-disposer', 'collect the waste'],
  ]),
  calls('mow the front', ['MowLawn', 'front']),
  calls('mow the back', ['MowLawn', 'back']),
  calls('collect', ['CollectWaste', 'front']),
];

export function session(registry = garden().registry, script: readonly ScriptLine[] = gardenScript) {
  return createSession(gardenOptions(registry, script));
}

export const gardenOptions = (registry = garden().registry, script: readonly ScriptLine[] = gardenScript) =>
  ({ registry, agents: [mower, disposer], model: { provider: 'scripted', script } }) as const;

export const namesOf = (list: readonly { readonly function: string }[]) => list.map((one) => one.function);
export const call = (name: string, where = 'front'): Mutation => ({
  id: `${name}-${where}`,
  function: name,
  parameters: { area: where },
  risk: 'reversible',
});
