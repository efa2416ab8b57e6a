/** The programs in other languages: short, and with the libraries that A.M.I.C.A. uses. */
import assert from 'node:assert/strict';
import { filesOf, read } from './sources.ts';

describe('the programs of interop', () => {
  it('in Python have less than eighty lines each, and are those of the page', () => {
    const programs = filesOf('interop/python/*.py');
    const page = read('interop/python/README.md');
    assert.ok(programs.length >= 3);
    for (const program of programs) {
      assert.ok(read(program).trimEnd().split('\n').length < 80, program);
      assert.ok(page.includes(program.split('/').at(-1) ?? ''), `${program} is not on its page`);
    }
  });

  it('in Java speak by the same versions of the same libraries as A.M.I.C.A.', () => {
    const versions = [
      ...read('interop/java/pom.xml').matchAll(/<artifactId>([^<]+)<\/artifactId>\s*<version>([^<]+)</g),
    ];
    assert.deepEqual(
      versions.map(([, ...found]) => found.join(' ')).filter((found) => /hivemq|valkey/.test(found)),
      ['hivemq-mqtt-client 1.3.7', 'valkey-java 5.3.0'],
    );
  });
});
