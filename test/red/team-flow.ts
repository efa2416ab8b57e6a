/** A router with a lights agent and a lawn mower on real wires, with rules for a model. */
import assert from 'node:assert/strict';
import { fakeClock, type FakeClock } from '../../engine/clock.ts';
import type { Moot } from '../../engine/moot.ts';
import agentNode from '../../nodes/agent/agent.ts';
import backboneNode from '../../nodes/backbone/backbone.ts';
import languageNode from '../../nodes/language/language.ts';
import modelNode from '../../nodes/model/model.ts';
import routerNode from '../../nodes/router/router.ts';
import { askRegistry, useClock } from '../../nodes/shared/process.ts';
import { core, node, onTab, startServer, stopServer, unload, type FlowNode } from './red.ts';

export const modules = [
  agentNode,
  backboneNode,
  languageNode,
  modelNode,
  routerNode,
  ...core('function', 'switch', 'catch', 'complete', 'delay', 'link', 'junction'),
] as never[];

const room = { name: 'room', type: 'string', required: true, allowedValues: ['kitchen', 'hall'] };
export const functions = [
  {
    name: 'SetLight',
    description: 'Turns a light on or off',
    category: 'lights',
    risk: 'reversible',
    effect: true,
    repeatable: true,
    parameters: [room, { name: 'state', type: 'string', required: true, allowedValues: ['on', 'off'] }],
    synonyms: ['turn light', 'switch light'],
    sentence: '{room} light {state}',
  },
  {
    name: 'MowLawn',
    description: 'Mows the lawn',
    category: 'lawn',
    risk: 'reversible',
    effect: true,
    repeatable: false,
    parameters: [{ name: 'area', type: 'string', required: true, allowedValues: ['front', 'back'] }],
    synonyms: ['mow'],
  },
];

/** The language. */
export const config = (): FlowNode[] => [{ id: 'lang', type: 'folkmoot-language', functions }];
export const agent = (id: string, name: string, generates: string[], more: object = {}): FlowNode => ({
  id,
  type: 'folkmoot-agent',
  name,
  language: 'lang',
  generates,
  description: `does ${name}`,
  topics: [name],
  wires: [[], [], [], []],
  ...more,
});
export const router = (asks: string[], more: object = {}): FlowNode => ({
  id: 'router',
  type: 'folkmoot-router',
  language: 'lang',
  wires: [['result'], ['fallback'], ['events'], asks],
  ...more,
});
export const ends: FlowNode[] = ['result', 'fallback', 'events', 'caught'].map((id) => ({
  id,
  type: 'helper',
  wires: [],
}));
export const home = (more: object = {}): FlowNode[] => [
  ...config(),
  ...onTab([
    router(['lights', 'lawn'], more),
    agent('lights', 'lights', ['category:lights']),
    agent('lawn', 'Lawn Mower', ['MowLawn']),
    ...ends,
  ]),
];
export const say = (text: unknown, more: object = {}): void => node('router').receive({ payload: text, ...more });
export const called = (moot: Moot | undefined) => (moot?.mutations ?? []).map((m) => [m.function, m.parameters]);

/** A Function node between router and agent. */
export const between = (id: string, code: string, to: string): FlowNode => ({
  id,
  type: 'function',
  func: code,
  outputs: 1,
  timeout: 0,
  noerr: 0,
  initialize: '',
  finalize: '',
  libs: [],
  wires: [[to]],
});

/** Every spec begins with a clock that stands still and ends with no ask open. */
export function aTeamOnWires(): { clock(): FakeClock } {
  let clock: FakeClock;
  before(startServer);
  after(stopServer);
  beforeEach(() => {
    clock = fakeClock();
    useClock(clock);
  });
  afterEach(async () => {
    await unload();
    useClock();
    assert.equal(askRegistry.pending, 0);
  });
  return { clock: () => clock };
}
