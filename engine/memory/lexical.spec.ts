import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isFolkmootError } from '../errors.ts';
import { checkVector } from './embed.ts';
import { createLexicalEmbed } from './lexical.ts';

const embed = createLexicalEmbed();

async function similarity(a: string, b: string): Promise<number> {
  const [x = [], y = []] = await embed.embed([a, b]);
  return x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
}

describe('the lexical embedding', () => {
  it('gives vectors of length 1 and of its dimensions, the same for the same text, in any language', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }).filter((text) => /[\p{L}\p{N}]/u.test(text.normalize('NFKD'))),
        async (text) => {
          const [first = [], second = []] = await embed.embed([text, text]);
          checkVector(first, embed.dimensions);
          assert.ok(Math.abs(Math.hypot(...first) - 1) < 1e-9);
          assert.deepEqual(first, second);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('refuses text without words', async () => {
    for (const text of ['', ' ', '?!', '—'])
      await assert.rejects(embed.embed(['words', text]), (e: unknown) => isFolkmootError(e, 'FOLKMOOT_BAD_INPUT'));
  });

  it('finds wordings of one thing similar, and other things not', async () => {
    for (const [a, b, other] of [
      ['where is the spare key?', 'the spare key is with Maria', 'the car is in the garage'],
      ['the spare keys', 'spare key', 'spring rain'],
      ['when is Annas birthday', "Anna's birthday is on 3 May", 'the boiler was serviced in May'],
      ['wo ist der Ersatzschlüssel?', 'Der Ersatzschlüssel liegt bei Maria', 'Der Müll wird dienstags abgeholt'],
      ['¿dónde está la llave?', 'la llave está con María', 'el jardín necesita agua'],
      ['где запасной ключ', 'запасной ключ у Марии', 'мусор забирают во вторник'],
      ['備用鑰匙在哪裡', '備用鑰匙在瑪麗亞那裡', '垃圾星期二收'],
    ] as const) {
      const [near, far] = [await similarity(a, b), await similarity(a, other)];
      assert.ok(near > 0.3 && near > far + 0.2, `${a}: ${near.toFixed(2)} against ${far.toFixed(2)}`);
    }
  });

  it('is not misled by small words, case, accents and typing errors', async () => {
    assert.ok((await similarity('where is it?', 'where is the car')) < 0.5);
    assert.ok((await similarity('Caffè Größe', 'caffe grosse')) > 0.5);
    assert.ok((await similarity('the spair key', 'the spare key')) > 0.4);
  });
});
