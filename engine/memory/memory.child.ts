/**
 * A second process for `memory-crash.spec.ts`: remembers one thing after another and forgets every third one, until it
 * is killed; prints what was acknowledged.
 */
import { systemClock } from '../clock.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import { createLexicalEmbed } from './lexical.ts';
import { createMemory } from './memory.ts';
import { openVectraIndex } from './vectra-index.ts';

const [, , path = '', folder = '', first = '0'] = process.argv;
const embed = createLexicalEmbed();
const memory = createMemory({
  store: createEmbeddedStore({ path }),
  openIndex: () => openVectraIndex({ folder, embedId: embed.id, dimensions: embed.dimensions }),
  embed,
  clock: systemClock,
  space: 'home',
});
const say = (line: string) => new Promise((resolve) => process.stdout.write(`${line}\n`, resolve));

for (let n = Number(first); ; n += 1) {
  await memory.remember({ subject: 'anna', text: `box number ${n} stands on shelf ${n % 7}` });
  await say(`kept ${n}`);
  if (n % 3 !== 0) continue;
  await memory.forget({ subject: 'anna', query: `box number ${n} stands on shelf ${n % 7}` });
  await say(`forgot ${n}`);
}
