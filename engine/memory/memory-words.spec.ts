import assert from 'node:assert/strict';
import { forgottenWords, nothingRecalled, recalledWords, rememberedWords } from './memory-words.ts';

const record = (text: string) => ({ v: 1, id: text, text, kind: 'note', subject: 'anna', time: '2026-01-01' }) as const;
const [key, car] = [record('the spare key is with Maria'), record('the car key is on the hook')];
const found = (isSure: boolean, ...records: (typeof key)[]) =>
  records.map((one) => ({ record: one, score: 1, isSure }));

describe('what people are told of a memory', () => {
  it('is what was kept, and whether it was known', () => {
    assert.equal(rememberedWords({ record: key, isNew: true }), 'I will remember: “the spare key is with Maria”.');
    assert.match(rememberedWords({ record: key, isNew: false }), /^I remember that already/);
  });

  it('is what surely fits, else what may, else that there is nothing', () => {
    assert.equal(recalledWords(found(true, key)), 'You told me: “the spare key is with Maria”.');
    assert.equal(
      recalledWords([...found(true, key), ...found(false, car)]),
      'You told me: “the spare key is with Maria”.',
    );
    assert.match(recalledWords(found(false, car)), /^I am not sure that this is it, but you told me: “the car key/);
    assert.match(recalledWords(found(true, key, car)), /^You told me:\n– “the spare.*\n– “the car/);
    assert.equal(recalledWords([]), nothingRecalled);
  });

  it('is what was forgotten, which may be meant, or that there is nothing', () => {
    assert.equal(
      forgottenWords({ forgotten: [key], candidates: [] }),
      'I have forgotten “the spare key is with Maria”.',
    );
    assert.match(forgottenWords({ forgotten: [key, car], candidates: [] }), /^I have forgotten all of this:\n–/);
    assert.match(forgottenWords({ forgotten: [], candidates: [key, car] }), /I remember 2 things.*Which of them/);
    assert.match(forgottenWords({ forgotten: [], candidates: [] }), /nothing to forget/);
  });
});
