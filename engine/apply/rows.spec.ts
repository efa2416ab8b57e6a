import assert from 'node:assert/strict';
import type { FunctionSpec } from '../language/function-spec.ts';
import { createLanguage } from '../language/language.ts';
import { isFolkmootError } from '../errors.ts';
import { checkedRows, goneRows, rowFor } from './rows.ts';

const spec = (name: string, category: string) =>
  ({
    name,
    category,
    description: name,
    risk: 'reversible',
    effect: true,
    repeatable: true,
    parameters: [],
  }) satisfies FunctionSpec;
const setLight = spec('SetLight', 'lights');
const mow = spec('MowLawn', 'garden');
const language = createLanguage([setLight, mow]);

describe('rows of apply', () => {
  it('prefers a row for the function to one for its category, and that to anything else', () => {
    const rows = checkedRows([
      { kind: 'else', target: '' },
      { kind: 'category', target: 'lights' },
      { kind: 'function', target: 'SetLight' },
    ]);
    assert.equal(rowFor(rows, setLight)?.index, 2);
    assert.equal(rowFor(rows, spec('Blink', 'lights'))?.index, 1);
    assert.equal(rowFor(rows, mow)?.index, 0);
    assert.equal(rowFor(rows.slice(1), mow), undefined);
  });
  it('refuses a row that is there twice, a kind that it does not know and a time that is none', () => {
    const twice = [
      [{ kind: 'else' }, { kind: 'else', target: 'x' }],
      [
        { kind: 'function', target: 'SetLight' },
        { kind: 'function', target: 'SetLight ' },
      ],
    ];
    const odd = [
      [{ kind: 'tool', target: 'x' }],
      [null],
      ['x'],
      [{ kind: 'else', waitMs: 'soon' }],
      [{ kind: 'else', waitMs: -1 }],
    ];
    for (const rows of [...twice, ...odd])
      assert.throws(
        () => checkedRows(rows),
        (error) => isFolkmootError(error, 'FOLKMOOT_BAD_SETTING'),
      );
  });
  it('takes the default time where none is saved, and text as a number', () => {
    assert.deepEqual(
      checkedRows([{ kind: 'else' }, { kind: 'category', target: 'a', waitMs: '500' }]).map(({ waitMs }) => waitMs),
      [300, 500],
    );
  });
  it('finds the rows whose function or category is gone', () => {
    const rows = checkedRows([
      { kind: 'function', target: 'MowLawn' },
      { kind: 'function', target: 'Mow' },
      { kind: 'category', target: 'pool' },
      { kind: 'else' },
    ]);
    assert.deepEqual(
      goneRows(rows, language).map(({ index }) => index),
      [1, 2],
    );
  });
});
