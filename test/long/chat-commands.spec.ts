/** The chat in a real terminal with a home that asks first: three stages with a person, boards as files, the team. */
import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectPerson, type Person } from '../home/person.ts';
import { startHomeWith, type HomeProcess } from '../home/home-process.ts';
import { openChat, type Terminal } from '../terminal.ts';

const shipped = fileURLToPath(new URL('../../flows/home.json', import.meta.url));
const pool = {
  v: 1,
  name: 'Pool Keeper',
  description: 'Keeps the pool clean',
  generates: ['MowLawn'],
  topics: ['pool'],
};

describe('the chat with a home that asks first', function () {
  this.timeout(120_000);
  let home: HomeProcess;
  let person: Person;
  let chat: Terminal;
  let boards: string;
  const agents = () => path.join(home.folder, 'node-red', 'agents');
  before(async () => {
    const flow = JSON.parse(await readFile(shipped, 'utf8')) as { type: string }[];
    const asking = { approve: 'plan', agentsFolder: 'agents' };
    home = await startHomeWith(
      flow.map((node) => (node.type === 'folkmoot-router' ? { ...node, ...asking } : node)),
      {},
    );
    await mkdir(agents());
    person = await connectPerson(home.ready.mqtt);
    boards = path.join(home.folder, 'boards');
    chat = await openChat(['--user', 'ana', '--boards', boards], { env: { FOLKMOOT_HOME: home.folder }, rows: 60 });
    await chat.until(/^>$/m);
  });
  after(async () => {
    await chat?.close();
    await person?.close();
    await home?.stop();
    if (home) await rm(home.folder, { recursive: true, force: true });
  });
  /** Types a line; waits for what comes below it, which ends in the prompt. */
  const say = async (line: string, shown: RegExp): Promise<string> => {
    await chat.type('-l', line);
    await chat.type('Enter');
    const heading = `> ${line}\n`;
    const below = (screen: string) => screen.slice(screen.lastIndexOf(heading) + heading.length);
    return below(
      await chat.until((screen) => screen.includes(heading) && shown.test(below(screen)) && />$/.test(screen)),
    );
  };
  const sent = async () => {
    await person.fence();
    return person.commands().map(({ topic }) => topic);
  };

  it('shows a plan and what may be said; a yes with approval shows the commands, which may be changed', async () => {
    const plan = await say('turn the kitchen light on and mow the front lawn', /start over\)/);
    assert.match(
      plan,
      /^This is what I would do:\n1\. .*\n2\. .*\nShall I\?\n---\n\(yes · yes, with approval · no, and what/,
    );
    assert.match(await say('yes, with approval', /start over\)/), /^This would be done:\n1\. Kitchen light on\.\n2\. /);
    assert.match(await say('change the plan', /---/), /^What should be different\?/);
    const changed = await say('leave the lawn', /start over\)/);
    assert.match(changed, /^This is what I would do: turn the kitchen light on\.\nShall I\?/);
    // Once with approval, always: the new plan's commands are shown, too.
    assert.match(await say('yes', /start over\)/), /^This would be done: Kitchen light on\.\nShall I\?/);
    assert.deepEqual(await sent(), [], 'nothing was done so far');
    assert.match(await say('yes', /---/), /^Kitchen light on\.\n---/);
    assert.equal((await sent()).length, 1);
  });

  it('starts over, and takes a short no', async () => {
    await say('open the bedroom blind', /start over\)/);
    assert.match(await say('start over', /---/), /^All right, we start over\./);
    await say('close the bedroom blind', /start over\)/);
    assert.match(await say('no', /---/), /^All right, I did nothing\./);
    assert.deepEqual(await sent(), []);
  });

  it('saves the board as a file, empties it, and loads it again', async () => {
    assert.match(await say('help', /toggle-debug, td/), /^Say what you want/);
    await say('td', /are on/);
    await say('turn the kitchen light on', /start over\)/);
    await say('yes', /Kitchen light on[^]*---/);
    const full = await say('dump', /SetLight/);
    await say('save', /Which file/);
    await say('evening', /Saved as evening\.function_call\.json\./);
    await say('clear', /is empty now/);
    await say('show', /The board is empty\./);
    await say('load', /Which file/);
    await say('evening', /is on the board: \d+ command/);
    assert.equal(await say('dump', /SetLight/), full);
    const file = JSON.parse(await readFile(path.join(boards, 'evening.function_call.json'), 'utf8')) as {
      blackboard: { internal_previously_generated_functions: readonly { function_name: string }[] };
    };
    assert.ok(file.blackboard.internal_previously_generated_functions.some((one) => one.function_name === 'SetLight'));
    await sent();
  });

  it('lists the team, and reads the folder of agents again', async () => {
    const team = await say('list-agents', /Lawn Mower \(hard-coded\)/);
    assert.doesNotMatch(team, /Pool Keeper/);
    await writeFile(path.join(agents(), 'pool.agent.json'), JSON.stringify(pool));
    await writeFile(path.join(agents(), 'broken.agent.json'), '{');
    const again = await say('rag', /Pool Keeper \(custom\)[^]*broken\.agent\.json: /);
    assert.match(again, /Lawn Mower \(hard-coded\)/);
  });

  it('ends at "bye"', async () => {
    await chat.type('bye', 'Enter');
    await chat.ended();
  });
});
