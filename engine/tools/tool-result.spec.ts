import assert from 'node:assert/strict';
import fc from 'fast-check';
import { limits } from '../limits.ts';
import { checkArguments } from './tool-arguments.ts';
import { toolCard, toolNameFrom, type ToolSettings } from './tool-card.ts';
import { keptResult, resultSentence, resultText } from './tool-result.ts';

const settings = (more: Partial<ToolSettings> = {}): ToolSettings => ({
  name: 'FrontDoor',
  description: 'Tells about the front door',
  parameters: [],
  risk: 'read',
  effect: false,
  timeoutMs: 1000,
  ...more,
});

describe('a result of a tool', () => {
  it('is told by the tool’s sentence, else in its own words', () => {
    const door = { sentence: 'the front door is {result:true=closed|false=open}', parameters: [] };
    assert.equal(resultSentence(door, {}, true), 'The front door is closed.');
    assert.equal(resultSentence(door, {}, false), 'The front door is open.');
    const room = { name: 'room', type: 'string' as const, required: true, allowedValues: ['living_room'] };
    const warmth = { sentence: 'The {room} is at {result} degrees[, {trend}]', parameters: [room] };
    assert.equal(resultSentence(warmth, { room: 'living_room' }, 20.5), 'The living room is at 20.5 degrees.');
    const plain = { parameters: [] };
    assert.equal(resultSentence(plain, {}, { doorOpen: false, rooms: ['a', 'b'] }), 'Door open: no, rooms: a and b.');
    assert.equal(resultSentence(plain, {}, 'all is well!'), 'All is well!');
    assert.equal(resultSentence(plain, {}, null), undefined);
    assert.equal(resultSentence(door, {}, null), undefined);
  });

  it('is plain data below its limit, whatever comes', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        let kept: unknown;
        try {
          kept = keptResult(value);
        } catch (error) {
          assert.match(String(error), /no plain data/);
          return;
        }
        assert.ok(resultText(kept).length <= limits.toolResultChars + 100);
        assert.deepEqual(JSON.parse(JSON.stringify(kept)), kept);
      }),
    );
    assert.equal(keptResult(Buffer.from('abc')), '(3 bytes that are no text)');
    assert.equal(keptResult(undefined), null);
  });
});

describe('the card of a tool', () => {
  it('has a name of letters and digits, made from any name', () => {
    assert.deepEqual(['front door', 'FrontDoor', 'is-it_warm?', 'größe'].map(toolNameFrom), [
      'FrontDoor',
      'FrontDoor',
      'IsItWarm',
      'Groe',
    ]);
    for (const name of ['', '1st', 'a b'])
      assert.throws(() => toolCard('n', settings({ name })), /BAD_SETTING|has to begin/);
  });

  it('is refused when its parameters are not right', () => {
    const twice = { name: 'a', type: 'string' as const, required: true };
    assert.throws(() => toolCard('n', settings({ parameters: [twice, twice] })), { code: 'FOLKMOOT_BAD_SETTING' });
    assert.throws(() => toolCard('n', settings({ schema: { type: 'nonsense' } })), { code: 'FOLKMOOT_BAD_SETTING' });
  });

  it('shows a schema’s plain values as parameters, and checks by the schema', () => {
    const schema = {
      type: 'object',
      properties: { depth: { type: 'integer', minimum: 1 }, mode: { enum: ['a', 'b'] }, list: { type: 'array' } },
      required: ['depth'],
    };
    const card = toolCard('n', settings({ schema }));
    assert.deepEqual(
      card.parameters.map(({ name, type, required }) => [name, type, required]),
      [
        ['depth', 'integer', true],
        ['mode', 'string', false],
        ['list', 'string', false],
      ],
    );
    assert.equal(checkArguments(card, { depth: 2, list: [1] }).ok, true);
    assert.equal(checkArguments(card, { depth: 0 }).ok, false);
    assert.equal(checkArguments(card, [1]).ok, false);
  });
});
