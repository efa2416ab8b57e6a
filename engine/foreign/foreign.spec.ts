import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createLanguage } from '../language/language.ts';
import type { Parameters } from '../moot.ts';
import { foreignOfCall } from './foreign-call.ts';
import { faultOfForeign, foreignOfSpec, specOfForeign } from './foreign-function.ts';
import type { ForeignFunction } from './foreign-function.ts';

const cleanPool: ForeignFunction = {
  function_name: 'CleanPool',
  description: 'Cleans one end',
  parameters: [
    { name: 'end', type: 'string', allowed_values: ['deep', 'shallow'] },
    { name: 'minutes', type: 'int', allowed_values: [] },
    { name: 'litres', type: 'float' },
    { name: 'start', type: 'datetime', allowed_values: [] },
  ],
};

describe('a foreign function', () => {
  it('becomes one of ours: types, allowed values, all required', () => {
    const { parameters } = specOfForeign(cleanPool);
    assert.deepEqual(
      parameters.map(({ name, type, required, allowedValues }) => [name, type, required, allowedValues]),
      [
        ['end', 'string', true, ['deep', 'shallow']],
        ['minutes', 'integer', true, undefined],
        ['litres', 'number', true, undefined],
        ['start', 'datetime', true, undefined],
      ],
    );
  });

  it('whatever it is, comes out as it went in', () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,20}$/);
    const parameter = fc.record({
      name,
      type: fc.constantFrom('int' as const, 'float' as const, 'string' as const, 'datetime' as const),
      allowed_values: fc.uniqueArray(fc.stringMatching(/^[1-9]{1,5}$/), { maxLength: 4 }),
    });
    const foreign = fc.record({
      function_name: name,
      description: fc.string({ maxLength: 100 }),
      parameters: fc.uniqueArray(parameter, { maxLength: 5, selector: (one) => one.name.toLowerCase() }),
    });
    fc.assert(
      fc.property(foreign, (given) => {
        assert.equal(faultOfForeign(given), undefined);
        createLanguage([specOfForeign(given)]);
        assert.deepEqual(foreignOfSpec(specOfForeign(given)), structuredClone(given));
      }),
    );
  });

  it('that breaks our rules says why it can’t be used', () => {
    assert.match(faultOfForeign({ ...cleanPool, function_name: 'Clean the pool' }) ?? '', /letters, digits/);
    const parameters = [{ name: 'end-of-pool', type: 'string' as const }];
    assert.match(faultOfForeign({ ...cleanPool, parameters }) ?? '', /"end-of-pool" has no usable name/);
    const twice = [...cleanPool.parameters, ...cleanPool.parameters];
    assert.match(faultOfForeign({ ...cleanPool, parameters: twice }) ?? '', /end is there twice/);
  });

  it('of ours goes out with the four types there are', () => {
    const field = (type: string) => ({ name: type, type, required: true, ...inner(type) });
    const inner = (type: string) =>
      type === 'object' ? { fields: [{ name: 'x', type: 'string', required: true }] } : {};
    const [spec] = createLanguage([
      {
        ...{ name: 'Make', description: '', category: 'c', risk: 'critical', effect: true, repeatable: true },
        parameters: ['boolean', 'list', 'object', 'integer', 'number', 'datetime'].map(field),
      },
    ]).functions;
    assert.ok(spec);
    assert.deepEqual(
      foreignOfSpec(spec).parameters.map(({ type }) => type),
      ['string', 'string', 'string', 'int', 'float', 'datetime'],
    );
  });
});

describe('a foreign call', () => {
  it('has text for every value, lists and objects as JSON, and the name by which others know its agent', () => {
    const parameters: Parameters = { celsius: 21.5, on: true, rooms: ['hall', 'bath'], at: { hour: 7 } };
    const call = { id: 'x', agent: 'pool-keeper', function: 'Set', parameters, risk: 'reversible' } as const;
    assert.deepEqual(foreignOfCall(call, 'Pool Keeper'), {
      agent_name: 'Pool Keeper',
      function_name: 'Set',
      parameters: { celsius: '21.5', on: 'true', rooms: '["hall","bath"]', at: '{"hour":7}' },
    });
  });
});
