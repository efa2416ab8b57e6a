import assert from 'node:assert/strict';
import fc from 'fast-check';
import { splitLogin, withoutSecrets } from './login.ts';

describe('user and password within an address', () => {
  it('are taken out, whatever letters they have', () => {
    const word = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' });
    fc.assert(
      fc.property(word, word, (user, password) => {
        const address = `mqtt://${encodeURIComponent(user)}:${encodeURIComponent(password)}@house:1883`;
        assert.deepEqual(splitLogin(address), { url: 'mqtt://house:1883', user, password });
      }),
      { numRuns: 50 },
    );
    assert.deepEqual(splitLogin('mqtt://house'), { url: 'mqtt://house' });
    assert.deepEqual(splitLogin('redis://:secret@house/3'), { url: 'redis://house/3', password: 'secret' });
    assert.deepEqual(splitLogin('mqtt://ana:50%@house'), { url: 'mqtt://house', user: 'ana', password: '50%' });
  });

  it('are in no text, also of what is no address', () => {
    for (const [text, shown] of [
      ['mqtt://ana:secret@house:x', 'mqtt://house:x'],
      ['mqtt://ana:se/c@ret@house', 'mqtt://house'],
      ['ana:secret@house', 'house'],
      ['mqtt://house', 'mqtt://house'],
      ['house', 'house'],
    ] as const) {
      assert.equal(withoutSecrets(text), shown);
    }
  });
});
