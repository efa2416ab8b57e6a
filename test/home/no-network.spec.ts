/** A home needs nothing but this computer: neither the rules nor a model that runs here ask anybody else. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { startFakeOpenAi, type FakeRequest } from '../fake-openai.ts';
import { root } from '../structure/sources.ts';
import { startHome } from './home-process.ts';
import { connectPerson } from './person.ts';

const run = promisify(execFile);
const preload = pathToFileURL(path.join(root, 'test', 'home', 'outward.ts')).href;
const sentence = 'turn the kitchen light on';
const isPlan = (request: FakeRequest) => request.tools.some((tool) => tool.name === 'make_plan');

describe('a home without a network', function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'folkmoot-outward-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  const watched = (name: string) => {
    const log = path.join(folder, name);
    const env = { NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${preload}`, OUTWARD_LOG: log };
    return { env, said: () => readFile(log, 'utf8').catch(() => '') };
  };
  /** Starts, does what it is told, and ends; gives what it said to other computers. */
  const lives = async (name: string, more: Readonly<Record<string, string>>) => {
    const { env, said } = watched(name);
    const home = await startHome({ env: { ...env, ...more } });
    const person = await connectPerson(home.ready.mqtt);
    try {
      assert.match((await person.say(sentence)).text, /Kitchen light on\./);
      assert.deepEqual(person.commands(), [{ topic: 'zigbee2mqtt/kitchen_light/set', payload: { state: 'ON' } }]);
    } finally {
      await person.close();
      await home.stop();
    }
    return said();
  };

  it('is watched by what sees every connection to another computer', async () => {
    const { env, said } = watched('proof');
    const code = `require('net').connect(9, '192.0.2.1').on('error', () => 0).destroy();
      fetch('http://folkmoot.invalid/').catch(() => 0);
      require('net').connect({ port: 9, host: '127.0.0.1' }).on('error', () => 0);`;
    await run(process.execPath, ['-e', code], { env: { ...process.env, ...env } });
    assert.match(await said(), /^connects to 192\.0\.2\.1\n(?=[^]*folkmoot\.invalid)(?![^]*127)/);
  });

  it('does what people ask, by rules and by a model on this computer (row 43)', async () => {
    const server = await startFakeOpenAi({
      answer: (request) =>
        isPlan(request)
          ? { calls: [{ name: 'make_plan', args: { message: '', steps: [{ agent: 'lights', prompt: sentence }] } }] }
          : { calls: [{ name: 'SetLight', args: { room: 'kitchen', state: 'on' } }] },
    });
    try {
      const model = { FOLKMOOT_MODEL: `openai-compatible:${server.url}#small` };
      assert.deepEqual(await Promise.all([lives('rules', {}), lives('model', model)]), ['', '']);
      assert.ok(server.requests.some(isPlan) && !server.requests.every(isPlan));
    } finally {
      await server.close();
    }
  });
});
