import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import { createReplyOrder, type OrderedPart, type ReplyArrival } from './reply-order.ts';

function setUp(options: { most?: number; replies?: number } = {}) {
  const clock = fakeClock();
  const parts: OrderedPart[] = [];
  const order = createReplyOrder({ clock, deliver: (part) => void parts.push(part), ...options });
  let count = 0;
  /** `a2!`: number 2, complete, of the responder a; without a letter of nobody. */
  const add = (words: string) => {
    for (const word of words.split(' ')) order.add(arrival(word, `m-${(count += 1)}`));
  };
  const shown = () => parts.map(({ reply, text }) => `${reply}:${text}`).join(' ');
  return { clock, order, add, shown, parts };
}

function arrival(word: string, messageId: string): ReplyArrival {
  const [, name = '', number = '', mark = ''] = /^([a-z]?)(-?\d+)(!?)$/.exec(word) ?? [];
  const part = { messageId, sequence: Number(number), isComplete: mark === '!', text: word };
  return name ? { ...part, responder: name } : part;
}

describe('replies to one request', () => {
  it('are put in order, and their first number may be 0 or 1', () => {
    for (const [arrivals, expected] of [
      ['a2! a1', '1:a1 1:a2!'],
      ['a0 a2! a1', '1:a0 1:a1 1:a2!'],
      ['0!', '1:0!'],
      ['1!', '1:1!'],
      ['3! 2 1', '1:1 1:2 1:3!'],
      ['0 1 2!', '1:0 1:1 1:2!'],
    ] as const) {
      const { order, add, shown, clock } = setUp();
      add(arrivals);
      assert.equal(shown(), expected);
      assert.deepEqual(order.counts, { open: 0, complete: 1, dropped: 0 });
      assert.equal(clock.waiting, 0);
    }
  });

  it('go on after a gap by a timer, not by what arrives next', async () => {
    const { clock, order, add, shown } = setUp();
    add('a1 a3');
    await clock.advance(limits.replyGapMs - 1);
    assert.equal(shown(), '1:a1');
    add('a5!');
    await clock.advance(1);
    assert.equal(shown(), '1:a1 1:a3');
    await clock.advance(limits.replyGapMs);
    assert.equal(shown(), '1:a1 1:a3 1:a5!');
    add('a2');
    assert.deepEqual(order.counts, { open: 0, complete: 1, dropped: 1 });
    assert.equal(clock.waiting, 0);
  });

  it('whose first part was lost are shown all the same', async () => {
    const { clock, add, shown } = setUp();
    add('2 3!');
    await clock.advance(limits.replyGapMs);
    assert.equal(shown(), '1:2 1:3!');
  });

  it('wait with at most fifty parts', () => {
    const { add, shown, clock } = setUp();
    const numbers = Array.from({ length: 51 }, (_, index) => `a${index + 2}`);
    add(numbers.slice(0, 50).join(' '));
    assert.equal(shown(), '');
    add(numbers.at(-1) ?? '');
    assert.equal(shown().split(' ').length, 51);
    assert.equal(clock.waiting, 0);
  });

  it('are told apart by who answers, whatever the order', () => {
    const { add, shown, order } = setUp();
    add('a1 b1 b2! a2 0! a3!');
    assert.equal(shown(), '1:a1 2:b1 2:b2! 1:a2 3:0! 1:a3!');
    assert.deepEqual(order.counts, { open: 0, complete: 3, dropped: 0 });
  });

  it('of agents that do not say who they are begin where a first number is repeated', () => {
    for (const [arrivals, expected] of [
      ['0! 0!', '1:0! 2:0!'],
      ['1! 1!', '1:1! 2:1!'],
      ['1 1 2 2! 3!', '1:1 2:1 1:2 2:2! 1:3!'],
      ['1 0! 2!', '1:1 2:0! 1:2!'],
      ['0! 1 2!', '1:0! 2:1 2:2!'],
      ['1 2! 1 2!', '1:1 1:2! 2:1 2:2!'],
    ] as const) {
      const { add, shown } = setUp();
      add(arrivals);
      assert.equal(shown(), expected);
    }
  });

  it('of such agents begin with no other number: one that waits is kept once, one after the end is not shown', async () => {
    for (const [arrivals, expected] of [
      ['2 2 1', '1:1 1:2'],
      ['a2 a2 a1', '1:a1 1:a2'],
      ['1! 2', '1:1!'],
      ['1 2! 2! 3', '1:1 1:2!'],
      ['0! 2', '1:0!'],
      ['0! 2 1 3!', '1:0! 2:1 2:2 2:3!'],
    ] as const) {
      const { clock, order, add, shown } = setUp();
      add(arrivals);
      await clock.advance(2 * limits.replyGapMs);
      assert.equal(order.counts.open, arrivals.includes('!') ? 0 : 1);
      order.close();
      assert.equal(shown(), expected);
      assert.equal(clock.waiting, 0);
    }
  });

  it('that the broker delivers twice are shown once', () => {
    const { order, shown } = setUp();
    for (const word of ['1', '1', '2', '1', '2', '3!', '3!']) order.add(arrival(word, word));
    assert.equal(shown(), '1:1 1:2 1:3!');
    assert.deepEqual(order.counts, { open: 0, complete: 1, dropped: 4 });
  });

  it('begin anew when who answers was restarted, and are not said again when they were whole', () => {
    const { add, shown, order } = setUp();
    add('a1 a2 a1 a2! a1!');
    assert.equal(shown(), '1:a1 1:a2 2:a1 2:a2!');
    assert.deepEqual(order.counts, { open: 0, complete: 1, dropped: 1 });
  });

  it('are not more than a request may have', () => {
    const { add, shown, order } = setUp({ replies: 2 });
    add('0! 0! 0! a1');
    assert.equal(shown(), '1:0! 2:0!');
    assert.equal(order.counts.dropped, 2);
  });

  it('show what waits at the end, and nothing after it', () => {
    const { add, shown, order, clock } = setUp();
    add('a1 a3 b2');
    order.close();
    add('a2');
    assert.equal(shown(), '1:a1 1:a3 2:b2');
    assert.equal(clock.waiting, 0);
  });
});

describe('replies in any order', () => {
  /** One responder's parts, shuffled, some twice, each with a pause before it. */
  const shuffled = (name: string) =>
    fc.record({ start: fc.constantFrom(0, 1), count: fc.integer({ min: 1, max: 30 }) }).chain(({ start, count }) => {
      const words = Array.from(
        { length: count },
        (_, index) => `${name}${start + index}${index === count - 1 ? '!' : ''}`,
      );
      const order = fc.shuffledSubarray(words, { minLength: count, maxLength: count });
      // A reply that begins at 0 begins with it: who shows 1 at once can't know better.
      return order.map((mixed) => ({
        words,
        mixed: start === 0 ? [words[0] ?? '', ...mixed.filter((word) => word !== words[0])] : mixed,
      }));
    });

  it('come out whole and once, each in its order, if all arrives', async () => {
    const both = fc.tuple(shuffled('a'), shuffled('b'), fc.infiniteStream(fc.boolean()), fc.infiniteStream(fc.nat(20)));
    await fc.assert(
      fc.asyncProperty(both, async ([a, b, isOfA, pauses]) => {
        const { clock, order, parts } = setUp();
        const [left, right] = [[...a.mixed], [...b.mixed]];
        while (left.length + right.length > 0) {
          const from = right.length === 0 || (left.length > 0 && isOfA.next().value) ? left : right;
          const word = from.shift() ?? '';
          order.add(arrival(word, word));
          order.add(arrival(word, word));
          await clock.advance(Number(pauses.next().value));
        }
        for (const { words } of [a, b]) {
          const name = words[0]?.[0];
          assert.deepEqual(
            parts.filter(({ responder }) => responder === name).map(({ text }) => text),
            words,
          );
        }
        assert.deepEqual([order.counts.open, order.counts.complete, clock.waiting], [0, 2, 0]);
      }),
      { numRuns: 50 },
    );
  });

  it('show in rising order all that arrived, and leave no timer, if some is lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        shuffled('a'),
        fc.infiniteStream(fc.boolean()),
        fc.nat(3_000),
        async ({ words, mixed }, isLost, pause) => {
          const { clock, order, parts } = setUp();
          const arrived = mixed.filter(() => !isLost.next().value);
          for (const word of arrived) order.add(arrival(word, word));
          await clock.advance(pause);
          await clock.advance(40 * limits.replyGapMs);
          const shown = parts.map(({ sequence }) => sequence);
          assert.deepEqual(
            shown,
            [...shown].sort((x, y) => x - y),
          );
          assert.equal(shown.length, arrived.length);
          assert.equal(order.counts.complete, arrived.includes(words.at(-1) ?? '') ? 1 : 0);
          assert.equal(clock.waiting, 0);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('of an agent without a name come out whole as one, if they come in order', () => {
    fc.assert(
      fc.property(fc.constantFrom(0, 1), fc.integer({ min: 1, max: 100 }), (start, count) => {
        const { order, parts } = setUp();
        for (let index = 0; index < count; index += 1) {
          order.add(arrival(`${start + index}${index === count - 1 ? '!' : ''}`, `m${index}`));
        }
        assert.deepEqual(
          parts.map(({ reply, sequence }) => [reply, sequence]),
          Array.from({ length: count }, (_, index) => [1, start + index]),
        );
      }),
    );
  });
});
