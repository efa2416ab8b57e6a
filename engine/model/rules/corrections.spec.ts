import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../../test/red/tier.ts';
import { compileLanguage } from './compile.ts';
import { interpret } from './interpret.ts';
import { planWithRules } from './plan.ts';
import { isActing } from './reading.ts';
import { planData, workshop } from './sample.ts';
import { english } from './words.en.ts';

const language = compileLanguage(workshop, english);
const callsOf = (text: string) =>
  interpret(text, language)
    .requests.filter(isActing)
    .flatMap(({ fn, calls }) => calls.map((call) => [fn.spec.name, ...Object.values(call)]));
const acts = (text: string, ...calls: readonly (readonly unknown[])[]) => {
  assert.deepEqual(callsOf(text), calls, text);
};

describe('a correction', () => {
  it('puts other values in the place of those just said', () => {
    const degrees = fc.integer({ min: 41, max: 90 });
    const words = fc.constantFrom('no,', 'sorry,', 'no, sorry,', 'no wait,', 'I mean', 'make that', 'or rather');
    fc.assert(
      fc.property(degrees, degrees, words, (first, second, word) => {
        fc.pre(first !== second);
        acts(`heat the red pot to ${first} degrees, ${word} ${second} degrees`, ['SetGlue', 'red', second]);
      }),
      { seed: seed(), numRuns: repeats(200) },
    );
    acts('turn the band saw on, no, off', ['SetSaw', 'band_saw', 'off']);
    acts('plane the oak board, I mean the beech board', ['PlaneBoard', 'beech']);
    acts('turn the band saw on, sorry, turn the fret saw on', ['SetSaw', 'fret_saw', 'on']);
  });

  it('leaves the clauses before as they are', () => {
    acts(
      'plane the oak board and heat the red pot to 50 degrees, no, 60 degrees',
      ['PlaneBoard', 'oak'],
      ['SetGlue', 'red', 60],
    );
  });

  it('is none without a value that was said before', () => {
    acts('turn the band saw on, no');
    acts('turn the band saw on, sorry, at 40 %');
    acts('heat the red pot to 50 degrees, maybe 60 degrees');
    acts('heat the red pot to 50 degrees, never mind, 60 degrees');
  });
});

describe('a name that the function doesn’t know, in a list', () => {
  it('is told, and the others act', () => {
    acts('turn off the band saw and the bread saw', ['SetSaw', 'band_saw', 'off']);
    acts('turn off the bread saw and the band saw', ['SetSaw', 'band_saw', 'off']);
    acts('heat the red pot to 50 degrees and the green pot to 60', ['SetGlue', 'red', 50]);
    const { questions = [] } = planWithRules(planData('turn off the band saw and the bread saw'));
    assert.match(questions[0]?.question ?? '', /don’t know “bread” there\. Which saw/);
  });

  it('is completed by the answer, with what the list is set to', () => {
    const { questions = [] } = planWithRules(planData('turn off the band saw and the bread saw'));
    const { steps } = planWithRules(planData('the fret saw', { pending: questions[0] as never }));
    assert.deepEqual(
      steps.flatMap(({ prompt }) => callsOf(prompt)),
      [['SetSaw', 'fret_saw', 'off']],
    );
  });

  it('stops everything when it is alone, or more than a name', () => {
    acts('turn off the bread saw');
    acts('turn off the bread saw and plane the oak board');
    acts('turn off the band saw and the party starts');
    acts('turn off the band saw and relax');
  });
});
