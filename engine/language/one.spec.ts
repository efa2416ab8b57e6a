import assert from 'node:assert/strict';
import type { FunctionSpec } from './function-spec.ts';
import { sentenceOf } from './sentence.ts';
import { typedValue } from './values.ts';

describe('one of something', () => {
  const brew = (sentence?: string, unit = 'cups') =>
    ({
      ...{ name: 'BrewCoffee', description: 'x', category: 'c', risk: 'reversible', effect: true, repeatable: false },
      parameters: [{ name: 'cups', type: 'number', required: true, unit }],
      ...(sentence ? { sentence } : {}),
    }) as const satisfies FunctionSpec;
  const said = (cups: number, ...spec: Parameters<typeof brew>) => sentenceOf(brew(...spec), { cups });

  it('is said with its unit as for one, and as it is for others', () => {
    assert.equal(said(1), 'Brew coffee: 1 cup');
    assert.deepEqual(
      [2, 0, 1.5, -1].map((cups) => said(cups)),
      ['Brew coffee: 2 cups', 'Brew coffee: 0 cups', 'Brew coffee: 1.5 cups', 'Brew coffee: -1 cup'],
    );
    const units = [
      'degrees',
      'degrees celsius',
      'millilitres',
      'boxes',
      'batches',
      'berries',
      '%',
      'lx',
      'W',
      '°C',
      'celsius',
      'hertz',
      'kW',
      'glass',
    ];
    assert.deepEqual(
      units.map((unit) => said(1, '{cups}', unit).slice(2)),
      [
        'degree',
        'degree celsius',
        'millilitre',
        'box',
        'batch',
        'berry',
        '%',
        'lx',
        'W',
        '°C',
        'celsius',
        'hertz',
        'kW',
        'glass',
      ],
    );
  });
  it('is said so also where the sentence holds the unit itself', () => {
    assert.equal(said(1, '{cups} cups of coffee', ''), '1 cup of coffee');
    assert.equal(said(2, '{cups} cups of coffee', ''), '2 cups of coffee');
    assert.equal(said(1, 'cups {cups} lids', ''), 'Cups 1 lids');
  });
  it('is taken so from a model', () => {
    for (const given of ['1 cup', '1 cups', '1']) assert.equal(typedValue({ type: 'number', unit: 'cups' }, given), 1);
  });
});
