/** Agents with tools on real wires: by questions, without a model. */
import assert from 'node:assert/strict';
import { createConversations } from '../../engine/conversation/conversation.ts';
import { systemClock } from '../../engine/clock.ts';
import { deploy, load, nextAt, node, onTab, type FlowNode } from '../../test/red/red.ts';
import { agent, aTeamOnWires, config, ends, modules as teamModules, router } from '../../test/red/team-flow.ts';
import { leaseBackbone } from '../backbone/lease.ts';
import type { Red } from '../shared/red.ts';
import tool from '../tool/tool.ts';
import toolResult from '../tool-result/tool-result.ts';

let RED: Red;
const spy = (red: Red): void => void (RED = red);
const modules = [...teamModules, tool, toolResult, spy] as never[];

const toolNode = (id: string, name: string, description: string, to: string, more: object = {}): FlowNode => ({
  id,
  type: 'folkmoot-tool',
  name,
  description,
  wires: [[to]],
  ...more,
});
const fn = (id: string, func: string, to: string): FlowNode => ({
  id,
  type: 'function',
  func,
  outputs: 1,
  libs: [],
  wires: [[to]],
});
const oven = { name: 'oven', type: 'string', required: true, allowedValues: ['drying', 'bread'] };
const gateTool = (more: object = {}) =>
  toolNode('gate', 'shed gate', 'Tells whether the shed gate is open or closed', 'look', {
    sentence: 'the shed gate is {result:true=closed|false=open}',
    ...more,
  });
const ovenTool = toolNode('heat', 'oven heat', 'Tells how hot or warm an oven is', 'measure', {
  parameters: [oven],
  sentence: 'the {oven} oven is at {result} degrees',
});
const flow = (asks: string[], more: object = {}): FlowNode[] => [
  ...config(),
  ...onTab([
    router(['lights', 'keeper'], more),
    agent('lights', 'lights', ['category:lights']),
    agent('keeper', 'keeper', [], { wires: [[], [], [], asks] }),
    gateTool(),
    fn('look', 'msg.payload = true; return msg;', 'end'),
    ovenTool,
    fn('measure', 'msg.payload = { drying: 60, bread: 220 }[msg.payload.oven]; return msg;', 'end'),
    { id: 'end', type: 'folkmoot-tool-result', wires: [] },
    ...ends,
  ]),
];
let count = 0;
async function ask(text: string, more: object = {}) {
  const conversation = `c${(count += 1)}`;
  const result = nextAt('result');
  node('router').receive({ payload: text, moot: { v: 1, conversation, user: 'anna', ...more } });
  return { ...(await result), conversation };
}

describe('an agent that tools are wired to', function () {
  this.timeout(30_000);
  aTeamOnWires();

  it('answers a question by the tool that fits, and no command follows', async () => {
    await load(modules, flow(['gate', 'heat']));
    const gate = await ask('is the shed gate closed?');
    assert.equal(gate.payload, 'The shed gate is closed.');
    assert.deepEqual(gate.moot?.mutations, []);
    assert.equal(gate.moot?.outcome, 'done');
    assert.equal(gate.moot?.usage?.toolCalls, 1);
    assert.equal((await ask('how warm is the bread oven?')).payload, 'The bread oven is at 220 degrees.');
    assert.match(String((await ask('what can you do?')).payload), /shed gate is open or closed/);
  });

  it('answers several questions at once, each with its own values, beside commands', async () => {
    await load(modules, flow(['gate', 'heat']));
    const both = await ask('how hot is the bread oven and how hot is the drying oven and is the shed gate closed?');
    assert.deepEqual(String(both.payload).split('\n'), [
      'The bread oven is at 220 degrees.',
      'The drying oven is at 60 degrees.',
      'The shed gate is closed.',
    ]);
    const mixed = await ask('turn the hall light on and tell me whether the shed gate is closed');
    assert.equal(mixed.moot?.mutations?.length, 1);
    assert.match(String(mixed.payload), /The shed gate is closed\./);
  });

  it('may use nothing that is not wired, from one deploy to the next', async () => {
    await load(modules, flow(['heat']));
    const before = await ask('is the shed gate closed?');
    assert.match(String(before.payload), /^Sorry, I have no answer/);
    assert.equal(before.moot?.outcome, 'refused');
    await deploy(flow(['heat', 'gate']), 'nodes');
    assert.equal((await ask('is the shed gate closed?')).payload, 'The shed gate is closed.');
    await deploy(flow([]), 'nodes');
    assert.match(String((await ask('is the shed gate closed?')).payload), /^Sorry/);
  });

  it('says so when the tool fails, and keeps the call in the conversation behind what the person said', async () => {
    const broken = flow(['gate']).map((one) =>
      one.id === 'look' ? fn('look', 'throw new Error("rusty")', 'end') : one,
    );
    await load(modules, [
      ...broken.map((one) => (one.id === 'look' ? { ...one, z: 'f' } : one)),
      { id: 'catch', z: 'f', type: 'catch', scope: ['look'], uncaught: false, wires: [['end']] },
    ]);
    const fallback = nextAt('fallback');
    const conversation = 'c-rusty';
    node('router').receive({ payload: 'is the shed gate closed?', moot: { v: 1, conversation } });
    const message = await fallback;
    assert.equal(message.payload, 'I could not find that out: something went wrong.');
    assert.equal(message.moot?.outcome, 'failed');
    const lease = leaseBackbone(RED, '');
    const rows = await createConversations((await lease.ready).store, systemClock).readLast(conversation, 10);
    await lease.release();
    assert.deepEqual(
      rows.map(({ messageType, source }) => [messageType, source]),
      [
        ['USER_MESSAGE', 'user'],
        ['AGENT_MESSAGE', 'keeper'],
        ['TOOL_EXECUTION', 'ShedGate'],
        ['AGENT_MESSAGE', 'router'],
      ],
    );
    assert.equal(rows[0]?.text, 'is the shed gate closed?');
    assert.match(rows[2]?.text ?? '', /rusty/);
  });

  it('works alone too, with a tool that needs no flow', async () => {
    await load(modules, [
      ...config(),
      ...onTab([
        agent('keeper', 'keeper', [], { wires: [['result'], [], [], ['users']] }),
        toolNode('users', '', '', 'end', { builtIn: 'users' }),
        { id: 'end', type: 'folkmoot-tool-result', wires: [] },
        ...ends,
      ]),
    ]);
    const result = nextAt('result');
    node('keeper').receive({ payload: 'how many users are logged into this system?' });
    assert.match(String((await result).payload), /logged in/);
  });

  it('carries a read function of its language out by the tool of that name', async () => {
    const meter = {
      name: 'ReadMeter',
      description: 'Tells the power of a machine',
      category: 'meters',
      risk: 'read',
      effect: false,
      repeatable: true,
      parameters: [
        { name: 'machine', type: 'string', required: true, allowedValues: ['saw'], synonyms: { saw: ['cutter'] } },
      ],
    };
    const reading = (asks: string[]): FlowNode[] => [
      { id: 'lang', type: 'folkmoot-language', functions: [meter] },
      ...onTab([
        router(['keeper']),
        agent('keeper', 'keeper', ['ReadMeter'], { wires: [[], [], [], asks] }),
        toolNode('meter', 'read meter', '', 'end', {
          parameters: meter.parameters,
          sentence: 'the {machine} needs 40 W',
        }),
        { id: 'end', type: 'folkmoot-tool-result', wires: [] },
        ...ends,
      ]),
    ];
    await load(modules, reading(['meter']));
    assert.equal((await ask('what is the power of the cutter?')).payload, 'The saw needs 40 W.');
    await deploy(reading([]), 'nodes');
    const refused = await ask('what is the power of the cutter?');
    assert.match(String(refused.payload), /nothing here is connected/);
    assert.deepEqual([refused.moot?.outcome, refused.moot?.mutations], ['refused', []]);
  });
});
