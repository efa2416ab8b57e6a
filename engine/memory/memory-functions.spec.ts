import assert from 'node:assert/strict';
import { createLanguage } from '../language/language.ts';
import { memoryAskOf, memoryFunctions } from './memory-functions.ts';

describe('what a memory lets an agent do', () => {
  it('is a language of three functions, none of which needs approval', () => {
    assert.deepEqual(
      createLanguage(memoryFunctions).functions.map(({ name, risk }) => [name, risk]),
      [
        ['Remember', 'reversible'],
        ['Recall', 'read'],
        ['Forget', 'reversible'],
      ],
    );
  });

  it('becomes the payload of an ask', () => {
    assert.deepEqual(memoryAskOf({ function: 'Remember', parameters: { text: 'tea at four' } }), {
      operation: 'remember',
      text: 'tea at four',
    });
    assert.deepEqual(memoryAskOf({ function: 'Forget', parameters: { query: 'tea' } }), {
      operation: 'forget',
      query: 'tea',
    });
  });

  it('leaves all other calls alone', () => {
    assert.equal(memoryAskOf({ function: 'toString', parameters: {} }), undefined);
    assert.equal(memoryAskOf({ function: 'SetLight', parameters: { state: 'on' } }), undefined);
  });
});
