import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { commandsOf, inAnyOrder, type Call } from './expected.ts';
import type { Person } from './person.ts';
import { sharedHome } from './shared-home.ts';
import { machineryIn } from './words.ts';

interface Turn {
  readonly text: string;
  readonly expect: 'act' | 'ask' | 'nothing';
  readonly calls: readonly Call[];
}

const file = new URL('../sets/home/dialogues-b.open.json', import.meta.url);
/** Of the turns of the open half, by another hand: what `rules` asks about instead of acting is no fault of the home. */
const sharesRight = 0.7;

describe('dialogues by another hand', function () {
  this.timeout(180_000);
  let person: Person;
  let dialogues: readonly { readonly turns: readonly Turn[] }[] = [];
  before(async () => {
    dialogues = (JSON.parse(await readFile(file, 'utf8')) as { dialogues: typeof dialogues }).dialogues;
    ({ person } = await sharedHome());
    person.commands();
  });

  it('keep a question open for its conversation, and never do more than was asked for', async () => {
    const wrong: string[] = [];
    let right = 0;
    let turns = 0;
    for (const dialogue of dialogues) {
      const conversation = randomUUID();
      for (const turn of dialogue.turns) {
        turns += 1;
        const { text } = await person.say(turn.text, { conversation });
        const got = inAnyOrder(person.commands());
        const unfit = machineryIn(text, turn.text);
        if (unfit.length) wrong.push(`"${turn.text}" is answered with ${unfit.join(', ')}: ${text}`);
        const expected = inAnyOrder(commandsOf(turn.calls));
        if (got.join() === expected.join()) right += 1;
        else if (got.length > 0) wrong.push(`"${turn.text}": got ${got.join(' and ')} (${text})`);
      }
    }
    assert.deepEqual(wrong, []);
    assert.ok(right / turns >= sharesRight, `${right} of ${turns} turns are right`);
  });
});
