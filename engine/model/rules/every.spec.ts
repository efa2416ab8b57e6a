import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../../test/red/tier.ts';
import type { FunctionSpec } from '../../language/function-spec.ts';
import { converse } from './conversation.sample.ts';
import { workshop } from './sample.ts';

const base = { category: 'garden', risk: 'reversible', effect: true, repeatable: true } as const;
const beds = ['rose', 'herb', 'onion'];
const garden: readonly FunctionSpec[] = [
  {
    ...base,
    name: 'SetSprinkler',
    description: 'Opens or closes the sprinkler (nozzle) of a bed',
    parameters: [
      { name: 'bed', type: 'string', required: true, allowedValues: beds },
      {
        name: 'flow',
        type: 'integer',
        required: true,
        minimum: 0,
        maximum: 100,
        unit: '%',
        synonyms: { '100': ['open'], '0': ['close', 'closed'] },
      },
    ],
  },
  {
    ...base,
    name: 'FeedBed',
    description: 'Feeds a bed with compost tea',
    synonyms: ['feed'],
    parameters: [
      { name: 'bed', type: 'string', required: true, allowedValues: beds },
      { name: 'litres', type: 'number', required: true, minimum: 1, maximum: 20, unit: 'litres' },
    ],
  },
  {
    ...base,
    name: 'RakeGravel',
    description: 'Rakes the gravel of a path',
    synonyms: ['rake'],
    parameters: [{ name: 'path', type: 'string', required: true, allowedValues: ['upper', 'lower'] }],
  },
  {
    ...base,
    name: 'BurnHedge',
    description: 'Burns a hedge',
    risk: 'critical',
    parameters: [{ name: 'hedge', type: 'string', required: true, allowedValues: ['long', 'short'] }],
  },
  {
    ...base,
    name: 'CountSlug',
    description: 'Chases away the slugs of a row',
    synonyms: ['chase'],
    parameters: [{ name: 'row', type: 'string', required: true, allowedValues: Array.from('abcdefghijklmnop') }],
  },
];
const said = (lines: readonly string[], functions = garden): { calls: readonly string[]; text: string } => {
  const { calls, text } = converse(lines, functions);
  return { calls: calls.map((call) => call.replace(/^\w+ /, '')), text };
};
const runs = { seed: seed(), numRuns: repeats(60) };
const all = (value: string | number) => beds.map((bed) => `${bed} ${value}`);

describe('each one that there is', () => {
  it('is meant by all, every and each before the thing', () => {
    const many = fc.constantFrom(
      'all sprinklers',
      'all the sprinklers',
      'all of the nozzles',
      'all my sprinklers',
      'each of the sprinklers',
    );
    const single = fc.constantFrom('every sprinkler', 'each sprinkler', 'every bed', 'all 3 sprinklers');
    fc.assert(
      fc.property(fc.oneof(many, single), fc.integer({ min: 25, max: 99 }), (things, flow) => {
        assert.deepEqual(said([`close ${things}`]).calls, all(0));
        assert.deepEqual(said([`set ${things} to ${flow} %`]).calls, all(flow));
        assert.deepEqual(said([`open ${things}, please`]).calls, all(100));
      }),
      runs,
    );
    assert.deepEqual(said(['close the sprinklers everywhere']).calls, all(0));
    assert.deepEqual(said(['close all the sprinklers in the house']).calls, all(0));
    assert.deepEqual(said(['close the sprinklers in the whole house']).calls, all(0));
    assert.deepEqual(said(['turn off all the saws'], workshop).calls, [
      'band_saw off',
      'table_saw off',
      'fret_saw off',
    ]);
  });

  it('is meant by both only of two', () => {
    assert.deepEqual(said(['rake both paths']).calls, ['upper', 'lower']);
    assert.deepEqual(said(['close both sprinklers']).calls, []);
    assert.match(said(['close both sprinklers']).text, /Which bed/);
  });

  it('is one place when that is said', () => {
    assert.deepEqual(said(['close every sprinkler of the rose bed']).calls, ['rose 0']);
    assert.deepEqual(said(['close all the sprinklers of the rose and the herb bed']).calls, ['rose 0', 'herb 0']);
  });

  it('is no part of them, and nothing that is only told, asked or left out', () => {
    const left = [
      'close all the sprinklers but the rose bed',
      'close all the sprinklers except the rose bed',
      'close all the sprinklers, but not the rose bed',
      'close all the other sprinklers',
      'close every other sprinkler',
      'close nearly all sprinklers',
      'close all 2 sprinklers',
      'close half of all the sprinklers',
      'close not all sprinklers',
      'all sprinklers are closed',
      'are all sprinklers closed?',
      'close all the sprinklers every day',
      'close all the taps',
      'rake all the gravel',
      'open and close all the sprinklers',
      'close all the sprinklers and open all the sprinklers',
      'close all the sprinklers and open the rose sprinkler',
    ];
    for (const text of left) assert.deepEqual(said([text]).calls, [], text);
  });

  it('is not outdone by another clause that begins with a verb', () => {
    const saws = workshop.map((spec) => (spec.name === 'SetSaw' ? { ...spec, synonyms: ['turn saw'] } : spec));
    for (const first of ['turn off all the saws', 'turn off the saws', 'turn off the table saw'])
      for (const joint of [' and ', ', then '])
        assert.ok(!said([`${first}${joint}turn on the band saw`], saws).calls.includes('band_saw off'), first);
  });

  it('is never meant for what is critical, nor for very many', () => {
    for (const text of ['burn both hedges', 'burn all hedges', 'chase the slugs of all rows', 'chase all slugs']) {
      assert.deepEqual(said([text]).calls, [], text);
      assert.doesNotMatch(said([text]).text, /Or (?:all|both)/);
    }
  });

  it('shares no amount out', () => {
    assert.deepEqual(said(['feed all beds with 4 litres']).calls, []);
    assert.deepEqual(said(['feed every bed with 4 litres']).calls, all(4));
    assert.deepEqual(said(['feed all beds with 4 litres each']).calls, all(4));
    assert.doesNotMatch(said(['feed the bed with 4 litres']).text, /Or all/);
    assert.deepEqual(said(['feed the bed with 4 litres', 'all']).calls, []);
  });

  it('may be the answer, and is offered', () => {
    assert.match(said(['close the sprinkler']).text, /Which bed: rose, herb or onion\? Or all\?$/);
    assert.match(said(['rake the gravel']).text, /Which path: upper or lower\? Or both\?$/);
    const answers = [
      'all',
      'all of them',
      'every one',
      'all beds',
      'all the sprinklers',
      'each of them',
      'all three',
      'all, please',
      'everywhere',
      'in all beds',
    ];
    for (const answer of answers) assert.deepEqual(said(['close the sprinkler', answer]).calls, all(0), answer);
    for (const answer of ['both', 'both of them', 'all'])
      assert.deepEqual(said(['rake the gravel', answer]).calls, ['upper', 'lower']);
    for (const answer of ['both', 'all but the rose', 'not all', 'all?', 'all hedges', 'all four'])
      assert.deepEqual(said(['close the sprinkler', answer]).calls, [], answer);
  });

  it('is everything only where nothing else could be meant', () => {
    assert.deepEqual(said(['close everything']).calls, all(0));
    const tap = garden.map((spec) => ({
      ...spec,
      synonyms: spec.name === 'RakeGravel' ? ['rake', 'close path'] : (spec.synonyms ?? []),
    }));
    assert.deepEqual(said(['close everything'], tap).calls, []);
    assert.deepEqual(said(['turn everything off'], workshop).calls, ['band_saw off', 'table_saw off', 'fret_saw off']);
    const fan: FunctionSpec = {
      ...base,
      name: 'StopFan',
      description: 'Stops the fan',
      synonyms: ['fan off'],
      parameters: [],
    };
    assert.deepEqual(said(['turn everything off'], [...workshop, fan]).calls, []);
    assert.deepEqual(said(['rake everything']).calls, []);
    assert.deepEqual(said(['close everything but the rose bed']).calls, []);
  });
});
