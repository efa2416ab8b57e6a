import assert from 'node:assert/strict';
import type { SeenValue } from '../../events/house-state.ts';
import { age, houseStateTool } from './house-state.ts';
import { measures } from './measures.ts';
import { specOfTool, toolCard } from '../tool-card.ts';
import { withBorrowedWords } from '../borrowed-words.ts';

const now = 1_000_000_000;
const seen = (source: string, kind: string, value: SeenValue['value'], seconds = 0, unit?: string): SeenValue => ({
  source,
  kind,
  value,
  at: now - seconds * 1000,
  ...(unit ? { unit } : {}),
});
const house = [
  seen('bedroom_climate', 'local_temperature', 17.456, 125),
  seen('loft_climate', 'temperature', 64, 90_000, '°F'),
  seen('hall_motion', 'occupancy', false, 30),
  seen('hall_motion', 'illuminance', 12),
  seen('hall_lamp', 'illuminance', 40, 3_600),
  seen('gate', 'contact', false),
  seen('gate', 'unheard_of', 3),
];
const tool = houseStateTool(house, now);
const says = (what: string, where?: string) => tool.run({ what, ...(where ? { where } : {}) }).text;

describe('the tool that tells what the house is like', () => {
  it('says value, unit and age, and each of several', () => {
    assert.equal(says('temperature', 'bedroom'), 'the temperature of the bedroom is 17.46 °C, told 2 minutes ago');
    assert.equal(says('temperature', 'loft'), 'the temperature of the loft is 64 °F, told 1 day ago');
    assert.equal(says('motion', 'hall'), 'nobody is in the hall, told 30 seconds ago');
    assert.equal(says('open or closed', 'gate'), 'the gate is open, told just now');
    assert.equal(
      says('light level', 'hall'),
      'the light level of the hall motion is 12 lx, told just now; the light level of the hall lamp is 40 lx, told 1 hour ago',
    );
  });

  it('says that it does not know what nothing has told', () => {
    assert.equal(says('humidity', 'bedroom'), 'I don’t know the humidity of the bedroom: nothing has told it yet');
    assert.equal(says('motion', 'bedroom'), 'I don’t know whether somebody is in the bedroom: nothing has told it yet');
    assert.deepEqual(tool.run({ what: 'temperature', where: 'nowhere' }).values, []);
  });

  it('gives programs the same as data', () => {
    assert.deepEqual(tool.run({ what: 'temperature', where: 'bedroom climate' }).values, [
      { place: 'bedroom climate', what: 'temperature', value: 17.456, unit: '°C', ageSeconds: 125 },
    ]);
  });

  it('offers the places that told something, and only what it may tell', () => {
    const places = (only: readonly string[]) => {
      const { parameters } = houseStateTool(house, now, only).settings;
      return parameters.map(({ allowedValues = [] }) => allowedValues);
    };
    assert.deepEqual(places(['temperature', 'occupancy']), [
      ['temperature', 'motion'],
      ['bedroom climate', 'bedroom', 'loft climate', 'loft', 'hall motion', 'hall'],
    ]);
    assert.deepEqual(places(['contact'])[1], ['gate']);
    assert.deepEqual(houseStateTool([], now).settings.parameters[1]?.allowedValues, undefined);
  });

  it('is a right tool with words for each property, each once', () => {
    assert.ok(toolCard('n', { ...tool.settings, timeoutMs: 1000 }));
    const words = measures.flatMap(({ name, synonyms }) => [name, ...synonyms]);
    assert.deepEqual(
      words.filter((word, index) => words.indexOf(word) !== index),
      [],
    );
    const kinds = measures.flatMap((measure) => measure.kinds);
    assert.deepEqual(
      kinds.filter((kind, index) => kinds.indexOf(kind) !== index),
      [],
    );
  });

  it('borrows the words that the house has for a place', () => {
    const room = {
      name: 'room',
      type: 'string',
      required: true,
      allowedValues: ['loft'],
      synonyms: { loft: ['attic'] },
    };
    const language = [{ name: 'F', parameters: [room] }] as never;
    const [, where] = withBorrowedWords(specOfTool(tool.settings), language).parameters;
    assert.deepEqual(where?.synonyms, { loft: ['attic'] });
  });

  it('tells ages in words', () => {
    assert.deepEqual([0, 5, 60, 3_599, 7_200, 86_400, 400_000].map(age), [
      'just now',
      '5 seconds ago',
      '1 minute ago',
      '59 minutes ago',
      '2 hours ago',
      '1 day ago',
      '4 days ago',
    ]);
  });
});
