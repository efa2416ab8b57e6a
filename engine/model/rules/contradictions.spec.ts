import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../../test/red/tier.ts';
import type { FunctionSpec } from '../../language/function-spec.ts';
import { compileLanguage } from './compile.ts';
import type { CompiledLanguage } from './compile.ts';
import { interpret } from './interpret.ts';
import { isActing } from './reading.ts';
import { questionOf } from './said.ts';
import { workshop } from './sample.ts';
import { english } from './words.en.ts';

const clamp: FunctionSpec = {
  name: 'MoveClamp',
  description: 'Opens or closes a clamp',
  category: 'machines',
  risk: 'reversible',
  effect: true,
  repeatable: true,
  synonyms: ['set clamp'],
  parameters: [
    { name: 'clamp', type: 'string', required: true, allowedValues: ['left', 'right'] },
    {
      name: 'gap',
      type: 'integer',
      required: true,
      minimum: 0,
      maximum: 100,
      unit: '%',
      synonyms: { '0': ['close', 'closed', 'shut', 'lower', 'down'], '100': ['open', 'fully open', 'raise', 'up'] },
    },
  ],
};
const parcel: FunctionSpec = {
  name: 'SendParcel',
  description: 'Sends a parcel from a shelf to a gate',
  category: 'parcels',
  risk: 'reversible',
  effect: true,
  repeatable: false,
  synonyms: ['bring'],
  parameters: [
    { name: 'shelf', type: 'string', required: true, allowedValues: ['upper', 'inner'] },
    { name: 'gate_name', label: 'gate', type: 'string', required: true, allowedValues: ['east', 'west'] },
  ],
};
const language = compileLanguage([...workshop, clamp, parcel], english);
const callsOf = (text: string, of: CompiledLanguage = language) =>
  interpret(text, of)
    .requests.filter(isActing)
    .flatMap(({ calls }) => calls);
const acts = (text: string, ...calls: readonly Record<string, unknown>[]) => {
  assert.deepEqual(callsOf(text), calls, text);
};
const nothing = (...texts: readonly string[]) => {
  for (const text of texts) acts(text);
};
/** What the person reads when nothing is done. */
const asked = (text: string) =>
  interpret(text, language).requests.flatMap((one) => (one.kind === 'call' ? questionOf(one, '') : []))[0];
const runs = { seed: seed(), numRuns: repeats(300) };
const saws = fc.constantFrom('band', 'table', 'fret');
const percent = fc.integer({ min: 1, max: 100 });
const clamps = fc.constantFrom('left', 'right');

describe('a state beside a level', () => {
  it('is never off at any level but none', () => {
    fc.assert(
      fc.property(saws, percent, (saw, p) => {
        nothing(
          `turn the ${saw} saw off at ${p} %`,
          `switch off the ${saw} saw at ${p} percent`,
          `${saw} saw off, ${p} %`,
          `set the ${saw} saw to ${p} % and turn it off`,
          `turn the ${saw} saw off and set it to ${p} %`,
        );
        acts(`turn the ${saw} saw on at ${p} %`, { saw: `${saw}_saw`, state: 'on', speed: p });
      }),
      runs,
    );
    acts('turn the band saw off at 0 %', { saw: 'band_saw', state: 'off', speed: 0 });
    nothing('turn the band saw off at full speed', 'turn the band saw on at 0 %', 'band saw on, zero percent');
  });

  it('is asked about in words that name both', () => {
    assert.equal(asked('turn the band saw off at 40 %'), '“off” and “40 %” don’t go together. Which one do you mean?');
    assert.equal(asked('close the left clamp to 30 %'), '“close” and “30 %” don’t go together. Which one do you mean?');
  });

  it('is understood in every language that has such a pair', () => {
    const word = fc
      .stringMatching(/^[bdfgklmprtvz][aeiou][bdfgklmprtvz]{2}[aeiou][bdgkmpt]$/)
      .filter((text) => !JSON.stringify(english).includes(text));
    const pair = fc.constantFrom(['on', 'off'], ['open', 'closed'], ['running', 'stopped'], ['enabled', 'disabled']);
    const made = fc.record({
      names: fc.uniqueArray(word, { minLength: 4, maxLength: 4 }),
      pair,
      maximum: fc.integer({ min: 10, max: 500 }),
      minimum: fc.constantFrom(0, 5),
      level: fc.integer({ min: 6, max: 10 }),
    });
    fc.assert(
      fc.property(made, ({ names: [verb = '', place = '', other = '', measure = ''], pair: states, ...range }) => {
        const { minimum, maximum, level } = range;
        const [something = '', none = ''] = states;
        const spec: FunctionSpec = {
          ...clamp,
          name: `set_${verb}`,
          description: `Sets the ${verb}`,
          synonyms: [],
          parameters: [
            { name: 'place', type: 'string', required: true, allowedValues: [place, other] },
            { name: 'state', type: 'string', required: false, allowedValues: states },
            { name: measure, type: 'integer', required: false, minimum, maximum },
          ],
          requireOneOf: [['state', measure]],
        };
        const own = compileLanguage([spec], english);
        const said = (state: string) => `set the ${place} ${verb} to ${state}, ${measure} ${level}`;
        assert.deepEqual(callsOf(said(none), own), []);
        assert.deepEqual(callsOf(said(something), own), [{ place, state: something, [measure]: level }]);
      }),
      runs,
    );
  });
});

describe('a word beside a number', () => {
  it('"close" is one end, and "open" leaves room', () => {
    fc.assert(
      fc.property(clamps, percent, (side, p) => {
        nothing(`close the ${side} clamp to ${p} %`, `shut the ${side} clamp ${p} %`, `${side} clamp ${p} % closed`);
        acts(`open the ${side} clamp to ${p} %`, { clamp: side, gap: p });
        acts(`${side} clamp ${p} % open`, { clamp: side, gap: p });
        if (p === 100) nothing(`lower the ${side} clamp to ${p} %`);
        else acts(`lower the ${side} clamp to ${p} %`, { clamp: side, gap: p });
      }),
      runs,
    );
    nothing('open the left clamp to 0 %', 'raise the left clamp to 0 %', 'left clamp fully open at 40 %');
    nothing('open and close the left clamp', 'raise and lower the left clamp to 40 %', 'left clamp open, closed');
    acts('close the left clamp to 0 %', { clamp: 'left', gap: 0 });
  });

  it('is asked about when it may be a difference', () => {
    fc.assert(
      fc.property(clamps, percent, fc.constantFrom('raise', 'lower'), (side, p, verb) => {
        nothing(
          `${verb} the ${side} clamp ${p} %`,
          `${verb} the ${side} clamp by ${p} %`,
          `open the ${side} clamp ${p} % more`,
          `${side} clamp ${p} % up`,
          `${side} clamp up ${p} %`,
        );
      }),
      runs,
    );
    assert.match(asked('lower the left clamp 20 %') ?? '', /only set the gap, not change it by “20 %”/);
  });

  it('is asked about when it may be a time', () => {
    nothing('turn the band saw on at 8', 'open the left clamp at 7', 'band saw on around 10');
    acts('turn the band saw on at 8 %', { saw: 'band_saw', state: 'on', speed: 8 });
    acts('turn the band saw on at speed 8', { saw: 'band_saw', state: 'on', speed: 8 });
    acts('set the left clamp to 7', { clamp: 'left', gap: 7 });
    assert.match(asked('turn the band saw on at 8') ?? '', /a time or the speed/);
  });

  it('may be a time behind “at” and a verb of its own, up to 12', () => {
    const warm = { ...workshop.find(({ name }) => name === 'SetGlue') } as FunctionSpec;
    const parameters = warm.parameters.map((one) => (one.name === 'celsius' ? { ...one, minimum: 2 } : one));
    const cold = compileLanguage([{ ...warm, parameters }], english);
    const isSet = (text: string) => interpret(text, cold).requests.some(isActing);
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 12 }), (hour) => {
        assert.ok(!isSet(`heat the red pot at ${hour}`));
        for (const good of [`heat the red pot to ${hour}`, `set the glue of the red pot at ${hour}`])
          assert.ok(isSet(good), good);
        assert.ok(isSet(`heat the red pot at ${hour} degrees`));
        assert.ok(isSet(`heat the red pot at ${hour + 10}`));
      }),
      { seed: seed(), numRuns: repeats(50) },
    );
  });

  it('may be a time behind “at” where an amount is given, but not where a level is set', () => {
    const soak: FunctionSpec = {
      name: 'SoakBoard',
      description: 'Soaks a board',
      category: 'wood',
      risk: 'reversible',
      effect: true,
      repeatable: false,
      parameters: [
        { name: 'wood', type: 'string', required: true, allowedValues: ['oak', 'beech'] },
        { name: 'water', type: 'number', required: true, minimum: 1, maximum: 30, unit: 'litres' },
      ],
    };
    const heat = workshop.filter(({ name }) => name === 'SetGlue');
    const wet = compileLanguage([soak, ...heat], english);
    const isOpen = (text: string) => interpret(text, wet).requests.some((one) => !isActing(one));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 24 }), (hour) => {
        for (const at of ['at', 'at about', 'at around']) assert.ok(isOpen(`soak the oak board ${at} ${hour}`), at);
        for (const good of ['with', 'with about', 'in']) assert.ok(!isOpen(`soak the oak board ${good} ${hour}`), good);
        assert.ok(!isOpen(`soak the oak board at ${hour} litres`));
      }),
      { seed: seed(), numRuns: repeats(50) },
    );
    assert.ok(!isOpen('heat the red pot at 60'));
  });

  it('is no count, no range and no part of several things', () => {
    nothing('turn on 2 saws', 'turn on half the band saw', 'turn some of the band saw on', 'band saw to 20 or 30 %');
    nothing('heat the red pot to 50 to 60 degrees', 'heat the red pot to 50-60 degrees', 'red pot at a third');
  });

  it('never stands against the way that the verb leads', () => {
    nothing('heat the red pot to 40 degrees', 'warm the red pot to 40 degrees');
    acts('heat the red pot to 41 degrees', { pot: 'red', celsius: 41 });
  });
});

describe('a value in another one’s place', () => {
  it('is asked about', () => {
    acts('send the parcel from the upper shelf to the west gate', { shelf: 'upper', gate_name: 'west' });
    nothing('send the parcel of the inner shelf to the upper gate', 'send the parcel from the east shelf to the gate');
    assert.equal(
      asked('send the parcel of the inner shelf to the upper gate'),
      'There is no “upper gate”. Which gate: east or west?',
    );
  });
});

describe('clauses that exclude each other', () => {
  it('do nothing, and what is kept the same way does no harm', () => {
    nothing('turn the band saw on and keep it off', 'open the left clamp but leave it closed');
    nothing('turn the band saw on and turn it off', 'plane the oak board and don’t plane it');
    acts('turn the band saw on and leave it on', { saw: 'band_saw', state: 'on' });
    acts('turn the band saw on and keep the fret saw off', { saw: 'band_saw', state: 'on' });
    assert.match(asked('turn the band saw on and keep it off') ?? '', /“turn the band saw on” and “keep it off”/);
  });

  it('are no exceptions: nothing is done to what shall be left out', () => {
    nothing(
      'all saws off but the band saw',
      'turn off all saws except the fret saw',
      'turn all saws but the band saw off',
    );
    acts(
      'turn the band saw off, but turn the fret saw on',
      { saw: 'band_saw', state: 'off' },
      { saw: 'fret_saw', state: 'on' },
    );
  });
});
