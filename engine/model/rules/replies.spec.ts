import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../../test/red/tier.ts';
import type { FunctionSpec } from '../../language/function-spec.ts';
import { converse } from './conversation.sample.ts';
import { workshop } from './sample.ts';

const said = (...lines: readonly string[]) => converse(lines, workshop);
const runs = { seed: seed(), numRuns: repeats(60) };

/** The pots can be stirred as well: "set the red pot to 60" is one or the other. */
const kettles: readonly FunctionSpec[] = [
  ...workshop,
  {
    name: 'SetStirring',
    description: 'Sets how fast a pot is stirred',
    category: 'machines',
    risk: 'reversible',
    effect: true,
    repeatable: true,
    synonyms: ['stir'],
    parameters: [
      { name: 'pot', type: 'string', required: true, allowedValues: ['red', 'blue'] },
      { name: 'turns', type: 'integer', required: true, minimum: 1, maximum: 100, unit: '%' },
    ],
  },
  {
    name: 'OpenHatch',
    description: 'Opens or closes a hatch',
    category: 'air',
    risk: 'reversible',
    effect: true,
    repeatable: true,
    parameters: [
      { name: 'side', type: 'string', required: true, allowedValues: ['east', 'west', 'roof'] },
      {
        name: 'percent',
        type: 'integer',
        required: true,
        minimum: 0,
        maximum: 100,
        unit: '%',
        synonyms: { '100': ['open'], '0': ['close', 'shut'] },
      },
    ],
  },
];

describe('a message without words', () => {
  const persons = fc.constantFrom('everyone', 'everybody', 'the kids', 'the family', 'everyone in the house', 'all');

  it('asks what to tell, and takes the answer as it is', () => {
    fc.assert(
      fc.property(persons, (person) => {
        const asked = said(`tell ${person}`);
        assert.deepEqual([asked.calls, asked.text], [[], `What shall I tell ${person}?`]);
        assert.equal(said(`let ${person} know.`).text, `What shall I let ${person} know?`);
        assert.deepEqual(said(`tell ${person}`, 'the Glue is dry').calls, ['CallForeman the Glue is dry']);
        assert.deepEqual(said(`turn the band saw off and tell ${person}`).calls, ['SetSaw band_saw off']);
        for (const reply of ['never mind', 'is the glue dry?', 'the glue is dry and plane the oak board'])
          assert.deepEqual(said(`tell ${person}`, reply).calls, [], reply);
      }),
      runs,
    );
    assert.equal(said('tell my wife').text, 'What shall I tell your wife?');
  });

  it('asks nothing when something else is wanted', () => {
    for (const text of ['tell me', 'tell everyone about the glue', 'tell everyone?', 'tell everyone later'])
      assert.doesNotMatch(said(text).text, /What shall I/, text);
  });
});

describe('a number that fits several things', () => {
  it('asks in plain words which one is meant, and takes the answer', () => {
    const pots = fc.constantFrom('red', 'blue');
    fc.assert(
      fc.property(pots, fc.integer({ min: 41, max: 89 }), (pot, value) => {
        const request = `set the ${pot} pot to ${value}`;
        assert.equal(converse([request], kettles).text, `About “${request}”: do you mean the glue or the stirring?`);
        assert.deepEqual(converse([request, 'the stirring'], kettles).calls, [`SetStirring ${pot} ${value}`]);
        assert.deepEqual(converse([request, 'glue, please'], kettles).calls, [`SetGlue ${pot} ${value}`]);
        assert.deepEqual(converse([request, 'the pot'], kettles).calls, []);
        assert.deepEqual(converse([`${request} and plane the oak board`], kettles).calls, ['PlaneBoard oak']);
      }),
      runs,
    );
  });
});

describe('two clauses with a verb each', () => {
  it('are not taken for one thing in two places', () => {
    const both = said('turn on the band saw and reduce the fret saw');
    assert.deepEqual(both.calls, ['SetSaw band_saw on']);
    assert.equal(both.text, 'About “reduce the fret saw”: How far: 0 to 100 %?');
    assert.deepEqual(said('turn on the band saw and reduce the fret saw', '20').calls, ['SetSaw fret_saw 20']);
    assert.match(said('turn a saw').text, /on or off/);
  });
});

describe('a question about what does not go together', () => {
  it('is answered by either of both', () => {
    const open = fc
      .constantFrom('east', 'west', 'roof')
      .map((side) => [side, `close the ${side} hatch to 20`] as const);
    fc.assert(
      fc.property(open, ([side, request]) => {
        assert.deepEqual(converse([request], kettles).calls, []);
        for (const reply of ['close it', 'close', 'shut', '0 %'])
          assert.deepEqual(converse([request, reply], kettles).calls, [`OpenHatch ${side} 0`], reply);
        for (const reply of ['20', '20 %', 'to 20'])
          assert.deepEqual(converse([request, reply], kettles).calls, [`OpenHatch ${side} 20`], reply);
      }),
      runs,
    );
  });
});

describe('a circumstance', () => {
  it('is answered by neither a greeting nor a command', () => {
    for (const text of ['I’m cold', 'it is dark in here.', 'it’s so stuffy', 'I am home']) {
      assert.deepEqual(said(text).calls, []);
      assert.match(said(text).text, /^I don’t know what to do about that/, text);
    }
    for (const text of ['hello', 'good morning', 'hey there']) assert.match(said(text).text, /^Hello/, text);
  });
});
