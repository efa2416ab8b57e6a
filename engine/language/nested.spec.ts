import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkCall } from './check-call.ts';
import { parameterSchema } from './json-schema.ts';
import { createLanguage } from './language.ts';
import { ajv } from './ajv.ts';
import type { ItemSpec } from './function-spec.ts';
import { fillPlaceholders } from './placeholders.ts';
import { sentenceOf } from './sentence.ts';
import { typedValue } from './values.ts';

const field = (name: string, more: object = {}) => ({ name, type: 'string', required: true, ...more });
const pages = {
  name: 'pages',
  type: 'list',
  required: true,
  minimum: 1,
  items: {
    type: 'object',
    fields: [
      field('title'),
      field('kind', { allowedValues: ['form', 'list'], synonyms: { form: ['entry form'] } }),
      field('columns', { type: 'list', items: { type: 'integer', minimum: 1 }, required: false }),
    ],
  },
};
const spec = (parameters: readonly object[], more: object = {}) => ({
  ...{ name: 'MakeApp', description: 'Make an app', category: 'app', risk: 'reversible', effect: true },
  ...{ repeatable: true, parameters },
  ...more,
});
const language = createLanguage([spec([pages], { sentence: 'App with {pages}' })]);
const check = (value: unknown) => checkCall(language, { function: 'MakeApp', parameters: { pages: value } });
const refused = (value: unknown) => {
  const checked = check(value);
  assert.ok(!checked.ok);
  return { finding: checked.finding, forPeople: checked.forPeople, problem: checked.problem };
};

describe('true and false as values (P28)', () => {
  const language = createLanguage([spec([{ name: 'locked', type: 'boolean', required: true }])]);
  const checked = (locked: unknown) => checkCall(language, { function: 'MakeApp', parameters: { locked } });

  it('are accepted as such and as the words for them', () => {
    for (const [wanted, given] of [
      [true, [true, 'true', 'Yes', ' on ']],
      [false, [false, 'false', 'NO', 'off']],
    ] as const)
      for (const one of given) {
        const call = checked(one);
        assert.deepEqual(call.ok && call.parameters, { locked: wanted }, String(one));
      }
  });

  it('are nothing else', () => {
    for (const one of [1, 'perhaps', [], {}]) assert.equal(checked(one).ok, false, JSON.stringify(one));
  });
});

describe('lists and objects as values', () => {
  it('get their types at every depth, also when they come as JSON text', () => {
    const given = [{ title: 'Guests', kind: 'entry form', columns: ['1', 2] }];
    const typed = [{ title: 'Guests', kind: 'form', columns: [1, 2] }];
    for (const value of [given, JSON.stringify(given)]) {
      const checked = check(value);
      assert.ok(checked.ok);
      assert.deepEqual(checked.parameters['pages'], typed);
    }
  });

  it('that hold one thing may come without their list', () => {
    const checked = check({ title: 'Guests', kind: 'list' });
    assert.ok(checked.ok);
    assert.deepEqual(checked.parameters['pages'], [{ title: 'Guests', kind: 'list' }]);
  });

  it('that are wrong are refused with the place, for the model and for people', () => {
    const wrong = (page: object) => refused([{ title: 'A', kind: 'list' }, page]);
    assert.deepEqual(wrong({ title: 'B', kind: 'map' }), {
      finding: 'Function MakeApp, parameter pages.1.kind: map is not allowed; allowed is form, list.',
      forPeople: 'Pages 2, kind can be form or list, not map.',
      problem: 'value',
    });
    assert.deepEqual(wrong({ kind: 'list' }), {
      finding: 'Function MakeApp, parameter pages.1.title is missing; allowed is a string.',
      forPeople: 'Pages 2, title is missing.',
      problem: 'value',
    });
    assert.deepEqual(wrong({ title: 'B', kind: 'list', colour: 'red' }), {
      finding: 'Function MakeApp, parameter pages.1.colour does not exist; allowed are title, kind, columns.',
      forPeople: 'Pages 2 has no colour.',
      problem: 'value',
    });
    assert.match(wrong({ title: 'B', kind: 'list', columns: [0] }).finding, /pages\.1\.columns\.0: 0 is not allowed/);
  });

  it('that are empty where something has to be are refused', () => {
    assert.match(refused([]).finding, /parameter pages: \[\] is not allowed; allowed is a list \(at least 1\)/);
  });

  it('are told to people without brackets', () => {
    const checked = check([{ title: 'Guests', kind: 'form', columns: [1, 2] }]);
    assert.ok(checked.ok);
    assert.equal(sentenceOf(checked.spec, checked.parameters), 'App with title: Guests, kind: form, columns: 1 and 2');
  });

  it('are described well, or the language says what is wrong', () => {
    const wrong = (parameter: object, words: RegExp) =>
      assert.throws(() => createLanguage([spec([{ ...field('x'), ...parameter }])]), words);
    wrong({ items: { type: 'string' } }, /parameter x: only a list has items/);
    wrong({ type: 'list', fields: [field('y')] }, /only an object has fields/);
    wrong({ type: 'object' }, /an object has at least one field/);
    wrong({ type: 'object', fields: [field('y'), field('y')] }, /field y is there twice/);
    wrong({ type: 'list', allowedValues: ['a'] }, /belong to the items/);
    wrong({ type: 'list', items: { type: 'integer', minimum: 3, maximum: 1 } }, /items: minimum 3 is greater/);
    let deep: object = { type: 'string' };
    for (let depth = 0; depth < 6; depth += 1) deep = { type: 'list', items: deep };
    wrong(deep, /parameter x/);
  });

  it('whatever comes, what passes has the described form, and typing it again changes nothing', () => {
    const item: ItemSpec = pages as ItemSpec;
    const validate = ajv().compile(parameterSchema(item));
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const checked = check(value);
        if (!checked.ok) return checked.finding.length > 0 && checked.forPeople.length > 0;
        const typed = checked.parameters['pages'];
        assert.ok(validate(typed));
        assert.deepEqual(typedValue(item, typed), typed);
        return true;
      }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.record({ title: fc.stringMatching(/^[a-z]{1,9}$/), kind: fc.constantFrom('form', 'list') }), {
          minLength: 1,
        }),
        (value) => check(value).ok,
      ),
    );
  });

  it('may be told by what lies inside of an object', () => {
    const page = { name: 'page', type: 'object', required: true, fields: [field('title'), field('path')] };
    const told = 'page {page.title} added[ at {page.path}]';
    const [nested] = createLanguage([spec([page], { sentence: told })]).functions;
    assert.ok(nested);
    assert.equal(sentenceOf(nested, { page: { title: 'Plants' } }), 'Page Plants added');
    assert.equal(sentenceOf(nested, { page: { title: 'Plants', path: '/p' } }), 'Page Plants added at /p');
    assert.deepEqual(fillPlaceholders([nested], {}), [nested], 'it is still there when what is known is filled in');
    assert.throws(() => createLanguage([spec([page], { sentence: '{page.colour}' })]), {
      message: /sentence names parameter page\.colour/,
    });
  });
});
