import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { commandsOf, inAnyOrder, type Call } from './expected.ts';
import type { Person } from './person.ts';
import { sharedHome } from './shared-home.ts';
import { machineryIn } from './words.ts';

interface Case {
  readonly text: string;
  readonly expect: 'act' | 'ask' | 'nothing';
  readonly calls: readonly Call[];
}

/** Said at once; the home takes them one after the other. */
const batchSize = 12;

const file = new URL('../sets/home/table.json', import.meta.url);

describe('every sentence of the table', function () {
  this.timeout(180_000);
  let person: Person;
  let cases: readonly Case[] = [];
  before(async () => {
    cases = (JSON.parse(await readFile(file, 'utf8')) as { cases: Case[] }).cases;
    ({ person } = await sharedHome());
    person.commands();
  });

  /** What one sentence does, said alone. */
  async function faultOf(one: Case): Promise<string | undefined> {
    const { text } = await person.say(one.text);
    const got = inAnyOrder(person.commands());
    const expected = inAnyOrder(commandsOf(one.calls));
    if (got.join() === expected.join()) return undefined;
    return `"${one.text}": expected ${expected.join(' and ') || 'nothing'}, got ${got.join(' and ') || 'nothing'} (${text})`;
  }

  it('sends exactly what it asks for, or asks, or does nothing', async () => {
    const faults: string[] = [];
    for (let start = 0; start < cases.length; start += batchSize) {
      const batch = cases.slice(start, start + batchSize);
      const replies = await Promise.all(batch.map((one) => person.say(one.text)));
      const expected = inAnyOrder(batch.flatMap((one) => commandsOf(one.calls)));
      const got = inAnyOrder(person.commands());
      batch.forEach((one, index) => {
        const text = replies[index]?.text ?? '';
        if (one.expect === 'ask' && !text.includes('?')) faults.push(`"${one.text}" asks nothing: ${text}`);
        const unfit = machineryIn(text, one.text);
        if (unfit.length) faults.push(`"${one.text}" is answered with ${unfit.join(', ')}: ${text}`);
      });
      if (got.join() === expected.join()) continue;
      // Said one by one, to name the sentence.
      for (const one of batch) {
        const fault = await faultOf(one);
        if (fault) faults.push(fault);
      }
    }
    assert.ok(cases.length >= 80);
    assert.deepEqual(faults, []);
  });
});
