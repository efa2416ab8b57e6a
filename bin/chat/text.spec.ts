import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cutTo, plain, rowsOf, widthOf } from './text.ts';

describe('text of others on a terminal', () => {
  it('can’t steer it', () => {
    const escape = '\u001b';
    assert.equal(plain(`a${escape}[2Jb${escape}]0;title\u0007c\u009b1md\u0008\u202ee`), 'a[2Jb]0;titlec1mde');
    assert.equal(plain('one\r\ntwo\rthree\n\tfour'), 'one\ntwo\nthree\n  four');
    assert.equal(plain('grün ✓ 家 👩‍👩‍👧'), 'grün ✓ 家 👩‍👩‍👧');
  });

  it('is broken at blanks, and in words that are too long', () => {
    assert.deepEqual(rowsOf('the quick brown fox', 10), ['the quick', 'brown fox']);
    assert.deepEqual(rowsOf('abcdefghijkl mno', 5), ['abcde', 'fghij', 'kl', 'mno']);
    assert.deepEqual(rowsOf('', 5), ['']);
    assert.deepEqual(rowsOf('家家家', 5), ['家家', '家']);
  });

  it('fits into its rows, and nothing but blanks is lost', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.integer({ min: 20, max: 60 }),
        (text, columns) => {
          const line = plain(text).replaceAll('\n', '');
          const rows = rowsOf(line, columns);
          assert.ok(rows.every((row) => widthOf(row) <= columns));
          assert.equal(rows.join('').replace(/\s/g, ''), line.replace(/\s/g, ''));
        },
      ),
    );
  });

  it('is cut with a sign', () => {
    assert.equal(cutTo('short', 10), 'short');
    assert.equal(cutTo('rather long\ntext', 10), 'rather lo…');
  });
});
