import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../../test/red/tier.ts';
import type { FunctionSpec } from '../../language/function-spec.ts';
import { compileLanguage } from './compile.ts';
import { interpret } from './interpret.ts';
import { isActing } from './reading.ts';
import { workshop } from './sample.ts';
import { english } from './words.en.ts';

const speaker: FunctionSpec = {
  name: 'CallForeman',
  description: 'Informs the foreman',
  category: 'people',
  risk: 'reversible',
  effect: true,
  repeatable: false,
  synonyms: ['tell', 'say', 'announce', 'let know'],
  parameters: [{ name: 'text', type: 'string', required: true }],
};
const language = compileLanguage([...workshop.filter(({ name }) => name !== speaker.name), speaker], english);
const textsOf = (text: string) =>
  interpret(text, language)
    .requests.filter(isActing)
    .flatMap(({ calls }) => calls.flatMap((call) => Object.values(call)));
const runs = { seed: seed(), numRuns: repeats(100) };
const news = fc.constantFrom('it is late', 'the glue is hot', 'we are done here', 'the house is cold');
const people = fc.constantFrom('everyone', 'everybody', 'the people', 'the family', 'all');

describe('a text that is passed on', () => {
  it('begins behind where the persons are', () => {
    fc.assert(
      fc.property(people, fc.constantFrom('', ' at home', ' in the house'), news, (who, where, text) => {
        assert.deepEqual(textsOf(`tell ${who}${where} ${text}`), [text]);
        assert.deepEqual(textsOf(`tell ${who}${where} that ${text}`), [text]);
        assert.deepEqual(textsOf(`let ${who}${where} know ${text}`), [text]);
      }),
      runs,
    );
    assert.deepEqual(textsOf('tell everyone in the house is a mouse'), []);
  });

  it('is none when “that” is what was said before', () => {
    for (const how of ['again', 'louder', 'twice', 'in German', 'in the workshop', 'one more time', 'to me', 'now'])
      for (const verb of ['say', 'announce']) assert.deepEqual(textsOf(`${verb} that ${how}`), [], how);
    fc.assert(
      fc.property(fc.constantFrom('say', 'announce'), news, (verb, text) => {
        assert.deepEqual(textsOf(`${verb} that ${text}`), [text]);
      }),
      runs,
    );
    assert.deepEqual(textsOf('announce that at 8 we eat together'), ['at 8 we eat together']);
  });

  it('is none when more is said behind a quotation', () => {
    const more = fc.constantFrom('to Anna', 'at 7', 'in the workshop', 'tomorrow', 'twice');
    fc.assert(
      fc.property(news, more, (text, tail) => {
        assert.deepEqual(textsOf(`announce "${text}" ${tail}`), []);
        assert.deepEqual(textsOf(`tell everyone “${text}” ${tail}`), []);
        assert.deepEqual(textsOf(`tell everyone that "${text}" ${tail}`), []);
        assert.deepEqual(textsOf(`announce "${text}"`), [text]);
      }),
      runs,
    );
    assert.deepEqual(textsOf('tell everyone that the "big" saw is off'), ['the "big" saw is off']);
  });

  it('may be without a verb that is known, behind the whole of “let … know”', () => {
    fc.assert(
      fc.property(people, fc.constantFrom('the bus leaves at 8', 'Anna fell asleep', 'a parcel came'), (who, text) => {
        assert.deepEqual(textsOf(`let ${who} know ${text}`), [text]);
      }),
      runs,
    );
    for (const rest of ['', ' tomorrow', ' about the bus tonight', ' when it is late', ' now please', ' if it rains'])
      assert.deepEqual(textsOf(`let everyone know${rest}`), [], rest);
    assert.deepEqual(textsOf('let me know the bus leaves at 8'), []);
  });

  it('is for nobody when a time or a place stands where a person should', () => {
    const when = fc.constantFrom('at 7', 'at noon', 'around eight', 'at night', 'from Monday', 'by noon', 'on Friday');
    fc.assert(
      fc.property(people, when, news, (who, time, text) => {
        const { requests } = interpret(`tell ${who} ${time} that ${text}`, language);
        assert.deepEqual(requests, []);
      }),
      runs,
    );
    const [asked] = interpret('announce to Anna that it is late', language).requests;
    assert.ok(asked?.kind === 'call' && asked.match?.slots.doubts.some(({ kind }) => kind === 'person'));
  });
});
