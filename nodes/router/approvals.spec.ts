/** A person in between, on real wires: plans and commands wait, and are answered by words or by a wire. */
import assert from 'node:assert/strict';
import { aTeamOnWires, agent, called, ends, functions, home, modules, router, say } from '../../test/red/team-flow.ts';
import { arrivals, core, deploy, load, nextAt, node, onTab, unload, until, type FlowNode } from '../../test/red/red.ts';
import { limits } from '../../engine/limits.ts';

const both = 'turn the kitchen light on and mow the front lawn';
const asAnna = { moot: { v: 1, conversation: 'c1', user: 'anna' } };

/** Node-RED's own nodes that answer: a Function node fed by the router's events. */
const answering = (func: string): FlowNode => ({
  ...{
    id: 'answering',
    type: 'function',
    func,
    outputs: 1,
    timeout: 0,
    noerr: 0,
    initialize: '',
    finalize: '',
    libs: [],
  },
  wires: [['router']],
});

/** What the router shows. */
const watched: FlowNode[] = [
  { id: 'watch', z: 'f', type: 'status', scope: ['router'], wires: [['shown']] },
  { id: 'shown', z: 'f', type: 'helper', wires: [] },
];
const waitsText = 'folkmoot-router.status.approval';
const textOf = (message: unknown) => (message as { status?: { text?: string } } | undefined)?.status?.text;

async function result(text: string, more: object = asAnna) {
  const next = nextAt('result');
  say(text, more);
  return next;
}

describe('a person in between, on wires', function () {
  this.timeout(20_000);
  const team = aTeamOnWires();

  it('is shown the plan, and the commands, in plain words, and answers in the same conversation', async () => {
    await load(modules, home({ approve: 'both' }));
    const plan = await result(both);
    assert.deepEqual([plan.moot?.outcome, plan.moot?.reason, called(plan.moot)], ['asked', 'approval', []]);
    assert.equal(
      plan.payload,
      'This is what I would do:\n1. turn the kitchen light on\n2. mow the front lawn\nShall I?',
    );
    const commands = await result('yes');
    assert.equal(commands.payload, 'This would be done:\n1. Kitchen light on.\n2. Mow lawn: front.\nShall I?');
    assert.equal(commands.moot?.parent, plan.moot?.run);
    const done = await result('yes');
    assert.deepEqual([done.moot?.outcome, called(done.moot).map(([name]) => name)], ['done', ['SetLight', 'MowLawn']]);
  });

  it('changes the plan by words, without an AI model too', async () => {
    await load(modules, home({ approve: 'plan' }));
    await result(both);
    assert.match(
      String((await result('no, leave the lawn')).payload),
      /^This is what I would do: turn the kitchen light on\./,
    );
    assert.match(String((await result('the hall instead')).payload), /: .*hall on\.\nShall I\?$/);
    assert.match(String((await result('somehow nicer')).payload), /^I don’t understand .*\nThis is what I would do: /);
    assert.deepEqual(called((await result('ok')).moot), [['SetLight', { room: 'hall', state: 'on' }]]);
  });

  it('asks nobody as it is set at first', async () => {
    await load(modules, home());
    assert.equal((await result(both)).moot?.outcome, 'done');
  });

  it('is answered by an inject node that knows nothing of the run', async () => {
    const button: FlowNode = {
      ...{
        id: 'button',
        type: 'inject',
        once: false,
        repeat: '',
        crontab: '',
        topic: '',
        payload: '',
        payloadType: 'str',
      },
      props: [{ p: 'moot', v: '{"answer":{"decision":"approve"}}', vt: 'json' }],
      wires: [['router']],
    };
    await load([...modules, ...(core('inject') as never[])], [...home({ approve: 'plan' }), { ...button, z: 'f' }]);
    await result(both);
    const next = nextAt('result');
    node('button').receive({});
    const done = await next;
    assert.deepEqual(
      called(done.moot).map(([name]) => name),
      ['SetLight', 'MowLawn'],
    );
    assert.deepEqual([done.moot?.conversation, done.moot?.user], ['c1', 'anna']);
    const again = nextAt('result');
    node('button').receive({});
    assert.deepEqual(
      [(await again).moot?.outcome, (await again).payload],
      ['refused', 'Nothing waits for that answer: it was given already, or it came too late.'],
    );
  });

  it('is answered by a flow that its events lead to, however requests overlap', async () => {
    for (const overlap of ['queued', 'single', 'restart', 'parallel']) {
      const func = `if (msg.topic === 'plan' && msg.payload.data.approve || msg.topic === 'approval')
        return { payload: '', moot: { run: msg.moot.run, answer: { decision: 'approve' } } };`;
      const flow = home({
        approve: 'both',
        overlap,
        wires: [['result'], ['fallback'], ['events', 'answering'], ['lights', 'lawn']],
      });
      await load(modules, [...flow, { ...answering(func), z: 'f' }]);
      const results = arrivals('result');
      say(both);
      await until(() => results.length === 3);
      assert.deepEqual(results.map(({ moot }) => called(moot).length).sort(), [0, 0, 2], overlap);
      await unload();
    }
  });

  it('approves group by group', async () => {
    const waste = {
      ...functions[1],
      name: 'Rake',
      description: 'Rakes the lawn',
      synonyms: ['rake'],
      category: 'waste',
    };
    const flow = [
      { id: 'lang', type: 'folkmoot-language', functions: [...functions, waste] },
      ...onTab([
        router(['lawn', 'raker'], { approve: 'commands', approveBy: 'group' }),
        agent('lawn', 'Lawn Mower', ['MowLawn']),
        agent('raker', 'Lawn Raker', ['Rake'], { accepts: ['MowLawn'] }),
        ...ends,
      ]),
    ];
    await load(modules, flow);
    const first = await result('mow the front lawn and rake the front lawn');
    assert.equal(first.payload, 'This would be done: Mow lawn: front.\nShall I?');
    const second = await result('yes');
    assert.deepEqual(
      [second.moot?.outcome, second.moot?.reason, called(second.moot)],
      ['done', 'asked', [['MowLawn', { area: 'front' }]]],
    );
    assert.match(String(second.payload), /Next, this would be done: Rake: front\.\nShall I\?$/);
    assert.deepEqual(called((await result('yes')).moot), [['Rake', { area: 'front' }]]);
  });

  it('finds the plan after the router was made anew, and shows that it waits', async () => {
    const flow = [...home({ approve: 'plan' }), ...watched];
    await load([...modules, ...(core('status') as never[])], flow);
    const shown = arrivals('shown');
    await result(both);
    await until(() => textOf(shown.at(-1)) === waitsText);
    shown.length = 0;
    await deploy(
      flow.map((n) => (n.id === 'router' ? { ...n, description: 'changed' } : n)),
      'nodes',
    );
    await until(() => textOf(shown.at(-1)) === waitsText);
    assert.equal(called((await result('yes')).moot).length, 2);
  });

  it('is too late after the set minutes, and the status goes', async () => {
    await load(
      [...modules, ...(core('status') as never[])],
      [...home({ approve: 'plan', approvalMinutes: 5 }), ...watched],
    );
    const shown = arrivals('shown');
    await result(both);
    await until(() => textOf(shown.at(-1)) === waitsText);
    await team.clock().advance(5 * 60_000 + 1);
    await until(() => textOf(shown.at(-1)) === undefined);
    const late = await result('yes');
    assert.equal(late.payload, 'That waited too long, so I did nothing. Please ask me again.');
    assert.ok(5 * 60_000 < limits.approvalMs);
  });

  it('starts over with an empty board', async () => {
    await load(modules, home({ approve: 'plan' }));
    await result(both);
    assert.equal((await result('start over')).payload, 'All right, we start over. What shall I do?');
    assert.equal((await result(both)).moot?.outcome, 'asked');
    assert.equal((await result('no')).payload, 'All right, I did nothing.');
  });

  it('refuses an answer that decides nothing, at Catch', async () => {
    const catcher = { id: 'c', z: 'f', type: 'catch', scope: ['router'], uncaught: false, wires: [['caught']] };
    await load(modules, [...home({ approve: 'plan' }), catcher]);
    for (const answer of [{ decision: 'perhaps' }, { decision: 'refine', plan: { steps: [{ id: 1 }] } }]) {
      const caught = nextAt('caught');
      node('router').receive({ payload: '', moot: { v: 1, answer } } as never);
      assert.equal(((await caught).error as { code: string }).code, 'FOLKMOOT_BAD_INPUT');
    }
  });
});
