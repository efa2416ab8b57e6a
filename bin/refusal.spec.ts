import assert from 'node:assert/strict';
import { inWords } from './refusal.ts';

const errorOf = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: raw`), { code, syscall: 'open', ...(path ? { path } : {}) });
const wordsOf = (code: string, path?: string) =>
  String((inWords(errorOf(code, path), '/home/a/.folkmoot') as Error).message);

describe('errors of files in words', () => {
  it('say which file and what to do, without the code where a sentence is known', () => {
    const file = '/home/a/.folkmoot/node-red/credential-secret';
    for (const code of ['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT', 'EISDIR', 'ENOENT', 'EEXIST', 'ENOTDIR']) {
      const words = wordsOf(code, file);
      assert.ok(words.includes(file), words);
      assert.match(words, /(set FOLKMOOT_HOME to|make room|move it away).* start again\.$/);
      assert.doesNotMatch(words, /\bE[A-Z]{3,}\b|raw/);
    }
    assert.match(wordsOf('EIO', file), /cannot be used \(EIO\): set FOLKMOOT_HOME/);
  });

  it('name the folder when a full disk names no file', () => {
    assert.match(wordsOf('ENOSPC'), /so that \/home\/a\/\.folkmoot cannot be written/);
  });

  it('are left as they are when they are about something else', () => {
    for (const error of [new Error('x'), errorOf('ECONNREFUSED'), errorOf('ENOENT', '/usr/lib/x.js'), 'text'])
      assert.equal(inWords(error, '/home/a/.folkmoot'), error);
  });
});
