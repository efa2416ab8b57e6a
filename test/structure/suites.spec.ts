import assert from 'node:assert/strict';
import { suites } from '../suites.mjs';
import { codeOf, filesOf } from './sources.ts';

const specs = filesOf('{engine,nodes,bin,bench,flows,test,scripts}/**/*.spec.ts');

describe('the list of suites', () => {
  for (const suite of suites) {
    it(`has tests in "${suite.name}"`, () => {
      const files = filesOf(...suite.globs);
      assert.ok(files.length > 0, `no file matches ${suite.globs.join(', ')}`);
      assert.ok(
        files.some((file) => /\bit\(/.test(codeOf(file))),
        'its files hold no test',
      );
    });
  }

  it('holds every spec exactly once', () => {
    const listed = suites.flatMap((suite) => filesOf(...suite.globs));
    const wrong = specs.filter((file) => listed.filter((other) => other === file).length !== 1);
    assert.deepEqual(wrong, []);
  });

  it('runs every test: none is marked only, skip or todo', () => {
    const marked = specs.filter((file) =>
      /\b(?:it|describe|context)\.(?:only|skip|todo)\b|\bx(?:it|describe)\(/.test(codeOf(file)),
    );
    assert.deepEqual(marked, []);
  });

  it('needs well below ten minutes, if each suite keeps its limit and two run at once', () => {
    const seconds = suites
      .filter((suite) => suite.tier === 'short')
      .reduce((sum, suite) => sum + suite.limitSeconds, 0);
    assert.ok(seconds <= 2 * 600, `${seconds} s of limits`);
  });
});
