import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { HomeProcess } from './home-process.ts';
import type { Person, RunEvent } from './person.ts';
import { sharedHome } from './shared-home.ts';
import { assertPlain } from './words.ts';

/** What arrives in the first seconds after the start is overheard only (sense's setting). */
const overheardMs = 2_500;
/** How long the power has to stay down in the starter flow. */
const holdsMs = 20_000;

interface PlanSeen {
  readonly message: string;
  readonly steps: readonly { readonly agent: string }[];
}

describe('the home acts by itself', function () {
  this.timeout(90_000);
  let home: HomeProcess;
  let person: Person;
  let runEventsBefore = 0;
  /** Words of runs that are none of a sensor: requests of this spec, and what follows a conversation. */
  const quiet = new Set(['a conversation has ended']);
  before(async () => {
    ({ home, person } = await sharedHome());
    await pause(Math.max(0, Date.parse(home.ready.since) + overheardMs - Date.now()));
    person.commands();
    runEventsBefore = person.runEvents().length;
  });
  const hall = (occupancy: boolean, illuminance: number) =>
    person.publish('zigbee2mqtt/hall_motion', { occupancy, illuminance });
  const power = (watts: number) => person.publish('zigbee2mqtt/washing_machine_plug', { power: watts });
  const messages = () => person.peek().filter((command) => command.topic === 'home/message/set');

  /** Runs that began since then, each with its events. */
  const runsSince = (count: number): RunEvent[][] => {
    const runs = [...Map.groupBy(person.runEvents().slice(count), (event) => event.run).values()];
    return runs.filter(([first]) => !quiet.has(String((first?.data as { text?: string } | null)?.text)));
  };

  /** One run like any request: it begins, has a plan with one step, asks one agent, and ends once, as done. */
  async function assertRun(since: number, agent: string): Promise<void> {
    const isOver = () => runsSince(since).some((events) => events.some(({ kind }) => kind === 'ended'));
    for (const end = Date.now() + 5_000; Date.now() < end && !isOver();) await pause(20);
    const runs = runsSince(since);
    assert.equal(runs.length, 1, JSON.stringify(runs));
    const events = runs[0] ?? [];
    const kinds = events.map(({ kind }) => kind);
    for (const kind of ['started', 'plan', 'ended']) {
      assert.equal(kinds.filter((one) => one === kind).length, 1, `${kind}: ${kinds.join()}`);
    }
    assert.deepEqual([kinds[0], kinds.at(-1)], ['started', 'ended']);
    const { message, steps } = events.find(({ kind }) => kind === 'plan')?.data as PlanSeen;
    assert.deepEqual(
      steps.map((step) => step.agent),
      [agent],
    );
    const states = events.filter(({ kind }) => kind === 'step').map(({ data }) => (data as { state: string }).state);
    assert.deepEqual(states, ['running', 'answered']);
    assert.equal((events.at(-1)?.data as { outcome: string }).outcome, 'done');
    assertPlain(message);
  }

  it('tells people once when the washing machine has finished, and lights a dark hall once, never by day', async () => {
    await power(450);
    await power(2);
    const stopped = Date.now();
    await hall(true, 600);
    await hall(false, 600);
    quiet.add(await person.quiet());
    assert.deepEqual(person.peek(), [], 'nothing by day');
    assert.deepEqual(runsSince(runEventsBefore), [], 'not even a run by day');

    await hall(true, 12);
    await person.untilCommands(1, 5_000);
    await hall(true, 12);
    await hall(true, 11);
    await person.quiet();
    assert.deepEqual(person.commands(), [{ topic: 'zigbee2mqtt/hall_light/set', payload: { state: 'ON' } }]);
    await assertRun(runEventsBefore, 'lights');
    const eventsBefore = person.runEvents().length;
    await power(1.8);
    assert.deepEqual(messages(), [], 'not before it has been down for a while');

    await person.untilCommands(1, holdsMs + 5_000 - (Date.now() - stopped));
    assert.ok(Date.now() - stopped >= holdsMs - 500);
    await power(2.1);
    await person.quiet();
    const told = person.commands();
    assert.equal(told.length, 1);
    assert.equal(told[0]?.topic, 'home/message/set');
    const words = String((told[0]?.payload as { text?: string }).text);
    assert.match(words, /washing machine has finished/i);
    assertPlain(words);
    await assertRun(eventsBefore, 'messenger');
  });

  it('has buttons that stand for sensors', async () => {
    const heard = (device: string) => person.state(`zigbee2mqtt/${device}`);
    for (const button of ['simbutton0000004', 'simbutton0000006']) {
      await fetch(`${home.ready.editor}/inject/${button}`, { method: 'POST' });
    }
    const isSo = (): boolean =>
      JSON.stringify([heard('front_door'), heard('washing_machine_plug')]) === '[{"contact":false},{"power":450}]';
    const end = Date.now() + 10_000;
    while (Date.now() < end && !isSo()) await pause(20);
    assert.deepEqual(heard('front_door'), { contact: false });
    assert.deepEqual(heard('washing_machine_plug'), { power: 450 });
  });

  it('does nothing when a person types the report of a sensor', async () => {
    for (const report of ['it is dark and somebody is in the hall', 'the washing machine has finished']) {
      assertPlain((await person.say(report)).text, report);
    }
    assert.deepEqual(person.commands(), []);
  });
});
