import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Verdict } from '../../engine/moot.ts';
import type { HomeProcess } from './home-process.ts';
import type { Person, RunEvent } from './person.ts';
import { sharedHome } from './shared-home.ts';

describe('the debate about the heating', function () {
  this.timeout(90_000);
  let home: HomeProcess;
  let person: Person;
  before(async () => {
    ({ home, person } = await sharedHome());
    person.commands();
  });

  /** Presses a button of the tab and gives how the debate ended. */
  async function press(button: string): Promise<{ outcome: string; payload: string; verdict?: Verdict }> {
    const before = person.runEvents().length;
    const ended = (): RunEvent | undefined =>
      person
        .runEvents()
        .slice(before)
        .find(({ kind }) => kind === 'ended');
    const pressed = await fetch(`${home.ready.editor}/inject/${button}`, { method: 'POST' });
    assert.equal(pressed.status, 200);
    for (const end = Date.now() + 10_000; Date.now() < end && !ended();) await pause(20);
    return ended()?.data as { outcome: string; payload: string };
  }

  it('heats when it is cold, leaves it when it is warm, and does nothing when both weigh the same', async () => {
    const cold = await press('homeinject000021');
    assert.equal(cold.outcome, 'done');
    assert.match(cold.payload, /^Heat the living room to 21 degrees\. It is cold\.\nNot of that mind:\nThrift: /);
    await person.untilCommands(1, 10_000);
    assert.deepEqual(person.commands(), [
      { topic: 'zigbee2mqtt/living_room_climate/set', payload: { occupied_heating_setpoint: 21 } },
    ]);
    const warm = await press('homeinject000022');
    assert.deepEqual(
      [warm.outcome, warm.payload.split('\n')[0]],
      ['done', 'Leave the heating as it is. It is warm enough.'],
    );
    const neither = await press('homeinject000023');
    assert.equal(neither.outcome, 'undecided');
    await person.quiet();
    assert.deepEqual(person.commands(), []);
  });
});
