import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import mqtt from 'mqtt';
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
});
