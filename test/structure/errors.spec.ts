import assert from 'node:assert/strict';
import { errorTable } from '../../engine/errors.ts';
import { codeOf, filesOf, isSpec, read } from './sources.ts';

/** Rows of the table in `docs/errors.md`: code, when it happens, what to do. */
const rows = read('docs/errors.md')
  .split('\n')
  .filter((line) => line.startsWith('| `FOLKMOOT_'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  .map(([code = '', when = '', todo = '']) => ({ code: code.replaceAll('`', ''), when, todo }));

describe('docs/errors.md', () => {
  it('documents every error code and no other', () => {
    assert.deepEqual(rows.map((row) => row.code).sort(), Object.keys(errorTable).sort());
  });

  it('says what to do in the words of the error itself', () => {
    const texts = new Map<string, string>(Object.entries(errorTable));
    assert.deepEqual(
      rows.filter((row) => row.todo !== texts.get(row.code)).map((row) => row.code),
      [],
    );
  });

  it('says when each happens', () => {
    assert.deepEqual(
      rows.filter((row) => row.when.length < 20).map((row) => row.code),
      [],
    );
  });
});

describe('what people read', () => {
  it('calls the output through which others are asked as the editor does', () => {
    const files = filesOf('{engine,nodes}/**/*.ts').filter((file) => !isSpec(file));
    const isSaid = (line: string) => /asks (?:output|wire)/.test(line) && !/^\s*(?:\/?\*|\/\/)/.test(line);
    const found = files.flatMap((file) =>
      read(file)
        .split('\n')
        .filter(isSaid)
        .map((line) => `${file}: ${line.trim()}`),
    );
    assert.deepEqual(found, []);
  });
});

describe('error codes', () => {
  it('are each used somewhere', () => {
    const code = filesOf('{engine,nodes,bin}/**/*.ts')
      .filter((file) => !isSpec(file) && file !== 'engine/errors.ts')
      .map(codeOf)
      .join('\n');
    assert.deepEqual(
      Object.keys(errorTable).filter((name) => !code.includes(name)),
      [],
    );
  });
});
