import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startHome, type HomeProcess } from '../home/home-process.ts';
import { root } from '../structure/sources.ts';
import { installPython } from './programs.ts';

const run = promisify(execFile);
const classes = 'es.nachobrito.amica.domain.model.message.payload';

interface Heard {
  readonly parts: readonly { type: string; message: string; isComplete: boolean; sequenceNumber: { value: number } }[];
  readonly commands: readonly { topic: string; payload: object }[];
  readonly ended: string | false;
}

describe('a Python program with paho-mqtt', function () {
  this.timeout(180_000);
  let folder: string;
  let home: HomeProcess | undefined;

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'folkmoot-python-'));
    await installPython(folder);
    home = await startHome();
  });
  after(async () => {
    await home?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function ask(sentence: string): Promise<Heard> {
    const { hostname, port } = new URL(home?.ready.mqtt ?? '');
    const script = path.join(root, 'test', 'peers', 'ask.py');
    const env = { ...process.env, PYTHONPATH: folder };
    const { stdout } = await run('python3', [script, hostname, port, sentence], { env, timeout: 30_000 });
    return JSON.parse(stdout) as Heard;
  }

  it('asks the starter home and reads the commands, one complete reply and the end', async () => {
    const { parts, commands, ended } = await ask('turn the kitchen light on at 40 % and mow the front lawn');
    assert.deepEqual(commands, [
      { topic: 'zigbee2mqtt/kitchen_light/set', payload: { state: 'ON', brightness: 102 } },
      { topic: 'home/lawn_mower/set', payload: { area: 'front' } },
    ]);
    assert.deepEqual(
      parts.filter((part) => part.isComplete),
      parts.slice(-1),
    );
    assert.deepEqual(
      parts.map((part) => part.sequenceNumber.value),
      parts.map((_, index) => index + 1),
    );
    assert.match(parts.at(-1)?.message ?? '', /kitchen light on at 40 %.*front lawn/is);
    assert.ok(parts.every((part) => part.type === `${classes}.AgentResponse`));
    assert.equal(ended, `${classes}.ConversationEnded`);
  });

  it('gets words for a sentence that holds signs of other scripts', async () => {
    const { parts, commands } = await ask('turn on the light, s’il vous plaît 💡');
    assert.deepEqual(commands, []);
    assert.ok(parts.at(-1)?.message);
  });
});
