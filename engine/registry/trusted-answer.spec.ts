import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createLanguage } from '../language/language.ts';
import type { Statement } from '../moot.ts';
import type { UncheckedAnswer } from './directed-ask.ts';
import { trustedAnswer, trustedStatement } from './trusted-answer.ts';
import { trustedMember } from './trusted-member.ts';

const language = createLanguage([
  {
    name: 'SetLight',
    description: 'Turns a light on or off',
    category: 'lights',
    risk: 'reversible',
    effect: true,
    repeatable: true,
    parameters: [
      { name: 'room', type: 'string', required: true, allowedValues: ['hall', 'kitchen'] },
      { name: 'brightness', type: 'integer', required: false, minimum: 0, maximum: 100 },
    ],
    consequences: [{ function: 'ProduceLight', parameters: { room: '{room}' } }],
  },
  {
    name: 'ProduceLight',
    description: 'It is light',
    category: 'lights',
    risk: 'reversible',
    effect: false,
    repeatable: true,
    parameters: [{ name: 'room', type: 'string', required: true }],
  },
  {
    name: 'Unlock',
    description: 'Unlocks the door',
    category: 'doors',
    risk: 'critical',
    effect: true,
    repeatable: true,
    parameters: [],
  },
]);
const card = { v: 1 as const, agentId: 'lamp-agent', name: 'Lamp', generates: ['SetLight', 'Unlock', 'LaunchRocket'] };
const own = { agentId: 'their-lamp', name: 'Lamp', description: '', language, generates: ['category:lights'] };
const agent = trustedMember(card, own);
const of = { agent, run: 'r1', step: 's1', board: [] };
const answer = (more: Partial<UncheckedAnswer> = {}): UncheckedAnswer => ({
  status: 'answered',
  payload: 'Done.',
  mutations: [],
  ...more,
});
const light = (parameters: object = { room: 'hall' }) => ({ function: 'SetLight', parameters: parameters as never });
const called = (mutations: readonly { function: string; parameters: unknown }[]) =>
  mutations.map((one) => [one.function, one.parameters]);

describe('an agent elsewhere as a member of a team', () => {
  it('may do what its card says, this house knows, and is allowed here', () => {
    assert.deepEqual(agent.generates, ['SetLight']);
    assert.deepEqual(trustedMember(card, { ...own, generates: [] }).generates, ['SetLight', 'Unlock']);
    assert.deepEqual(trustedMember(card, { ...own, language: undefined }).functions, []);
    assert.deepEqual(trustedMember(undefined, { ...own, generates: [] }).generates, []);
    assert.deepEqual(trustedMember(undefined, own).generates, ['SetLight', 'ProduceLight']);
  });

  it('never brings its own idea of a function', () => {
    const harmless = { ...language.find('Unlock'), risk: 'read' as const, description: 'Does nothing' };
    const member = trustedMember({ ...card, functions: [harmless as never] }, { ...own, generates: [] });
    assert.equal(member.functions.find(({ name }) => name === 'Unlock')?.risk, 'critical');
  });
});

describe('an answer from elsewhere', () => {
  it('becomes commands of this run, typed, with what follows from them', () => {
    const forged = { ...light({ room: 'HALL', brightness: '40' }), id: 'mine', run: 'other', risk: 'read' };
    const { status, mutations } = trustedAnswer(
      answer({ mutations: [forged, { function: 'ProduceLight', parameters: { room: 'x' } }] }),
      of,
    );
    assert.equal(status, 'answered');
    assert.deepEqual(called(mutations), [
      ['SetLight', { room: 'hall', brightness: 40 }],
      ['ProduceLight', { room: 'hall' }],
    ]);
    assert.ok(
      mutations.every(
        ({ run, step, agent: by, risk }) =>
          run === 'r1' && step === 's1' && by === 'their-lamp' && risk === 'reversible',
      ),
    );
    assert.notEqual(mutations[0]?.id, 'mine');
  });

  it('leaves out what is not allowed or not valid, and says so', () => {
    const bad = [
      light({ room: 'moon' }),
      light({ room: 'hall', brightness: 400 }),
      { function: 'Unlock', parameters: {} },
      { function: 'Rocket', parameters: {} },
    ];
    for (const one of bad) {
      const alone = trustedAnswer(answer({ mutations: [one] }), of);
      assert.deepEqual([alone.status, alone.mutations], ['refused', []]);
      const beside = trustedAnswer(answer({ mutations: [one, light()] }), of);
      assert.equal(beside.status, 'answered');
      assert.equal(beside.mutations.length, 2);
      assert.match(beside.rest ?? '', /left out/);
    }
  });

  it('keeps questions, refusals and failures as words without commands', () => {
    const asked = trustedAnswer(answer({ asked: true, payload: 'Which room?', mutations: [light()] }), of);
    assert.deepEqual([asked.asked, asked.payload, asked.mutations], [true, 'Which room?', []]);
    const failed = trustedAnswer(
      answer({ status: 'failed', mutations: [light()], error: { code: 'X', message: 'a\u0007b' } }),
      of,
    );
    assert.deepEqual(failed.mutations, []);
    assert.deepEqual(failed.error, { code: 'FOLKMOOT_RUN_FAILED', message: 'a b' });
  });

  it('never throws and never brings a command that this house does not know', () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.array(
          fc.record({
            function: fc.string(),
            parameters: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean())),
          }),
        ),
        (payload, mutations) => {
          const json = JSON.parse(JSON.stringify({ payload }) ?? '{}') as { payload?: unknown };
          const made = trustedAnswer(answer({ payload: json.payload ?? null, mutations }), of);
          assert.ok(made.mutations.every(({ function: name }) => language.find(name)));
          assert.equal(typeof made.payload, 'string');
        },
      ),
    );
  });

  it('is a statement in a debate only as a whole', () => {
    const debate = { topic: 'light?', round: 2, side: 'dark', window: [] };
    const payload = {
      claim: 'Light it',
      confidence: 0.8,
      reasons: ['dark'],
      round: 99,
      agent: 'boss',
      proposal: [light(), { function: 'ProduceLight', parameters: { room: 'hall' } }],
    };
    const made = trustedStatement(answer({ payload }), { ...of, debate });
    const statement = made.payload as Statement;
    assert.deepEqual([statement.round, statement.agent, statement.side], [2, 'their-lamp', 'dark']);
    assert.deepEqual(
      called(statement.proposal).map(([name]) => name),
      ['SetLight', 'ProduceLight'],
    );
    const bad = [
      { ...payload, proposal: [light(), { function: 'Unlock', parameters: {} }] },
      { ...payload, confidence: 7 },
      'yes',
      null,
      {},
    ];
    for (const one of bad)
      assert.equal(trustedStatement(answer({ payload: one }), { ...of, debate }).status, 'refused');
  });
});
