/** What the programs of `interop/` say when they are called wrongly, and where a server is away or refuses them. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { passwordLine } from '../../engine/people/broker-access.ts';
import type { TestBroker } from '../broker.ts';
import { freePort } from '../free-port.ts';
import { startMosquitto } from '../mosquitto.ts';
import { preparePrograms, type Failed, type Programs } from './programs.ts';

describe('programs in other languages, called wrongly', function () {
  this.timeout(300_000);
  let folder: string;
  let broker: TestBroker;
  let programs: Programs;
  let nowhere: number;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'folkmoot-mistakes-'));
    const passwords = path.join(folder, 'passwords');
    await writeFile(passwords, `${passwordLine('ana', 'secret')}\n`);
    const acl = ['user ana', 'topic read #'];
    broker = await startMosquitto({ isAnonymous: false, acl, lines: [`password_file ${passwords}`] });
    programs = await preparePrograms({});
    nowhere = await freePort();
  });
  after(async () => {
    await programs.close();
    await broker.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const python = [
    ['amica.py', 'ask', 'hello'],
    ['amica.py', 'answer', 'hello'],
    ['agent.py', 'coffee-corner'],
  ] as const;
  const java = [
    ['ask', 'hello'],
    ['answer', 'hello'],
    ['agent', 'aquarium'],
  ] as const;
  const all = (BROKER: string): Promise<readonly Failed[]> =>
    Promise.all([
      ...python.map((words) => programs.failPython(words, { BROKER })),
      ...java.map((words) => programs.failJava(words, { BROKER })),
    ]);
  const says = (failed: readonly Failed[], expected: RegExp) => {
    for (const { code, stderr } of failed) {
      assert.equal(code, 1, stderr);
      assert.match(stderr, expected);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
    }
  };

  it('tell how they are called, with exit code 2', async () => {
    for (const words of [
      ['amica.py'],
      ['amica.py', 'ask'],
      ['amica.py', 'dance', 'x'],
      ['agent.py'],
      ['townhall.py'],
    ]) {
      const { code, stderr } = await programs.failPython(words);
      assert.deepEqual([code, /python [a-z]+\.py/.test(stderr), stderr.includes('Traceback')], [2, true, false]);
    }
    for (const words of [[], ['ask'], ['dance', 'x']]) {
      const { code, stderr } = await programs.failJava(words);
      assert.deepEqual([code, /^ask SENTENCE/.test(stderr)], [2, true]);
    }
  });

  it('say in one line that an address is none, or nobody answers there', async () => {
    says(await all('nonsense'), /^BROKER is an address such as mqtt:/);
    says(await all(`mqtt://127.0.0.1:${nowhere}`), /^No broker answers at .*Connection refused/);
    const VALKEY = `redis://127.0.0.1:${nowhere}`;
    const without = [
      programs.failPython(['townhall.py', 'V'], { VALKEY }),
      programs.failJava(['rows', 'c'], { VALKEY }),
    ];
    says(await Promise.all(without), /^It does not go on: /);
  });

  it('say in one line that a broker does not let them in, or refuses what they ask', async () => {
    const refusal = /^The broker refuses the connection: not.authorized\.$/im;
    says(await all(broker.url), refusal);
    says(await all(broker.url.replace('//', '//ana:wrong@')), refusal);
    const BROKER = broker.url.replace('//', '//ana:secret@');
    says([await programs.failPython(python[0], { BROKER })], /^The broker refuses the request: Not authorized\.$/m);
    says([await programs.failJava(java[0], { BROKER })], /^The broker refuses it: /);
    // An agent whose card is refused would listen to nobody for ever.
    says(
      [await programs.failPython(python[2], { BROKER })],
      /^The broker refuses our first message: Not authorized\.$/m,
    );
    says([await programs.failJava(java[2], { BROKER })], /^The broker refuses our card: /);
  });
});
