/** Tools in real Node-RED: asked over a wire by a node that only asks. */
import assert from 'node:assert/strict';
import type { AskAnswer } from '../../engine/moot.ts';
import { aCleanRegistry, modules as askModules, wire } from '../../test/red/ask-flow.ts';
import { arrivals, deploy, load, nextAt, node, onTab, settle, until, type FlowNode } from '../../test/red/red.ts';
import toolResult from '../tool-result/tool-result.ts';
import { ask } from '../shared/ask.ts';
import { reach } from '../shared/walk.ts';
import type { Red } from '../shared/red.ts';
import type { ToolCard } from '../../engine/tools/tool-card.ts';
import tool from './tool.ts';

let RED: Red;
const spy = (red: Red): void => void (RED = red);
const modules = [...askModules, tool, toolResult, spy] as never[];

const room = { name: 'room', type: 'string', required: true, allowedValues: ['kitchen', 'living_room', 'hall'] };
const warmth = (more: object = {}): FlowNode =>
  wire('warmth', 'folkmoot-tool', ['work'], { name: 'room warmth', parameters: [room], ...more });
const work = (code: string): FlowNode => wire('work', 'function', ['end'], { func: code, outputs: 1, libs: [] });
const flow = (code: string, more: object = {}): FlowNode[] =>
  onTab([
    wire('asker', 'test-asker', ['warmth']),
    warmth(more),
    work(code),
    wire('end', 'folkmoot-tool-result', []),
    { id: 'catch', type: 'catch', scope: ['work'], uncaught: false, wires: [['end']] },
  ]);

let asks = 0;
const call = (payload: unknown, more: { deadlineMs?: number; id?: string } = {}): Promise<AskAnswer> =>
  ask({
    RED,
    asker: node('asker'),
    port: 0,
    id: more.id ?? `ask:run/s1/t${(asks += 1)}`,
    to: 'warmth',
    kind: 'tool',
    payload,
    moot: { v: 1, run: 'run', user: 'anna' },
    deadlineMs: more.deadlineMs ?? 5000,
    signal: new AbortController().signal,
  });
const statusOf = (id: string) =>
  ((node(id) as unknown as { status: { args: unknown[][] } }).status.args.at(-1)?.[0] ?? {}) as { text?: string };
const warningsOf = (id: string) => (node(id) as unknown as { warn: { args: unknown[][] } }).warn.args.map(([w]) => w);

describe('a tool', function () {
  this.timeout(30_000);
  const team = aCleanRegistry();

  it('shows its card to who is wired to it, and to nobody else', async () => {
    await load(modules, flow('return msg', { description: 'Tells how warm a room is', sentence: '{room} {result}' }));
    const cards = [...reach<ToolCard>(RED, node('asker'), 0, 'tool').values()];
    assert.deepEqual(
      cards.map(({ name, risk, effect, timeoutMs }) => ({ name, risk, effect, timeoutMs })),
      [{ name: 'RoomWarmth', risk: 'read', effect: false, timeoutMs: 30_000 }],
    );
    assert.equal(reach(RED, node('asker'), 0, 'step').size, 0);
    const cut = flow('return msg').map((one) => (one.id === 'asker' ? { ...one, wires: [[]] } : one));
    await deploy(cut, 'nodes');
    assert.equal(reach(RED, node('asker'), 0, 'tool').size, 0);
    assert.equal((await call({ room: 'kitchen' })).status, 'refused');
  });

  it('sends the arguments with a call of its own, and no ask', async () => {
    await load(modules, [
      ...flow('msg.payload = 21; return msg').map((one) =>
        one.id === 'work' ? { ...one, wires: [['end', 'seen']] } : one,
      ),
      { id: 'seen', type: 'helper', z: 'f', wires: [] },
    ]);
    const seen = nextAt('seen');
    const answer = await call({ room: 'Living Room' }, { id: 'ask:run/s1/t1' });
    assert.equal(answer.status, 'answered');
    assert.equal(answer.payload, 21);
    const message = await seen;
    assert.equal(message._msgid, 'call:ask:run/s1/t1');
    assert.deepEqual(message.moot, { v: 1, run: 'run', user: 'anna', call: { id: 'ask:run/s1/t1' } });
  });

  it('gives three calls at once their own results, whatever the order', async () => {
    const code =
      'const wait = { kitchen: 40, living_room: 20, hall: 1 }[msg.payload.room]; setTimeout(() => { msg.payload = "warm " + msg.payload.room; node.send(msg); }, wait);';
    await load(modules, flow(code));
    const answers = await Promise.all(['kitchen', 'living_room', 'hall'].map((name) => call({ room: name })));
    assert.deepEqual(
      answers.map(({ payload }) => payload),
      ['warm kitchen', 'warm living_room', 'warm hall'],
    );
  });

  it('finds its call by the message’s id when a Function replaced the message', async () => {
    await load(modules, flow('return { payload: "new" }'));
    assert.equal((await call({ room: 'kitchen' })).payload, 'new');
  });

  it('refuses in words what it may not be asked with', async () => {
    await load(modules, flow('return msg'));
    const wrong = await call({ room: 'cellar' });
    assert.equal(wrong.status, 'refused');
    assert.match(wrong.error?.message ?? '', /parameter room/);
    assert.doesNotMatch(String(wrong.payload), /living_room|parameter/);
    assert.equal((await call('kitchen')).status, 'refused');
    const schema = { type: 'object', properties: { depth: { type: 'integer', minimum: 1 } }, required: ['depth'] };
    await deploy(flow('return msg', { parametersBy: 'schema', schema: JSON.stringify(schema) }), 'full');
    assert.match((await call({ depth: 0 })).error?.message ?? '', /depth/);
    assert.match(String((await call({})).payload), /which depth/);
    assert.deepEqual((await call({ depth: 3 })).payload, { depth: 3 });
  });

  it('fails when an error comes back by Catch', async () => {
    await load(modules, flow('throw new Error("the sensor is asleep")'));
    const answer = await call({ room: 'kitchen' });
    assert.equal(answer.status, 'failed');
    assert.equal(answer.error?.code, 'FOLKMOOT_TOOL_FAILED');
    assert.match(answer.error?.message ?? '', /the sensor is asleep/);
  });

  it('ends by the time limit without an answer; what comes late is counted and said once', async () => {
    await load(modules, flow('if (msg.payload.room === "kitchen") return null; return msg'));
    const waiting = call({ room: 'kitchen' }, { id: 'ask:run/s1/t90', deadlineMs: 2000 });
    await settle();
    await team.clock().advance(2001);
    assert.equal((await waiting).status, 'timeout');
    for (let i = 0; i < 2; i += 1) node('end').receive({ payload: 1, moot: { v: 1, call: { id: 'ask:run/s1/t90' } } });
    await until(() => statusOf('end').text === '2 late');
    assert.equal(warningsOf('end').length, 1);
    assert.match(String(warningsOf('end')[0]), /too late/);
  });

  it('counts double and unknown answers; the first one counts', async () => {
    await load(modules, flow('node.send({ ...msg, payload: 1 }); node.send({ ...msg, payload: 2 });'));
    assert.equal((await call({ room: 'kitchen' })).payload, 1);
    await until(() => statusOf('end').text === '1 double');
    node('end').receive({ payload: 'from nowhere' });
    await until(() => statusOf('end').text === '1 double, 1 unknown');
    assert.equal(warningsOf('end').length, 2);
  });

  it('cuts a result that is too long, and says so', async () => {
    await load(modules, flow('msg.payload = "x".repeat(20000); return msg'));
    assert.match(String((await call({ room: 'kitchen' })).payload), /… \(cut: the first 8000 of 20000 characters\)$/);
  });

  it('is begun anew when a deploy restarts it, but not when it acts', async () => {
    await load(modules, flow('return null'));
    const seen = arrivals('work');
    const reading = call({ room: 'kitchen' });
    await until(() => seen.length === 1);
    await deploy(flow('return msg', { description: 'changed' }), 'nodes');
    assert.equal((await reading).status, 'answered');
    await deploy(flow('return null', { effect: true }), 'full');
    const acting = call({ room: 'kitchen' });
    await settle();
    await deploy(flow('return null', { effect: true, description: 'changed' }), 'nodes');
    const answer = await acting;
    assert.equal(answer.status, 'failed');
    assert.match(answer.error?.message ?? '', /nobody knows/);
  });

  it('answers by itself when it is built in', async () => {
    await load(modules, flow('return null', { name: '', builtIn: 'load', parameters: [] }));
    const answer = await call({});
    assert.equal(answer.status, 'answered');
    assert.deepEqual(Object.keys(answer.payload as object), ['load1', 'load5', 'load15']);
  });

  it('says through Catch that nobody asks it', async () => {
    await load(modules, [
      ...flow('return msg').filter(({ id }) => id !== 'catch'),
      { id: 'c2', z: 'f', type: 'catch', scope: ['warmth'], uncaught: false, wires: [['caught']] },
      { id: 'caught', z: 'f', type: 'helper', wires: [] },
    ]);
    const caught = nextAt('caught');
    node('warmth').receive({ payload: {} });
    assert.equal(((await caught).error as { code?: string }).code, 'FOLKMOOT_BAD_INPUT');
  });
});
