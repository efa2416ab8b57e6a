import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../../test/red/tier.ts';
import { compileLanguage } from './compile.ts';
import { interpret } from './interpret.ts';
import { isActing } from './reading.ts';
import { workshop } from './sample.ts';
import { english } from './words.en.ts';

const language = compileLanguage(workshop, english);
const callsOf = (text: string) =>
  interpret(text, language)
    .requests.filter(isActing)
    .flatMap(({ fn, calls }) => calls.map((call) => [fn.spec.name, call]));
const acts = (text: string, ...calls: readonly (readonly [string, Record<string, unknown>])[]) => {
  assert.deepEqual(callsOf(text), calls, text);
};
const nothing = (...texts: readonly string[]) => {
  for (const text of texts) assert.deepEqual(callsOf(text), [], text);
};
const saw = (saw: string, more: object) => ['SetSaw', { saw, ...more }] as const;

describe('a sentence for the rules', () => {
  it('acts when every word is explained by one function', () => {
    acts('turn the band saw on', saw('band_saw', { state: 'on' }));
    acts('Switch off the table saw, please.', saw('table_saw', { state: 'off' }));
    acts('fret saw to 40 %', saw('fret_saw', { speed: 40 }));
    acts('turn on the band saw at full speed', saw('band_saw', { state: 'on', speed: 100 }));
    acts('plane the oak board', ['PlaneBoard', { wood: 'oak' }]);
    acts('blue pot, 65 degrees', ['SetGlue', { pot: 'blue', celsius: 65 }]);
  });

  it('does nothing when one word is not', () => {
    nothing('turn the garden saw on', 'plane the oak board violently', 'turn the band saw on sideways');
    assert.deepEqual(interpret('turn the shiny band saw on', language).unclear?.words, ['shiny']);
  });

  it('takes off politeness at both ends', () => {
    acts('could you please turn the band saw on, thanks', saw('band_saw', { state: 'on' }));
    acts('would you mind planing the oak board', ['PlaneBoard', { wood: 'oak' }]);
    acts("I'd like the red pot at 70 degrees", ['SetGlue', { pot: 'red', celsius: 70 }]);
  });

  it('does nothing on questions, reports, conditions, alternatives and quotations', () => {
    nothing(
      'is the band saw on?',
      'did you turn the band saw on?',
      'the band saw is on',
      "the band saw's on",
      'I turned the band saw on',
      'turned the band saw on',
      'if it rains, turn the band saw on',
      'turn the band saw or the fret saw on',
      'he said "turn the band saw on"',
      'turn the band saw on?',
    );
  });

  it('reads numbers in digits and words, with and without units', () => {
    acts('fret saw to forty five percent', saw('fret_saw', { speed: 45 }));
    acts('set the red pot to 62.5 degrees', ['SetGlue', { pot: 'red', celsius: 62.5 }]);
    acts('heat the red pot to seventy', ['SetGlue', { pot: 'red', celsius: 70 }]);
    nothing('heat the red pot by 10 degrees', 'heat the red pot to 70 degrees fahrenheit', 'fret saw to minus 5 %');
  });

  it('mends one wrong letter, but never in what is critical', () => {
    acts('trun the bnad saw on', saw('band_saw', { state: 'on' }));
    acts('plane the maplle board', ['PlaneBoard', { wood: 'maple' }]);
    acts('cut the power', ['CutPower', {}]);
    nothing('planed the oak board', 'heated the red pot to 60 degrees', 'plane the oaken board');
    nothing('cut the powr', 'plane the maplleee board');
  });

  it('answers questions with functions that only read', () => {
    acts('what is the power of the fret saw', ['ReadMeter', { saw: 'fret_saw' }]);
  });

  it('passes text on as it was said', () => {
    acts('tell the foreman that I turned the Band Saw off.', ['CallForeman', { text: 'I turned the Band Saw off' }]);
    acts('let everyone know that we don’t work today, please', ['CallForeman', { text: 'we don’t work today' }]);
    acts('tell everyone the saw is broken', ['CallForeman', { text: 'the saw is broken' }]);
    nothing('tell me a joke', 'tell me what time it is');
  });

  it('makes one call for each value of a list', () => {
    acts('plane the oak and maple boards', ['PlaneBoard', { wood: 'oak' }], ['PlaneBoard', { wood: 'maple' }]);
    acts(
      'turn the band saw and the fret saw off',
      saw('band_saw', { state: 'off' }),
      saw('fret_saw', { state: 'off' }),
    );
  });

  it('asks about contradictions, opposites and what fits two functions', () => {
    nothing('turn the band saw on and off', 'turn the band saw on and turn the band saw off');
    nothing('set the red pot to 60 and 70 degrees');
    const [request] = interpret('turn the band saw on and off', language).requests;
    assert.ok(request?.kind === 'call' && request.conflicts.includes('state'));
  });

  it('knows what lacks and what is out of range', () => {
    const [lacks] = interpret('turn a saw on', language).requests;
    assert.ok(lacks?.kind === 'call');
    assert.deepEqual(lacks.missing, ['saw']);
    const [hot] = interpret('heat the red pot to 300 degrees', language).requests;
    assert.ok(hot?.kind === 'call');
    assert.deepEqual(hot.outside, ['celsius']);
  });
});

describe('a composite sentence for the rules', () => {
  it('is cut into clauses, in order', () => {
    acts(
      'turn the band saw off, then plane the oak board and tell everyone that it is done',
      saw('band_saw', { state: 'off' }),
      ['PlaneBoard', { wood: 'oak' }],
      ['CallForeman', { text: 'it is done' }],
    );
  });

  it('carries "it", the verb and the other values over', () => {
    acts('turn the fret saw on and set it to 30 %', saw('fret_saw', { state: 'on', speed: 30 }));
    acts(
      'turn the fret saw off and the band saw too',
      saw('fret_saw', { state: 'off' }),
      saw('band_saw', { state: 'off' }),
    );
    acts(
      'plane the beech board and sweep the shavings of it',
      ['PlaneBoard', { wood: 'beech' }],
      ['SweepShavings', { wood: 'beech' }],
    );
  });

  it('does nothing at all when one part is not understood', () => {
    nothing('turn the band saw on and make coffee', 'turn the band saw on, just kidding');
  });

  it('leaves out what shall not be done', () => {
    acts("don't plane the oak board, plane the beech board", ['PlaneBoard', { wood: 'beech' }]);
    acts('turn the band saw off but leave the fret saw on', saw('band_saw', { state: 'off' }));
    nothing(
      "don't turn the band saw on",
      'never plane the oak board',
      "don't turn the band saw on and plane the oak board",
    );
    nothing("turn the band saw on but don't turn the band saw on");
    acts("turn the band saw on and plane the oak board but don't turn the band saw on", [
      'PlaneBoard',
      { wood: 'oak' },
    ]);
    acts('turn the band saw on and plane the oak board but not the band saw', ['PlaneBoard', { wood: 'oak' }]);
  });

  it('takes back what was said before', () => {
    nothing('turn the band saw on... no, forget it', 'never mind', 'plane the oak board, never mind');
    acts('turn the band saw on, no wait, turn the fret saw on', saw('fret_saw', { state: 'on' }));
  });

  it('skips reasons and circumstances', () => {
    acts("it's late, turn the band saw off", saw('band_saw', { state: 'off' }));
    acts('turn the band saw off because I want to sleep', saw('band_saw', { state: 'off' }));
  });
});

describe('a tag with a question mark', () => {
  const states = fc.constantFrom('on', 'off');
  const runs = { seed: seed(), numRuns: repeats(50) };

  it('asks whether it is so behind a statement', () => {
    fc.assert(
      fc.property(states, fc.constantFrom('right', 'okay', 'ok', 'alright', 'right now'), (state, tag) => {
        acts(`band saw ${state}, ${tag}?`);
        acts(`fret saw on, band saw ${state}, ${tag}?`);
      }),
      runs,
    );
    acts('turn the band saw on, right?');
  });

  it('is polite behind an order, and without the mark', () => {
    fc.assert(
      fc.property(states, fc.constantFrom('okay?', 'ok?', 'please?', 'would you?', 'right'), (state, tag) => {
        acts(`turn the band saw ${state}, ${tag}`, saw('band_saw', { state }));
      }),
      runs,
    );
    acts('band saw on, please?', saw('band_saw', { state: 'on' }));
    acts('right, band saw on', saw('band_saw', { state: 'on' }));
  });
});

describe('any text for the rules', () => {
  it('never throws and never takes long', () => {
    const words = [
      'turn',
      'the',
      'band',
      'saw',
      'on',
      'off',
      'and',
      ',',
      'not',
      '40',
      '%',
      'it',
      'oak',
      'plane',
      '"',
      '?',
      'x',
    ];
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.array(fc.constantFrom(...words), { maxLength: 60 }).map((list) => list.join(' ')),
    );
    fc.assert(
      fc.property(text, (some) => {
        interpret(some, language);
      }),
      { seed: seed(), numRuns: repeats(2_000) },
    );
  });
});
