import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../../test/red/tier.ts';
import type { FunctionSpec } from '../../language/function-spec.ts';
import { compileLanguage } from './compile.ts';
import { interpret } from './interpret.ts';
import { isActing } from './reading.ts';
import { english } from './words.en.ts';

const share = { type: 'integer', required: true, minimum: 0, maximum: 100, unit: '%' } as const;
const common = { category: 'stage', risk: 'reversible', effect: true, repeatable: true } as const;
const stage: readonly FunctionSpec[] = [
  {
    ...common,
    name: 'SetCurtain',
    description: 'Moves a curtain to a position',
    synonyms: ['orchestra curtain', 'backdrop', 'crank curtain', 'pour velvet'],
    parameters: [
      { name: 'side', type: 'string', required: true, allowedValues: ['left', 'back'] },
      { ...share, name: 'position', synonyms: { '100': ['open'], '0': ['close'] } },
    ],
  },
  {
    ...common,
    name: 'SetSpot',
    description: 'Sets the power of a spot',
    parameters: [
      { name: 'side', type: 'string', required: true, allowedValues: ['left', 'back'] },
      { ...share, name: 'power' },
    ],
  },
  {
    ...common,
    name: 'OpenHatch',
    description: 'Opens a hatch by a share',
    synonyms: ['nudge hatch', 'nudge open'],
    parameters: [
      { name: 'hatch', type: 'string', required: true, allowedValues: ['trap', 'loft'] },
      { ...share, name: 'share', synonyms: { '100': ['open'], '0': ['close'] } },
    ],
  },
];
const language = compileLanguage(stage, english);
const callsOf = (text: string) =>
  interpret(text, language)
    .requests.filter(isActing)
    .flatMap(({ fn, calls }) => calls.map((call) => [fn.spec.name, ...Object.values(call)]));
const runs = { seed: seed(), numRuns: repeats(100) };
const sides = fc.constantFrom('left', 'back');

describe('a word that a function has only before its noun', () => {
  it('means another thing without that noun', () => {
    fc.assert(
      fc.property(sides, fc.constantFrom('open', 'close'), (side, verb) => {
        assert.deepEqual(callsOf(`${verb} the ${side} orchestra`), []);
        assert.deepEqual(callsOf(`${side} orchestra ${verb}`), []);
        const calls = [['SetCurtain', side, verb === 'open' ? 100 : 0]];
        assert.deepEqual(callsOf(`${verb} the ${side} orchestra curtain`), calls);
        assert.deepEqual(callsOf(`${verb} the orchestra curtain at the ${side}`), calls);
        assert.deepEqual(callsOf(`${verb} the ${side} backdrop`), calls);
      }),
      runs,
    );
  });

  it('may still be the verb of an order', () => {
    assert.deepEqual(callsOf('crank the left curtain to 30 %'), [['SetCurtain', 'left', 30]]);
  });
});

describe('a verb said as a noun', () => {
  it('is not explained by the function that has it', () => {
    assert.deepEqual(callsOf('open the trap hatch a nudge'), []);
    assert.deepEqual(callsOf('open the trap hatch'), [['OpenHatch', 'trap', 100]]);
    assert.deepEqual(callsOf('nudge the trap hatch to 20 %'), [['OpenHatch', 'trap', 20]]);
  });
});

describe('two functions that fit as well', () => {
  it('are not told apart by small words of their descriptions', () => {
    fc.assert(
      fc.property(sides, fc.integer({ min: 0, max: 100 }), fc.constantFrom('to', 'at'), (side, value, to) => {
        const { requests } = interpret(`set the ${side} ${to} ${value} %`, language);
        assert.deepEqual(
          requests.map(({ kind }) => kind),
          ['tie'],
        );
      }),
      runs,
    );
  });
});
