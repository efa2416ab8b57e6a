/** A flow with one apply node, three outputs and a language: for node specs. */
import type { Mutation } from '../../engine/moot.ts';
import apply from '../../nodes/apply/apply.ts';
import backbone from '../../nodes/backbone/backbone.ts';
import language from '../../nodes/language/language.ts';
import { core, onTab, type FlowNode } from './red.ts';

const base = { description: 'x', category: 'home', risk: 'reversible', effect: true, repeatable: true } as const;
const functions = [
  {
    ...base,
    name: 'SetLight',
    category: 'lights',
    parameters: [
      { name: 'room', type: 'string', required: true, allowedValues: ['kitchen', 'hall'] },
      { name: 'brightness', type: 'integer', required: true, minimum: 0, maximum: 100, unit: '%' },
    ],
    sentence: '{room} light at {brightness}',
  },
  { ...base, name: 'MowLawn', repeatable: false, parameters: [], sentence: 'front lawn mown' },
  { ...base, name: 'WaterPlants', parameters: [], sentence: 'plants watered' },
  { ...base, name: 'OpenDoor', risk: 'critical', parameters: [], sentence: 'door open' },
];
export const rows = [
  { kind: 'category', target: 'lights' },
  { kind: 'function', target: 'MowLawn' },
];
export const modules = [apply, language, backbone, ...core('catch', 'complete', 'function')] as never[];
export const flow = (more: object = {}, others: readonly FlowNode[] = []): FlowNode[] => {
  // The test helper registers a core node once for each time that it is in a flow.
  const taken = new Set(others.map(({ type }) => type).filter((type) => type !== 'helper'));
  return onTab(
    [
      { id: 'lang', type: 'folkmoot-language', functions },
      {
        id: 'a',
        type: 'folkmoot-apply',
        language: 'lang',
        rows,
        outputs: 3,
        wires: [['report'], ['light'], ['mow']],
        ...more,
      },
      { id: 'c', type: 'catch', scope: ['a'], uncaught: false, wires: [['caught']] },
      { id: 'k', type: 'complete', scope: ['a'], uncaught: false, wires: [['completed']] },
      ...['report', 'light', 'mow', 'caught', 'completed'].map((id) => ({ id, type: 'helper', wires: [] })),
      ...others,
    ].filter((node) => !taken.has(node.type) || others.includes(node)),
  );
};
/** A device on the row of lights that is wired back to apply by Catch (and Complete). */
export const device = (func: string, back: 'catch' | 'complete'): FlowNode[] => [
  { id: 'device', type: 'function', func, outputs: 1, wires: [['light']] },
  { id: 'back', type: back, scope: ['device'], uncaught: false, wires: [['a']] },
];
let count = 0;
export const light = (room = 'kitchen', brightness: unknown = 40): Mutation => ({
  id: `m${(count += 1)}`,
  run: 'r1',
  step: 's1',
  function: 'SetLight',
  parameters: { room, brightness } as Mutation['parameters'],
  risk: 'reversible',
});
export const call = (name: string): Mutation => ({ ...light(), function: name, parameters: {} });
export const commands = (mutations: readonly Mutation[], more: object = {}) => ({
  topic: 'home',
  payload: 'I will.',
  moot: { v: 1, run: 'r1', conversation: 'c1', user: 'anna', outcome: 'done', mutations, usage: {}, ...more } as never,
});
