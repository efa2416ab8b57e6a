import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../../test/red/tier.ts';
import type { FunctionSpec } from '../../language/function-spec.ts';
import { converse } from './conversation.sample.ts';

const base = { category: 'stage', risk: 'reversible', effect: true, repeatable: true } as const;
const sides = ['left', 'right', 'middle'];
const stage: readonly FunctionSpec[] = [
  {
    ...base,
    name: 'SetSpot',
    description: 'Turns a spot on or off, or sets its brightness',
    synonyms: ['brighten', 'dim'],
    parameters: [
      { name: 'side', type: 'string', required: true, allowedValues: sides },
      { name: 'state', type: 'string', required: false, allowedValues: ['on', 'off'] },
      { name: 'brightness', type: 'integer', required: false, minimum: 0, maximum: 100, unit: '%' },
    ],
    requireOneOf: [['state', 'brightness']],
  },
  {
    ...base,
    name: 'SetCurtain',
    description: 'Opens or closes a curtain',
    parameters: [
      { name: 'side', type: 'string', required: true, allowedValues: sides },
      {
        name: 'width',
        type: 'integer',
        required: true,
        minimum: 0,
        maximum: 100,
        unit: '%',
        synonyms: { '0': ['close', 'closed'], '50': ['half', 'halfway'], '100': ['open'] },
      },
    ],
  },
  {
    ...base,
    name: 'StopSmoke',
    description: 'Stops the smoke',
    synonyms: ['turn off smoke', 'turn smoke off'],
    parameters: [],
  },
  {
    ...base,
    name: 'CutCurrent',
    description: 'Cuts the current',
    risk: 'critical',
    synonyms: ['turn off current'],
    parameters: [],
  },
];
const said = (...lines: readonly string[]) => converse(lines, stage);
const acts = (lines: readonly string[], ...calls: readonly string[]) => {
  assert.deepEqual(said(...lines).calls, calls, lines.join(' / '));
};
const side = fc.constantFrom(...sides);
const two = fc.uniqueArray(side, { minLength: 2, maxLength: 2 }).map(([a = '', b = '']) => [a, b] as const);
const runs = { seed: seed(), numRuns: repeats(60) };

describe('an answer that says what is not meant', () => {
  it('is what is left of it', () => {
    fc.assert(
      fc.property(two, ([one, other]) => {
        for (const reply of [
          `the ${one}, not the ${other}`,
          `${one} not ${other}`,
          `not the ${other}, the ${one}`,
          `the ${one} one, but not the ${other} one`,
          `the ${one} and not the ${other}, please`,
        ])
          acts(['close the curtain', reply], `SetCurtain ${one} 0`);
      }),
      runs,
    );
  });

  it('is none when nothing is left, or what is left is denied too', () => {
    for (const reply of [
      'not the left',
      'the left, not the right, the middle',
      'the left, not the left',
      'the left, do not close the right',
      'not now',
      'no',
    ])
      acts(['close the curtain', reply]);
  });
});

describe('an answer with another value', () => {
  it('goes with the open words where both are one clear clause', () => {
    fc.assert(
      fc.property(side, (one) => {
        acts(['close the curtain', `${one} halfway`], `SetCurtain ${one} 50`);
        acts(['close the curtain', `${one}, half`], `SetCurtain ${one} 50`);
        acts(['turn the spot on', `${one} off?`]);
      }),
      runs,
    );
  });

  it('takes the place of one that is not possible, until it is', () => {
    fc.assert(
      fc.property(side, fc.integer({ min: 101, max: 900 }), fc.integer({ min: 1, max: 100 }), (one, high, value) => {
        const request = `set the ${one} spot to ${high} %`;
        assert.match(said(request).text, new RegExp(`0 to 100 %, not ${high}\\. What shall it be\\?$`));
        acts([request, `${value}`], `SetSpot ${one} ${value}`);
        acts([request, `${value} %`], `SetSpot ${one} ${value}`);
        acts([request, `${high + 1}`, `${value}`], `SetSpot ${one} ${value}`);
        acts([request, 'never mind', `${value}`]);
        acts([`set all spots to ${high} %`, `${value}`], ...sides.map((each) => `SetSpot ${each} ${value}`));
      }),
      runs,
    );
  });
});

describe('a small number behind "at"', () => {
  const hour = fc.integer({ min: 1, max: 12 });

  it('is asked about where no verb and no unit says what it is', () => {
    fc.assert(
      fc.property(side, hour, (one, value) => {
        const request = `${one} spot at ${value}`;
        assert.match(said(request).text, new RegExp(`Do you mean ${value} %\\?`));
        acts([request]);
        for (const reply of ['yes', `${value} %`, `at ${value}`]) acts([request, reply], `SetSpot ${one} ${value}`);
        acts([request, '40'], `SetSpot ${one} 40`);
        acts([request, 'no']);
        acts([`${request} %`], `SetSpot ${one} ${value}`);
        acts([`set the ${one} spot at ${value}`], `SetSpot ${one} ${value}`);
      }),
      runs,
    );
    acts(['left spot at 40'], 'SetSpot left 40');
  });

  it('is the value where that was asked for', () => {
    acts(['dim the left spot', 'at 7'], 'SetSpot left 7');
  });
});

describe('a word for more', () => {
  it('stands beside the value that it comes to', () => {
    for (const text of [
      'make the left spot brighter, 80 %',
      'left spot brighter: 80 percent',
      'make the left spot brighter to 80 %',
    ])
      acts([text], 'SetSpot left 80');
    acts(['make the left spot dimmer, 20 %'], 'SetSpot left 20');
  });

  it('is left open without a value, with a difference, and against the value', () => {
    for (const text of [
      'make the left spot brighter',
      'make the left spot 20 % brighter',
      'make the left spot brighter 20 %',
      'make the left spot brighter by 20 %',
      'make the left spot brighter, 0 %',
      'make the left spot dimmer, 100 %',
      'make the left spot smarter, 80 %',
    ])
      acts([text]);
  });
});

describe('what two clauses share', () => {
  it('is the place in front of the first', () => {
    fc.assert(
      fc.property(side, fc.constantFrom(' ', ', '), (one, joint) => {
        const begin = `at the ${one}${joint}turn off the spot`;
        acts([`${begin} and close the curtain`], `SetSpot ${one} off`, `SetCurtain ${one} 0`);
        acts([`${begin}. Close the curtain.`], `SetSpot ${one} off`);
        acts([`turn off the ${one} spot and close the curtain`], `SetSpot ${one} off`);
      }),
      runs,
    );
  });

  it('is the verb of the first, before things only', () => {
    for (const text of [
      'turn off the smoke and the left spot',
      'turn the smoke off and the left spot',
      'turn off the smoke, the left spot',
    ])
      acts([text], 'StopSmoke', 'SetSpot left off');
    acts(['close the left curtain and the left spot'], 'SetCurtain left 0');
    acts(['turn off the smoke and the current']);
    acts(['turn off the smoke but the left spot']);
    acts(['turn off the smoke and the left spot?']);
    acts(['turn off the smoke and the left cat']);
  });
});
