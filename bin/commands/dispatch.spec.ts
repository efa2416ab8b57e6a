import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { callFolkmoot } from '../../test/command-line.ts';
import { readJson, root } from '../../test/structure/sources.ts';
import { brokerAddress } from './addresses.ts';

const run = promisify(execFile);

describe('the command line', () => {
  it('lists its commands, with exit code 2 when none is named and 0 when they are asked for', async () => {
    const bare = await callFolkmoot([]);
    const help = await callFolkmoot(['--help']);
    assert.deepEqual([bare.code, bare.out, help.code, help.err], [2, '', 0, '']);
    assert.equal(bare.err, help.out);
    assert.match(help.out, /^ {2}chat {5}talk to the house$/m);
  });

  it('gives the help of each command, all options of which fit into a terminal', async () => {
    const { out } = await callFolkmoot(['help']);
    const names = [...out.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name);
    assert.ok(names.includes('chat'));
    for (const name of names) {
      const [one, two] = [await callFolkmoot([name, '--help']), await callFolkmoot(['help', name])];
      assert.deepEqual([one.code, one.err, two.out], [0, '', one.out], name);
      assert.match(one.out, new RegExp(`^folkmoot ${name}`));
      assert.deepEqual(
        one.out.split('\n').filter((line) => line.length > 100),
        [],
        name,
      );
    }
  });

  it('says what is wrong with the words it was given, with exit code 2', async () => {
    for (const [words, expected] of [
      [['dance'], /^"dance" is not known here/],
      [['toString'], /^"toString" is not known here/],
      [['chat', '--colour'], /^Unknown option '--colour'\. "folkmoot chat --help" shows/],
      [['chat', 'hello'], /^Unexpected argument 'hello'\./],
      [['chat', '--broker', 'here'], /^--broker is an address such as mqtt:\/\/127/],
      [['chat', '--timeout', '-1'], /^--timeout has no value\. One that begins with a dash is written --timeout=-…\./],
      [
        ['acl', '--topic', 'a/#/b'],
        /^--topic "a\/#\/b" can not be used\. .*# for the last one\. "folkmoot acl --help"/,
      ],
      [['acl', '--home', 'people'], /^--home: "people" is another user of the list\./],
      [['acl', '--out', ''], /^--out names a folder\./],
      [['acl', '--topic', ''], /^--topic "" can not be used\. The pattern is empty\./],
      [['acl', '--topic', 'a\nuser x'], /^--topic "a\\nuser x" can not be used\. A topic has no line breaks/],
      [['chat', '--timeout', 'long'], /^--timeout is a number of seconds from 1 to 86400, not "long"\./],
    ] as const) {
      const { code, out, err } = await callFolkmoot(words);
      assert.deepEqual([code, out], [2, ''], words.join(' '));
      assert.match(err, expected);
      assert.doesNotMatch(err, /\n {4}at /);
    }
  });

  it('tells no one who calls a command to open a node', async () => {
    const words = ['chat', '--broker', 'mqtts://127.0.0.1:1', '--ca', '/nowhere/ca.pem'];
    const { code, err } = await callFolkmoot(words);
    assert.deepEqual(
      [code, err],
      [1, 'The certificate file "/nowhere/ca.pem" can not be read. Correct that and call the command again.\n'],
    );
  });

  it('tells its version, as a program too', async () => {
    const { version } = readJson('package.json') as { version: string };
    assert.equal((await callFolkmoot(['--version'])).out, `${version}\n`);
    const program = path.join(root, 'bin', 'folkmoot.ts');
    const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', program, '--version']);
    assert.equal(stdout, `${version}\n`);
  });
});

describe('the broker that a command speaks to', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'folkmoot-where-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const ready = (pid: number) =>
    writeFile(path.join(folder, 'ready.json'), JSON.stringify({ v: 1, pid, mqtt: 'mqtt://127.0.0.1:4711' }));

  it('is the one named, else the running home’s, else the environment’s, else the usual one', async () => {
    const env = { FOLKMOOT_HOME: folder, FOLKMOOT_MQTT_URL: 'mqtt://10.0.0.1:1' };
    assert.equal(await brokerAddress('mqtt://10.0.0.2:2', env), 'mqtt://10.0.0.2:2');
    assert.equal(await brokerAddress(undefined, env), 'mqtt://10.0.0.1:1');
    assert.equal(await brokerAddress(undefined, { FOLKMOOT_HOME: folder }), 'mqtt://127.0.0.1:1883');
    await ready(process.pid);
    assert.equal(await brokerAddress(undefined, env), 'mqtt://127.0.0.1:4711');
    // Of a process that is gone.
    await ready(2 ** 22 + 1);
    assert.equal(await brokerAddress(undefined, env), 'mqtt://10.0.0.1:1');
  });

  it('keeps user and password of the environment, which ready.json leaves out', async () => {
    await ready(process.pid);
    const env = { FOLKMOOT_HOME: folder, FOLKMOOT_MQTT_URL: 'mqtt://ana:secret@127.0.0.1:4711' };
    assert.equal(await brokerAddress(undefined, env), 'mqtt://ana:secret@127.0.0.1:4711');
  });
});
