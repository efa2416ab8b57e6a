import assert from 'node:assert/strict';
import type { Embed } from '../memory/embed.ts';
import type { AgentTool } from './agent-tool.ts';
import { selectTools, type SelectOptions } from './select-tools.ts';

const tool = (name: string, description: string): AgentTool => ({
  spec: {
    ...{ name, description, category: 'tools', risk: 'read', effect: false, repeatable: true },
    parameters: [],
  },
  mark: 't',
  ask: () => Promise.reject(new Error('not asked')),
  said: () => undefined,
});
const tools = [
  tool('SendNotification', 'Notifies a person'),
  tool('GetWeather', 'Tells the weather and the forecast of a town'),
  tool('SystemLoad', 'Load average of this computer'),
];
const names = async (query: string, more: Partial<SelectOptions> = {}) =>
  (await selectTools(tools, { choice: 'keyword', query, most: 10, ...more })).map(({ spec }) => spec.name);

describe('tools that go into a prompt', () => {
  it('are all of them where that is chosen, whatever is asked (row 30)', async () => {
    assert.equal((await names('zzz', { choice: 'all' })).length, 3);
  });

  it('share a word with the request, stemmed, without small words (row 27)', async () => {
    assert.deepEqual(await names('notify Anna that tea is ready'), ['SendNotification']);
    assert.deepEqual(await names('what are the forecasts for this and that'), ['GetWeather']);
    assert.deepEqual(await names('tell me a joke'), []);
  });

  it('may be searched with any signs, in a long text (row 28)', async () => {
    const long = `${'#(:"\'+-&|!{}[]^~*?\\/ '.repeat(500)} weather ${'x'.repeat(5_000)}`;
    assert.deepEqual(await names(long), ['GetWeather']);
    assert.deepEqual(await names('#(:"'), []);
    assert.deepEqual(await names('#(:"', { choice: 'semantic', embed: meaning }), []);
  });

  /** An embedding that knows what is about the same. */
  const subjects = [/notif|tell somebody|message/i, /weather|rain|umbrella|forecast/i, /load|busy|computer/i];
  const meaning: Embed = {
    id: 'meaning',
    dimensions: 4,
    embed: async (texts) =>
      texts.map((text) => {
        const vector = subjects.map((subject) => Number(subject.test(text)));
        const length = Math.hypot(...vector) || 1;
        return [...vector.map((value) => value / length), vector.some(Boolean) ? 0 : 1];
      }),
  };

  it('are near in meaning, best first, and none below the threshold (row 29)', async () => {
    const semantic = { choice: 'semantic', embed: meaning } as const;
    assert.deepEqual(await names('shall I take an umbrella?', semantic), ['GetWeather']);
    assert.deepEqual(await names('sing a song', semantic), []);
    const mixed = await names('is the computer busy, and does the computer know the rain', {
      ...semantic,
      threshold: 0.5,
    });
    assert.deepEqual(mixed.sort(), ['GetWeather', 'SystemLoad']);
  });

  it('are no more than the most, and those that the model names', async () => {
    assert.deepEqual(await names('weather load notification', { most: 2 }), ['SendNotification', 'GetWeather']);
    const ask = async () => ['systemload', 'Erase'];
    assert.deepEqual(await names('x', { choice: 'model', most: 2, ask }), ['SystemLoad']);
    assert.deepEqual((await names('x', { choice: 'model', most: 3, ask: () => assert.fail('few enough') })).length, 3);
  });
});
