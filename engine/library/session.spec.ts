import assert from 'node:assert/strict';
import { calls, garden, gardenOptions, gardenScript, namesOf, session } from '../../test/library/garden.ts';
import { createModel } from '../model/catalogue.ts';
import { createLocalChatModel } from '../model/local-chat-model.ts';
import type { Model, ScriptLine } from '../model/model.ts';
import type { Plan } from '../moot.ts';
import { handlePrompt } from './handle-prompt.ts';
import { createRegistry } from './registry.ts';
import { createSession } from './session.ts';

describe('A session', () => {
  it('plans, generates and executes: one agent works from what the other left', async () => {
    const { registry, done } = garden();
    const team = session(registry);
    const made = await team.plan('mow the front lawn and clear up');
    assert.deepEqual(
      made.steps.map(({ agent, after }) => [agent, after]),
      [
        ['lawn-mower', []],
        ['waste-disposer', ['s1']],
      ],
    );
    assert.deepEqual(team.board.view(), []);
    const { outcome, calls: made2 } = await team.generate('proceed', { plan: made });
    assert.equal(outcome, 'done');
    assert.deepEqual(namesOf(made2), ['MowLawn', 'ProduceCutGrass', 'CollectWaste']);
    const { errors } = await team.execute();
    assert.deepEqual(errors, []);
    assert.deepEqual(done, ['MowLawn front', 'CollectWaste front']);
  });

  it('plans with a model of its own where it has one (P20)', async () => {
    const mine = session();
    const { registry } = garden();
    const planModel = {
      provider: 'scripted',
      script: [{ task: 'plan', answer: { message: 'From the small one.', steps: [] } }],
    } as const;
    const team = createSession({ ...gardenOptions(registry), planModel });
    assert.equal((await team.plan('mow the front lawn')).message, 'From the small one.');
    assert.notEqual((await mine.plan('mow the front lawn')).message, 'From the small one.');
  });

  it('carries out what is new, once', async () => {
    const { registry, done } = garden();
    const team = session(registry);
    await team.generate('mow the front lawn');
    await team.execute();
    const before = done.length;
    await team.generate('only the back, please');
    await team.execute();
    assert.deepEqual(done.slice(before), ['MowLawn back']);
  });

  it('uses a plan for an empty prompt or "proceed" without asking the planner, and throws it away for any other', async () => {
    const team = session();
    const made = await team.plan('mow the front lawn');
    const planned = async (prompt: string) =>
      (await team.generate(prompt, { plan: made })).usage.byAgent['router']?.modelCalls ?? 0;
    assert.deepEqual([await planned(''), await planned('proceed'), await planned('mow it')], [0, 0, 1]);
  });

  it('keeps what is new apart from what was there, and takes the program’s own state instead', async () => {
    const team = session();
    await team.generate('mow the front lawn');
    assert.equal(team.board.newly().length, 3);
    await team.generate('only the back, please');
    assert.deepEqual(namesOf(team.board.newly()), ['MowLawn', 'ProduceCutGrass']);
    assert.equal(team.board.previously().length, 3);
    team.setData([{ function: 'ProduceCutGrass', parameters: { area: 'back' } }]);
    assert.deepEqual(namesOf(team.board.view()), ['ProduceCutGrass']);
    assert.equal(team.board.messages().length, 4);
  });

  it('lets an agent marked for it answer talk, and asks nobody about it', async () => {
    const talks: readonly ScriptLine[] = [
      { task: 'plan', answer: { message: '', steps: [{ agent: 'chat', prompt: 'tell a joke' }] } },
      { task: 'generate', answer: { message: 'A rake walks into a bar.' } },
    ];
    const team = createSession({
      registry: garden().registry,
      agents: [
        { name: 'Lawn Mower', generates: ['MowLawn'] },
        { name: 'Entertainer', fallback: true },
      ],
      model: { provider: 'scripted', script: talks },
    });
    const approve = () => assert.fail('nobody is asked');
    const end = await handlePrompt(team, 'a joke', { approvePlan: approve, approveCalls: approve });
    assert.deepEqual([end.stage, end.generated?.text], ['generate', 'A rake walks into a bar.']);
    assert.equal(team.isTalk(end.plan), true);
  });

  it('tells in words of a step that may not be, and generates the others', async () => {
    const script = [calls('mow the front', ['CollectWaste', 'front']), ...gardenScript];
    const { outcome, plan: after, calls: made } = await session(garden().registry, script).generate('mow and clear up');
    assert.equal(outcome, 'done');
    assert.deepEqual(
      after.steps.map(({ state }) => state),
      ['refused', 'answered'],
    );
    assert.ok(after.steps[0]?.text);
    assert.deepEqual(namesOf(made), ['CollectWaste']);
  });

  it('is stopped by its signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await assert.rejects(session().generate('mow the front lawn', { signal }), /enough/);
  });

  it('needs agents', () => {
    const make = () => createSession({ registry: createRegistry(), agents: [], model: { provider: 'rules' } });
    assert.throws(make, { code: 'FOLKMOOT_NO_AGENTS' });
  });
});

describe('A prompt with a person in between', () => {
  it('is planned, changed, generated, changed again, and executed when the person says so', async () => {
    const { registry, done } = garden();
    const team = session(registry);
    const shown: string[] = [];
    const steps = ({ steps: all }: Plan) => all.map(({ prompt }) => prompt).join(', ');
    const end = await handlePrompt(team, 'mow the front lawn and clear up', {
      approvePlan(made) {
        shown.push(`plan: ${steps(made)}`);
        return shown.length === 1 ? { decision: 'refine', text: 'only the back' } : { decision: 'approve' };
      },
      approveCalls(generated) {
        shown.push(`calls: ${namesOf(generated.calls).join(', ')}`);
        return shown.length === 3 ? { decision: 'refine', text: 'and clear up, too' } : { decision: 'approve' };
      },
    });
    assert.deepEqual(shown, [
      'plan: mow the front, collect the waste',
      'plan: mow the back',
      'calls: MowLawn, ProduceCutGrass',
      'plan: mow the front, collect the waste',
      'calls: MowLawn, ProduceCutGrass, CollectWaste',
    ]);
    assert.equal(end.stage, 'execute');
    assert.deepEqual(done, ['MowLawn front', 'CollectWaste front']);
    assert.deepEqual(namesOf(team.board.view()), ['MowLawn', 'ProduceCutGrass', 'CollectWaste']);
  });

  it('is planned anew from the plan that is changed, and from none after a start over', async () => {
    const before: unknown[] = [];
    const canned = createModel({ provider: 'scripted', script: gardenScript });
    const planModel: Model = {
      settings: { provider: 'scripted' },
      chat: async () =>
        createLocalChatModel('spy', ({ previous, request }) => {
          before.push([request, previous?.steps.map(({ prompt }) => prompt)]);
          return { message: '', steps: [{ agent: 'lawn-mower', prompt: 'mow the front' }] };
        }),
    };
    const team = createSession({ ...gardenOptions(), model: canned, planModel });
    const answers = [
      { decision: 'refine', text: 'the front only' },
      { decision: 'restart', text: 'something else' },
      { decision: 'approve' },
    ] as const;
    let at = 0;
    await handlePrompt(team, 'mow', { approvePlan: () => answers[at++] ?? assert.fail('it was asked too often') });
    assert.deepEqual(before, [
      ['mow', undefined],
      ['the front only', ['mow the front']],
      ['something else', undefined],
    ]);
  });

  it('starts over with an empty board', async () => {
    const { registry, done } = garden();
    const team = session(registry);
    await handlePrompt(team, 'mow the front lawn');
    let asked = 0;
    await handlePrompt(team, 'mow again', {
      approveCalls: () => (asked++ ? { decision: 'approve' } : { decision: 'restart', text: 'only the back' }),
    });
    assert.deepEqual(
      team.board.messages().filter(({ role }) => role === 'user'),
      [{ role: 'user', text: 'only the back' }],
    );
    assert.equal(done.at(-1), 'MowLawn back');
  });

  it('does nothing when it is cancelled, before or after generation', async () => {
    const { registry, done } = garden();
    const team = session(registry);
    const cancel = () => ({ decision: 'cancel' as const });
    assert.equal((await handlePrompt(team, 'mow', { approvePlan: cancel })).stage, 'plan');
    assert.equal((await handlePrompt(team, 'mow', { approveCalls: cancel })).stage, 'generate');
    assert.deepEqual(done, []);
    assert.deepEqual(team.board.view(), []);
  });

  it('stays talk when nobody has anything to do', async () => {
    const hello: ScriptLine = { task: 'plan', answer: { message: 'Good morning!', steps: [] } };
    const end = await handlePrompt(session(garden().registry, [hello]), 'good morning', {
      approvePlan: () => assert.fail('there is nothing to approve'),
    });
    assert.deepEqual([end.stage, end.plan.message], ['plan', 'Good morning!']);
  });

  it('ends after the most rounds, with nothing done', async () => {
    const { registry, done } = garden();
    let rounds = 0;
    const end = await handlePrompt(session(registry), 'mow', {
      approvePlan: () => ({ decision: 'refine', text: `again ${(rounds += 1)}` }),
    });
    assert.deepEqual([end.stage, rounds], ['plan', 20]);
    assert.deepEqual(done, []);
  });
});
