import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../../test/red/tier.ts';
import type { FunctionSpec } from '../../language/function-spec.ts';
import { compileLanguage } from './compile.ts';
import { generateWithRules } from './generate.ts';
import { interpret } from './interpret.ts';
import { planWithRules } from './plan.ts';
import { isActing } from './reading.ts';
import { planData, stepData, workshop } from './sample.ts';
import { english } from './words.en.ts';

const language = compileLanguage(workshop, english);
const callsOf = (text: string, of = language) =>
  interpret(text, of)
    .requests.filter(isActing)
    .flatMap(({ fn, calls }) => calls.map((call) => [fn.spec.name, ...Object.values(call)]));
const runs = { seed: seed(), numRuns: repeats(200) };
const news = fc.constantFrom('it is late', 'the glue is hot', 'we are done here', 'the band saw is on');
const orders = fc.constantFrom<[string, readonly unknown[]]>(
  ['plane the oak board', ['PlaneBoard', 'oak']],
  ['turn the band saw off', ['SetSaw', 'band_saw', 'off']],
  ['heat the red pot to 60 degrees', ['SetGlue', 'red', 60]],
);
const everybody = fc.constantFrom('everyone', 'everybody', 'the family', 'everyone in the house', 'us');

describe('a command behind a message', () => {
  it('may belong to it, so that nothing at all is done', () => {
    fc.assert(
      fc.property(news, orders, everybody, (text, [order], people) => {
        for (const joined of ['and', ', and', 'and then'])
          assert.deepEqual(callsOf(`tell ${people} that ${text} ${joined} ${order}`), []);
      }),
      runs,
    );
    assert.deepEqual(callsOf('tell everyone that it is late and turn it off'), []);
    assert.match(
      planWithRules(planData('tell everyone that it is late and plane the oak board')).message,
      /belongs to the message/,
    );
  });

  it('may belong to it also where two functions have its verb, which is a value', () => {
    const moved = (name: string): FunctionSpec => ({
      name: `Set${name}`,
      description: `Moves a ${name.toLowerCase()}`,
      category: 'machines',
      risk: 'reversible',
      effect: true,
      repeatable: true,
      parameters: [
        { name: 'side', type: 'string', required: true, allowedValues: ['left', 'right'] },
        { name: 'gap', type: 'integer', required: true, minimum: 0, maximum: 100, synonyms: { '0': ['close'] } },
      ],
    });
    const both = compileLanguage([...workshop, moved('Vice'), moved('Clamp')], english);
    assert.deepEqual(callsOf('tell everyone that the vice is free and close it', both), []);
    assert.deepEqual(callsOf('tell everyone that the vice is free, close it', both), []);
    assert.deepEqual(callsOf('tell everyone that the vice closes', both), [['CallForeman', 'the vice closes']]);
  });

  it('is one by itself behind a full stop, and in front of the message', () => {
    fc.assert(
      fc.property(news, orders, everybody, (text, [order, call], people) => {
        const told = ['CallForeman', text];
        assert.deepEqual(callsOf(`tell ${people} that ${text}. ${order}.`), [told, call]);
        assert.deepEqual(callsOf(`${order} and tell ${people} that ${text}`), [call, told]);
      }),
      runs,
    );
  });

  it('may also be a correction, with other words for the message', () => {
    fc.assert(
      fc.property(news, everybody, fc.constantFrom('no', 'no wait', 'sorry', 'I mean'), (text, people, word) => {
        assert.deepEqual(callsOf(`tell ${people} that ${text}, ${word}, tea`), []);
      }),
      runs,
    );
  });

  it('is none when it only tells more', () => {
    for (const text of [
      'it is late and the glue is hot',
      'we start at nine and the saw is off',
      'we saw oak and beech',
    ])
      assert.deepEqual(callsOf(`tell everyone that ${text}`), [['CallForeman', text]]);
  });
});

describe('a message', () => {
  it('may be a statement, a quotation or a note', () => {
    assert.deepEqual(callsOf('let everyone know the saw is broken'), [['CallForeman', 'the saw is broken']]);
    assert.deepEqual(callsOf("tell everyone dinner's ready"), [['CallForeman', "dinner's ready"]]);
    assert.deepEqual(callsOf('tell everyone “the saw is broken”'), [['CallForeman', 'the saw is broken']]);
  });

  it('for somebody who can’t be told alone is asked about', () => {
    const name = fc.constantFrom('Maria', 'tom', 'my boss', 'the neighbour', 'her', 'mum and Eve', 'Åsa');
    fc.assert(
      fc.property(name, news, (person, text) => {
        const request = `tell ${person} that ${text}`;
        assert.deepEqual(callsOf(request), []);
        const { questions = [] } = planWithRules(planData(request));
        assert.match(questions[0]?.question ?? '', /only for everybody\. Shall I\?/);
        const { steps } = planWithRules(planData('yes', { pending: questions[0] as never }));
        const calls = steps.flatMap(({ agent, prompt }) => generateWithRules(stepData(agent, prompt)).calls);
        assert.deepEqual(calls, [{ function: 'CallForeman', parameters: { text } }]);
        assert.deepEqual(planWithRules(planData('no', { pending: questions[0] as never })).steps, []);
      }),
      runs,
    );
  });

  it('goes to the person where a parameter takes one', () => {
    const call: FunctionSpec = {
      name: 'CallSomebody',
      description: 'Tells a person something',
      category: 'people',
      risk: 'reversible',
      effect: true,
      repeatable: false,
      synonyms: ['tell'],
      parameters: [
        { name: 'person', type: 'string', required: true, allowedValues: ['maria', 'tom'] },
        { name: 'text', type: 'string', required: true },
      ],
    };
    const own = compileLanguage([call], english);
    assert.deepEqual(callsOf('tell Maria that it is late', own), [['CallSomebody', 'maria', 'it is late']]);
    assert.deepEqual(callsOf('tell Eve that it is late', own), []);
  });
});
