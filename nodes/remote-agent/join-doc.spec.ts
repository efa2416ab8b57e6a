/** What docs/join.md tells is what a house takes: its JSON, and its program, which is run as it stands there. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readOur, type OurKind } from '../../engine/bus/our-message.ts';
import { load, nextAt } from '../../test/red/red.ts';
import { isThere, modules, remote, say, southern, statusOf, twoHouses } from '../../test/red/remote-flow.ts';
import { called } from '../../test/red/team-flow.ts';
import { until } from '../../test/red/red.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(`${root}docs/join.md`, 'utf8');

describe('joining a house', function () {
  this.timeout(20_000);
  const { flow, broker } = twoHouses();

  it('works with the JSON that the page shows', () => {
    const shown = [...page.matchAll(/```json (\w+)\n([^]*?)```/g)];
    assert.deepEqual(
      shown.map(([, kind]) => kind),
      ['card', 'ask', 'answer', 'tool', 'toolCall', 'presence'],
    );
    for (const [, kind, text = ''] of shown) {
      const reading = readOur(kind as OurKind, { payload: Buffer.from(text) });
      assert.ok('body' in reading, `${kind}: ${JSON.stringify(reading)}`);
    }
  });

  it('works with the program that the page shows, and is noticed when it is killed', async () => {
    const [, program = ''] = /```js\n([^]*?)```/.exec(page) ?? [];
    const env = { ...process.env, BROKER: broker().url };
    const child = spawn(process.execPath, ['--input-type=module', '-'], {
      cwd: root,
      env,
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    child.stdin.end(program);
    try {
      await load(modules, flow([southern(), remote({ remoteId: 'greenhouse' })]));
      await isThere();
      const result = nextAt('result');
      say('turn the kitchen light on');
      const { payload, moot } = await result;
      assert.deepEqual(called(moot), [['SetLight', { room: 'kitchen', state: 'on' }]]);
      assert.match(String(payload), /Light for the kitchen|Done/);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await until(() => statusOf('remote') === 'disconnected');
  });
});
