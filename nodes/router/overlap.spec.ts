/** What happens at a router to a request that comes while another one is worked on: all modes, on real wires. */
import assert from 'node:assert/strict';
import type { Moot } from '../../engine/moot.ts';
import {
  core,
  deploy,
  load,
  node,
  onTab,
  startServer,
  stopServer,
  unload,
  until,
  arrivals,
} from '../../test/red/red.ts';
import type { FlowNode } from '../../test/red/red.ts';
import { between } from '../../test/red/team-flow.ts';
import agentNode from '../agent/agent.ts';
import languageNode from '../language/language.ts';
import { askRegistry } from '../shared/process.ts';
import routerNode from './router.ts';

const modules = [agentNode, languageNode, routerNode, ...core('function')] as never[];
const functions = [
  {
    name: 'SetLight',
    description: 'Turns a light on or off',
    category: 'lights',
    risk: 'reversible',
    effect: true,
    repeatable: true,
    parameters: [{ name: 'state', type: 'string', required: true, allowedValues: ['on', 'off'] }],
    synonyms: ['turn light'],
  },
];

/** Asks stand still until they are let go, so that runs overlap for sure. */
const gate =
  "const held = flow.get('held') || []; held.push(msg); flow.set('held', held); const open = () => { if (flow.get('open')) held.splice(0).forEach((m) => node.send(m)); else setTimeout(open, 5); }; open();";

const houseOf = (overlap?: string): FlowNode[] => [
  { id: 'lang', type: 'folkmoot-language', functions },
  ...onTab([
    {
      id: 'router',
      type: 'folkmoot-router',
      ...(overlap ? { overlap } : {}),
      wires: [['result'], ['fallback'], [], ['gate']],
    },
    between('gate', gate, 'lights'),
    {
      id: 'lights',
      type: 'folkmoot-agent',
      name: 'lights',
      description: 'lights',
      language: 'lang',
      generates: ['SetLight'],
      wires: [[], [], [], []],
    },
    { id: 'result', type: 'helper', wires: [] },
    { id: 'fallback', type: 'helper', wires: [] },
  ]),
];

const house = (overlap?: string): Promise<void> => load(modules, houseOf(overlap));

const say = (text: string, topic: string, moot?: Partial<Moot>): void =>
  node('router').receive({ payload: text, topic, ...(moot ? { moot: { v: 1, ...moot } } : {}) });
interface FlowContext {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}
const flowOf = (id: string): FlowContext =>
  (node(id) as unknown as { context(): { flow: FlowContext } }).context().flow;
const open = (): void => flowOf('gate').set('open', true);
const endings = (messages: readonly { topic?: unknown; moot?: Moot }[]): unknown[] =>
  messages.map((m) => [m.topic, m.moot?.outcome, m.moot?.reason]).sort();

describe('requests that overlap', function () {
  this.timeout(20_000);
  before(startServer);
  after(stopServer);
  afterEach(async () => {
    await unload();
    assert.equal(askRegistry.pending, 0);
  });

  async function three(overlap: string): Promise<{ results: unknown[]; fallbacks: unknown[]; firstAsks: number }> {
    await house(overlap);
    const results = arrivals('result');
    const fallbacks = arrivals('fallback');
    say('turn the light on', 'one');
    await until(() => askRegistry.pending === 1, 10_000);
    say('turn the light off', 'two');
    say('turn the light on', 'three');
    await until(() => askRegistry.pending + fallbacks.length + (overlap === 'queued' ? 2 : 0) >= 3, 10_000);
    const firstAsks = askRegistry.pending;
    open();
    await until(() => results.length + fallbacks.length === 3, 10_000);
    return { results: endings(results), fallbacks: endings(fallbacks), firstAsks };
  }

  it('wait for their turn when queued', async () => {
    const { results, fallbacks, firstAsks } = await three('queued');
    assert.equal(firstAsks, 1);
    assert.deepEqual(results, [
      ['one', 'done', undefined],
      ['three', 'done', undefined],
      ['two', 'done', undefined],
    ]);
    assert.deepEqual(fallbacks, []);
  });

  it('are left out, and said so by fallback, when only a single one is taken', async () => {
    const { results, fallbacks } = await three('single');
    assert.deepEqual(results, [['one', 'done', undefined]]);
    assert.deepEqual(fallbacks, [
      ['three', 'cancelled', 'overlap'],
      ['two', 'cancelled', 'overlap'],
    ]);
  });

  it('take the place of the one before when it restarts', async () => {
    const { results, fallbacks } = await three('restart');
    assert.deepEqual(results, [['three', 'done', undefined]]);
    assert.deepEqual(fallbacks, [
      ['one', 'cancelled', 'overlap'],
      ['two', 'cancelled', 'overlap'],
    ]);
  });

  it('are worked on side by side in parallel', async () => {
    const { results, fallbacks, firstAsks } = await three('parallel');
    assert.equal(firstAsks, 3);
    assert.equal(results.length, 3);
    assert.deepEqual(fallbacks, []);
  });

  /** Two of one conversation, two of one person, one of a sensor twice, and one of nobody else. */
  it('are worked on side by side, but those of one conversation, person or sensor in turn, which is the default', async () => {
    await house();
    const results = arrivals('result');
    const people = { request: { id: 'r', via: 'flow' } } as const;
    say('turn the light on', 'chat', { ...people, conversation: 'a', user: 'kim' });
    say('turn the light on', 'chat', { ...people, conversation: 'a', user: 'lee' });
    say('turn the light on', 'chat', { ...people, conversation: 'b', user: 'kim' });
    say('turn the light on', 'sensor', {});
    say('turn the light on', 'sensor', {});
    say('turn the light on', 'other', {});
    await until(() => askRegistry.pending === 3, 10_000);
    const held = flowOf('gate').get('held') as { topic: string; moot: Moot }[];
    const first = [...held].map(({ topic, moot }) => `${topic} ${moot.user ?? ''}`.trim());
    open();
    await until(() => results.length === 6, 10_000);
    assert.deepEqual(first, ['chat kim', 'sensor', 'other']);
  });

  it('stand behind those of their conversation that were asked before the router was made anew', async () => {
    await house();
    const results = arrivals('result');
    say('turn the light on', 'chat', { conversation: 'a' });
    await until(() => askRegistry.pending === 1, 10_000);
    const changed = houseOf().map((one) => (one.id === 'router' ? { ...one, description: 'changed' } : one));
    await deploy(changed, 'nodes');
    say('turn the light off', 'chat', { conversation: 'a' });
    open();
    await until(() => results.length === 2, 10_000);
    assert.deepEqual(
      results.map(({ moot }) => moot?.mutations?.map(({ parameters }) => parameters['state'])),
      [['on'], ['off']],
    );
  });
});
