/** A plan that waits for a person, in homes that are killed: before the answer, and while it is carried out. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { newFolder, startHome, type HomeProcess } from '../home/home-process.ts';
import { connectPerson, type Person } from '../home/person.ts';
import { startMosquitto } from '../mosquitto.ts';
import { randomFrom, seed } from '../red/tier.ts';

const repliesMs = 30_000;
const kills = 12;

/** A folder whose home shows the plan and the commands first. */
async function askingHome(env: Readonly<Record<string, string>>): Promise<string> {
  const folder = await newFolder();
  const home = await startHome({ folder, env });
  await home.stop();
  const file = path.join(folder, 'node-red', 'flows.json');
  const flow = JSON.parse(await readFile(file, 'utf8')) as { type: string }[];
  const asking = flow.map((node) => (node.type === 'folkmoot-router' ? { ...node, approve: 'both' } : node));
  await writeFile(file, JSON.stringify(asking));
  return folder;
}

describe('a plan that waits in a home that is killed', function () {
  this.timeout(600_000);
  let folder: string;
  let broker: Awaited<ReturnType<typeof startMosquitto>>;
  let person: Person;
  let home: HomeProcess;
  let env: Record<string, string>;

  before(async () => {
    broker = await startMosquitto();
    env = { FOLKMOOT_MQTT_URL: broker.url };
    folder = await askingHome(env);
    person = await connectPerson(broker.url);
    home = await startHome({ folder, env });
  });
  after(async () => {
    await person?.close();
    await home?.stop();
    await broker?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const killed = async () => {
    await home.stop('SIGKILL');
    home = await startHome({ folder, env });
  };

  it('is there after each power cut, stage by stage, and is carried out once', async () => {
    const talk = { conversation: randomUUID(), user: 'anna' };
    const plan = await person.say('turn the kitchen light on and tell everyone that tea is ready', talk);
    assert.match(plan.text, /^This is what I would do:\n1\. .*\n2\. .*\nShall I\?$/);
    await killed();
    const commands = await person.say('yes', talk);
    assert.match(commands.text, /^This would be done:\n1\. Kitchen light on\.\n2\. .*\nShall I\?$/);
    await killed();
    await person.fence();
    assert.deepEqual(person.commands(), []);
    await person.say('yes', talk);
    await person.fence();
    assert.equal(person.commands().length, 2);
    await killed();
    await person.say('yes', talk);
    await person.fence();
    assert.deepEqual(person.commands(), [], 'a second yes does nothing');
  });

  it('is carried out once, and answered once, when the home is killed in the middle of a yes', async () => {
    const random = randomFrom(seed());
    const figures = { done: 0, interrupted: 0, unknown: 0, doneAgain: 0 };
    for (let n = 1; n <= kills; n += 1) {
      const talk = { conversation: randomUUID(), user: `user-${n}` };
      await person.say(`tell everyone that parcel ${n} is at the door`, talk);
      await person.say('yes', talk);
      const id = randomUUID();
      await person.ask('yes', { id, ...talk });
      await pause(Math.floor(random() * 60));
      await killed();
      const complete = () => person.parts(id).filter((part) => part.isComplete);
      const end = Date.now() + repliesMs;
      while (Date.now() < end && complete().length === 0) await pause(20);
      assert.equal(complete().length, 1, `${n}: ${JSON.stringify(person.parts(id))}`);
      await person.fence();
      const said = complete()[0]?.message ?? '';
      const isInterrupted = said.includes('interrupted');
      // Telling somebody is not repeatable: what was sent and not confirmed is never sent again, and people are told so.
      const isUnknown = said.startsWith('It is not known whether this was done');
      const sent = person.commands().length;
      // A second yes does what is left: nothing twice, and nothing never.
      await person.say('yes', talk);
      await person.fence();
      const again = person.commands().length;
      assert.ok(sent + again === 1 || (isUnknown && sent + again === 0), `${n}: ${sent} and ${again}: ${said}`);
      if (!isInterrupted && !isUnknown) assert.equal(sent, 1, `${n}: ${said}`);
      figures.done += sent;
      figures.doneAgain += again;
      figures.unknown += Number(isUnknown);
      figures.interrupted += Number(isInterrupted);
    }
    console.log(`      ${kills} kills in a yes: ${JSON.stringify(figures)}`);
  });
});
