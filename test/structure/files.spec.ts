import assert from 'node:assert/strict';
import { codeOf, filesOf, isSpec, read, readJson } from './sources.ts';

const sources = filesOf('{engine,nodes,bin,bench,test,scripts}/**/*.{ts,mjs}');
const linesOf = (file: string): number => read(file).trimEnd().split('\n').length;

describe('source files', () => {
  it('have at most 300 lines', () => {
    assert.deepEqual(
      sources.filter((file) => linesOf(file) > 300).map((file) => `${file}: ${linesOf(file)}`),
      [],
    );
  });

  it('of a node have at most 120 lines', () => {
    const runtime = sources.filter((file) => /^nodes\/([^/]+)\/\1\.ts$/.test(file));
    assert.deepEqual(
      runtime.filter((file) => linesOf(file) > 120).map((file) => `${file}: ${linesOf(file)}`),
      [],
    );
  });

  it('switch off no check', () => {
    const marked = sources.filter((file) => {
      // A spec may do for once what code may not, line by line.
      const marks = isSpec(file)
        ? /@ts-(?:ignore|nocheck)|eslint-disable(?!-next-line)/
        : /@ts-(?:ignore|nocheck)|eslint-disable/;
      return !file.startsWith('test/structure/') && marks.test(read(file));
    });
    assert.deepEqual(marked, []);
  });

  it('of the engine hold no sentence of the test sets', () => {
    const sentences = filesOf('test/sets/**/*.open.json', 'test/sets/home/table.json').flatMap((file) => {
      const { cases = [] } = readJson(file) as { cases?: readonly { text?: unknown }[] };
      return cases.flatMap(({ text }) => (typeof text === 'string' && text.split(' ').length >= 4 ? [text] : []));
    });
    assert.ok(sentences.length > 0, 'no sentences were read');
    const code = filesOf('engine/**/*.ts')
      .filter((file) => !isSpec(file))
      .map(codeOf)
      .join('\n')
      .toLowerCase();
    assert.deepEqual(
      sentences.filter((sentence) => code.includes(sentence.toLowerCase())),
      [],
    );
  });
});
