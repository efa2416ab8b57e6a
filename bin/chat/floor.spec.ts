import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fakeClock } from '../../engine/clock.ts';
import { createFloor } from './floor.ts';

function setUp() {
  const clock = fakeClock();
  const shown: string[] = [];
  const floor = createFloor({
    clock,
    quietMs: 5_000,
    begin: (key, isGoingOn) => void shown.push(`<${key}${isGoingOn ? ' again' : ''}`),
    text: (text) => void shown.push(text),
    end: (key, isOver, note) => void shown.push(`${isOver ? '' : '…'}${note}${key}>`),
  });
  return { clock, floor, shown, all: () => shown.join(' ') };
}

describe('who speaks in the chat', () => {
  it('is shown as it comes, and what others say meanwhile waits until the end', () => {
    const { clock, floor, all } = setUp();
    floor.say('a', 'one', false);
    floor.say('b', 'whole', true);
    floor.say('a', 'two', false);
    floor.say('c', 'begun', false);
    assert.equal(all(), '<a one two');
    floor.say('a', 'three', true, 'note ');
    assert.equal(all(), '<a one two three note a> <b whole b> <c begun');
    floor.say('c', '', true);
    assert.equal(all(), '<a one two three note a> <b whole b> <c begun c>');
    assert.equal(clock.waiting, 0);
  });

  it('gives the floor away after a silence when others wait, and goes on later', async () => {
    const { clock, floor, all } = setUp();
    floor.say('a', 'one', false);
    await clock.advance(60_000);
    floor.say('b', 'whole', true);
    assert.equal(all(), '<a one');
    await clock.advance(5_000);
    assert.equal(all(), '<a one …a> <b whole b>');
    floor.say('a', 'two', true);
    assert.equal(all(), '<a one …a> <b whole b> <a again two a>');
    assert.equal(clock.waiting, 0);
  });

  it('ends what is given up, and once', () => {
    const { clock, floor, all } = setUp();
    floor.say('a', 'one', false);
    floor.giveUp('a', 'lost ');
    floor.giveUp('a', 'lost ');
    floor.giveUp('b', 'never came ');
    assert.equal(all(), '<a one lost a>');
    floor.say('b', 'x', false);
    floor.close();
    floor.say('b', 'y', true);
    assert.equal(all(), '<a one lost a> <b x');
    assert.equal(clock.waiting, 0);
  });

  it('never tears a reply that flows, whatever comes in which order', async () => {
    const piece = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), afterMs: fc.nat(1_000) });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 40 }), async (pieces) => {
        const { clock, floor, shown } = setUp();
        const lastOf = new Map(pieces.map(({ key }, index) => [key, index]));
        for (const [index, { key, afterMs }] of pieces.entries()) {
          floor.say(key, `${key}${index}`, lastOf.get(key) === index);
          // Nobody who has begun is silent for long.
          await clock.advance(afterMs / pieces.length);
        }
        const expected = (key: string) => pieces.flatMap((one, index) => (one.key === key ? [`${key}${index}`] : []));
        for (const key of lastOf.keys()) {
          const block = shown.slice(shown.indexOf(`<${key}`) + 1, shown.indexOf(`${key}>`));
          assert.equal(block.join(''), expected(key).join(''));
        }
        assert.equal(clock.waiting, 0);
      }),
      { numRuns: 50 },
    );
  });
});
