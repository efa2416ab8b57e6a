/** A judge with a comfort and a cost agent on real wires, with canned answers by condition. */
import type { ScriptLine } from '../../engine/model/model.ts';
import type { EventRecord } from '../../engine/moot.ts';
import judgeNode from '../../nodes/judge/judge.ts';
import { node, onTab, type FlowNode } from './red.ts';
import { agent, between, ends, modules as teamModules } from './team-flow.ts';

export { aTeamOnWires as aDebateOnWires, between, called, ends } from './team-flow.ts';

export const modules = [judgeNode, ...teamModules] as never[];

const heatingFunctions = [
  {
    name: 'SetHeating',
    description: 'Sets the temperature of a room',
    category: 'heating',
    risk: 'reversible',
    effect: true,
    repeatable: true,
    parameters: [
      { name: 'room', type: 'string', required: true, allowedValues: ['living_room'] },
      { name: 'celsius', type: 'number', required: true, minimum: 5, maximum: 30, unit: 'degrees' },
    ],
    sentence: '{room} at {celsius}',
  },
  {
    name: 'OpenWindow',
    description: 'Opens the window',
    category: 'windows',
    risk: 'reversible',
    effect: true,
    repeatable: true,
    parameters: [],
  },
];
export const heat = { function: 'SetHeating', parameters: { room: 'living_room', celsius: 21 } };
const value = "event[kind='temperature'].value";
const line = (condition: string, claim: string, confidence: number, proposal: object[] = []): ScriptLine =>
  ({ condition, answer: { claim, confidence, reasons: [`${claim} It is right.`], proposal } }) as ScriptLine;

/** Surer of heating the colder it is; at 19 degrees as sure as the other. */
export const comfortScript = [
  line(`${value} < 18`, 'Heat.', 0.9, [heat]),
  line(`${value} < 20`, 'Heat.', 0.6, [heat]),
  line(`${value} >= 20`, 'Heat.', 0.3, [heat]),
];
export const costScript = [
  line(`${value} < 18`, 'Save.', 0.4),
  line(`${value} < 20`, 'Save.', 0.6),
  line(`${value} >= 20`, 'Save.', 0.8),
];

/** The language and the two models. */
export const config = (comfort: readonly ScriptLine[] = comfortScript, costs = costScript): FlowNode[] => [
  { id: 'heating', type: 'folkmoot-language', functions: heatingFunctions },
  { id: 'of-comfort', type: 'folkmoot-model', provider: 'scripted', script: comfort },
  { id: 'of-costs', type: 'folkmoot-model', provider: 'scripted', script: costs },
];
export const judge = (asks: readonly string[] = ['comfort', 'costs'], more: object = {}): FlowNode => ({
  id: 'judge',
  type: 'folkmoot-judge',
  question: 'Heat or save?',
  wires: [['result'], ['fallback'], ['events'], asks],
  ...more,
});
export const comfort = (more: object = {}): FlowNode =>
  agent('comfort', 'comfort', ['SetHeating'], { language: 'heating', model: 'of-comfort', ...more });
export const costs = (more: object = {}): FlowNode =>
  agent('costs', 'costs', ['OpenWindow'], { language: 'heating', model: 'of-costs', ...more });

export const debate = (more: object = {}, others: readonly FlowNode[] = []): FlowNode[] => [
  ...config(),
  ...onTab([judge(['comfort', 'costs'], more), comfort(), costs(), ...ends, ...others]),
];

export const temperature = (degrees: number): EventRecord => ({
  source: 'living_room',
  kind: 'temperature',
  value: degrees,
  unit: '°C',
  time: '2026-01-01T00:00:00.000Z',
});
/** As sense tells it. */
export const measure = (degrees: number, more: object = {}): void =>
  node('judge').receive({
    payload: `it is ${degrees} degrees`,
    topic: 'sensor',
    moot: { v: 1, event: [temperature(degrees)] },
    ...more,
  });

/** Between the judge and the cost agent: what it is asked is lost. */
export const lost = between('lost', 'return null;', 'costs');
