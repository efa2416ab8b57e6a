/** A small language for specs: a wood workshop. */
import type { FunctionSpec } from '../../language/function-spec.ts';
import type { TaskAgent, TaskData } from '../model.ts';

export const workshop: readonly FunctionSpec[] = [
  {
    name: 'SetSaw',
    description: 'Switches a saw on or off, or sets its speed',
    category: 'machines',
    risk: 'reversible',
    effect: true,
    repeatable: true,
    parameters: [
      { name: 'saw', type: 'string', required: true, allowedValues: ['band_saw', 'table_saw', 'fret_saw'] },
      { name: 'state', type: 'string', required: false, allowedValues: ['on', 'off'] },
      {
        name: 'speed',
        type: 'integer',
        required: false,
        minimum: 0,
        maximum: 100,
        unit: '%',
        synonyms: { '100': ['full'] },
      },
    ],
    requireOneOf: [['state', 'speed']],
  },
  {
    name: 'SetGlue',
    description: 'Sets the temperature of a glue pot',
    category: 'machines',
    risk: 'reversible',
    effect: true,
    repeatable: true,
    synonyms: ['warm', 'heat'],
    parameters: [
      { name: 'pot', type: 'string', required: true, allowedValues: ['red', 'blue'] },
      { name: 'celsius', type: 'number', required: true, minimum: 40, maximum: 90, unit: 'degrees' },
    ],
  },
  {
    name: 'PlaneBoard',
    description: 'Planes a board of a wood',
    category: 'wood',
    risk: 'reversible',
    effect: true,
    repeatable: false,
    synonyms: ['smooth'],
    parameters: [{ name: 'wood', type: 'string', required: true, allowedValues: ['oak', 'beech', 'maple'] }],
    consequences: [{ function: 'LeaveShavings', parameters: { wood: '{wood}' } }],
  },
  {
    name: 'LeaveShavings',
    description: 'Shavings lie on the floor',
    category: 'wood',
    risk: 'reversible',
    effect: false,
    repeatable: true,
    parameters: [{ name: 'wood', type: 'string', required: true, allowedValues: ['oak', 'beech', 'maple'] }],
  },
  {
    name: 'SweepShavings',
    description: 'Sweeps shavings of a wood from the floor',
    category: 'cleaning',
    risk: 'reversible',
    effect: true,
    repeatable: false,
    parameters: [{ name: 'wood', type: 'string', required: true, allowedValues: ['oak', 'beech', 'maple'] }],
  },
  {
    name: 'CallForeman',
    description: 'Informs the foreman',
    category: 'people',
    risk: 'reversible',
    effect: true,
    repeatable: false,
    synonyms: ['tell', 'let know'],
    parameters: [{ name: 'text', type: 'string', required: true }],
  },
  {
    name: 'ReadMeter',
    description: 'Tells the power of a saw',
    category: 'machines',
    risk: 'read',
    effect: false,
    repeatable: true,
    parameters: [{ name: 'saw', type: 'string', required: true, allowedValues: ['band_saw', 'table_saw', 'fret_saw'] }],
  },
  {
    name: 'CutPower',
    description: 'Cuts the power of the workshop',
    category: 'machines',
    risk: 'critical',
    effect: true,
    repeatable: true,
    parameters: [],
  },
];

const agent = (agentId: string, name: string, topics: readonly string[], generates: readonly string[]): TaskAgent => ({
  agentId,
  name,
  description: name,
  topics,
  parameters: [],
  accepts: [],
  generates,
});

export const team: readonly TaskAgent[] = [
  agent('machines-agent', 'Machines', ['saws', 'glue'], ['SetSaw', 'SetGlue', 'ReadMeter', 'CutPower']),
  { ...agent('wood-agent', 'Joiner', ['wood'], ['PlaneBoard']), parameters: ['wood'] },
  { ...agent('sweeper', 'Sweeper', ['cleaning'], ['SweepShavings']), accepts: ['LeaveShavings'] },
  agent('people-agent', 'Messenger', ['people'], ['CallForeman']),
];

/** Data of a `plan` task for the workshop. */
export const planData = (request: string, more: Partial<TaskData> = {}): TaskData => ({
  task: 'plan',
  request,
  agents: team,
  functions: workshop,
  board: [],
  ...more,
});

/** Data of a `generate` task for one agent of it. */
export const stepData = (agentId: string, request: string, more: Partial<TaskData> = {}): TaskData => ({
  ...planData(request),
  task: 'generate',
  agents: team.filter((one) => one.agentId === agentId),
  ...more,
});
