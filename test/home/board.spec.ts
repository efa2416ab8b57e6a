import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import mqtt from 'mqtt';
import { runFolkmoot } from '../command-line.ts';
import type { Person } from './person.ts';
import type { HomeProcess } from './home-process.ts';
import { sharedHome } from './shared-home.ts';

describe('the board of the starter home', function () {
  this.timeout(90_000);
  let home: HomeProcess;
  let person: Person;
  before(async () => {
    ({ home, person } = await sharedHome());
  });

  it('keeps what the team proposed, with what follows from it, and tells it to whoever watches', async () => {
    const conversation = randomUUID();
    const watcher = await mqtt.connectAsync(home.ready.mqtt, { protocolVersion: 5 });
    try {
      const kept: string[] = [];
      watcher.on('message', (_topic, body) => kept.push(body.toString()));
      await watcher.subscribeAsync(`folkmoot/v1/boards/${conversation}/changes`, { qos: 1 });
      await person.say('mow the back lawn and get rid of the cut grass', { conversation });
      const names = ['MowLawn', 'ProduceCutGrass', 'CollectWaste'];
      const isAll = (): boolean => names.every((name) => kept.some((body) => body.includes(`"${name}"`)));
      for (const end = Date.now() + 10_000; Date.now() < end && !isAll();) await pause(20);
      assert.ok(isAll(), kept.join('\n'));
    } finally {
      await watcher.endAsync(true);
      person.commands();
    }
  });

  it('is shown, saved, emptied and loaded in the chat, which lists the team, too', async () => {
    const boards = path.join(home.folder, 'boards');
    const lines = ['mow the front lawn', 'td', 'dump', 'save', 'lawn', 'clear', 'dump', 'load', 'lawn', 'show', 'lag'];
    const { code, out, err } = await runFolkmoot(['chat', '--wait', '0.1', '--user', 'bo', '--boards', boards], {
      input: `${lines.join('\n')}\n`,
      env: { FOLKMOOT_HOME: home.folder },
    });
    await person.fence();
    person.commands();
    assert.deepEqual([code, err], [0, '']);
    const board = 'lawn-mower: MowLawn {"area":"front"}\nlawn-mower: ProduceCutGrass {"area":"front"}\n';
    const [, saved = '', loaded = ''] = out.split(board);
    assert.match(saved, /^Which file .*\nSaved as lawn\.function_call\.json\.\n.* empty now\.\n.* is empty\.\n/);
    assert.match(saved, /\nlawn\.function_call\.json is on the board: 2 commands\.\n$/);
    assert.match(loaded, /^Lawn Mower \(hard-coded\): Mows the front lawn and the back lawn\.$/m);
    const text = await readFile(path.join(boards, 'lawn.function_call.json'), 'utf8');
    const file = JSON.parse(text) as { blackboard: { internal_previously_generated_functions: object[] } };
    assert.deepEqual(file.blackboard.internal_previously_generated_functions[0], {
      ...{ agent_name: 'lawn-mower', function_name: 'MowLawn', parameters: { area: 'front' } },
    });
  });
});
