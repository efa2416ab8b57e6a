/** Questions are answered from live states and from the machine itself, over A.M.I.C.A., without a model. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { loadavg, uptime } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../engine/clock.ts';
import { createConversations } from '../../engine/conversation/conversation.ts';
import { createEmbeddedStore } from '../../engine/store/embedded.ts';
import { newFolder, startHome, type HomeProcess } from './home-process.ts';
import { connectPerson, type Person } from './person.ts';
import { sharedHome } from './shared-home.ts';

describe('questions to the house', function () {
  this.timeout(120_000);
  let home: HomeProcess;
  let person: Person;
  before(async () => {
    ({ home, person } = await sharedHome());
    person.commands();
  });
  afterEach(() => assert.deepEqual(person.commands(), [], 'a question moved something'));

  /** Names and arguments of all tools that were asked in a conversation, as the home keeps it. */
  async function toolsAsked(conversation: string): Promise<unknown[]> {
    const store = createEmbeddedStore({ path: path.join(home.folder, 'node-red', 'folkmoot') });
    try {
      const rows = await createConversations(store, systemClock).readLast(conversation, 50);
      return rows
        .filter(({ messageType }) => messageType === 'AGENT_MESSAGE')
        .flatMap(({ executionRequests = [] }) => executionRequests)
        .map(({ toolName, toolArguments }) => [toolName, JSON.parse(toolArguments ?? '{}') as unknown]);
    } finally {
      await store.close();
    }
  }

  const says = async (text: string): Promise<string> => (await person.say(text)).text;

  /** A state needs a moment to be kept, and the simulated home tells its own; told again until it is heard. */
  async function untilSaid(question: string, expected: RegExp, tell: () => Promise<void>): Promise<void> {
    let text = '';
    for (let tries = 0; tries < 20; tries += 1) {
      await tell();
      text = await says(question);
      if (expected.test(text)) return;
      await pause(100);
    }
    assert.match(text, expected);
  }

  it('tell the front door as it is now', async () => {
    for (const [contact, state] of [
      [true, 'closed'],
      [false, 'open'],
    ] as const)
      await untilSaid('is the front door closed?', new RegExp(`^The front door is ${state}\\.$`), () =>
        person.publish('zigbee2mqtt/front_door', { contact }),
      );
  });

  it('tell the temperature of the room that is meant, and ask which', async () => {
    await untilSaid(
      'how warm is the bedroom?',
      /^The temperature of the bedroom is 17\.5 °C, told (just now|\d+ seconds? ago)\.$/,
      () => person.publish('zigbee2mqtt/bedroom_climate', { local_temperature: 17.5 }),
    );
    assert.match(
      await says('what is the temperature in the lounge?'),
      /^The temperature of the living room is .+ °C, told .+\.$/,
    );
    assert.match(await says('how warm is the room?'), /which room/i);
  });

  it('tell of this machine', async () => {
    const logins = execFileSync('who', { encoding: 'utf8' }).split('\n').filter(Boolean).length;
    const users = await says('how many users are logged into this system?');
    assert.match(
      users,
      logins === 0 ? /^Nobody is logged in/ : logins === 1 ? /^One user/ : new RegExp(`^${logins} users`),
    );
    const days = Math.floor(uptime() / 86_400);
    const expected = days === 0 ? /less than a day/ : days === 1 ? /one day/ : new RegExp(`${days} days`);
    assert.match(await says('how long has this computer been running?'), expected);
    const [load = 0] = loadavg().slice(2);
    const said = Number(/([\d.]+) over 15 minutes/.exec(await says('what is the load of this system?'))?.[1]);
    assert.ok(Math.abs(said - load) < 0.5, `${said} is not about ${load}`);
    assert.match(await says('show me the top 2 processes'), /MB\).*MB\)\.$/);
  });

  it('tell the load over five minutes by one tool alone', async () => {
    const conversation = randomUUID();
    const { text } = await person.say('what was the load over the last five minutes?', { conversation });
    const said = Number(/^The load of this system is ([\d.]+) over the last 5 minutes\.$/.exec(text)?.[1]);
    assert.ok(Math.abs(said - (loadavg()[1] ?? 0)) < 0.5, text);
    assert.deepEqual(await toolsAsked(conversation), [['SystemLoad', { minutes: '5' }]]);
    assert.match(await says('what is the 1 minute load of this system?'), /^The load .+ over the last minute\.$/);
    assert.match(await says('how many processes run?'), /^\d+ processes run; the busiest: .+ MB\)\.$/);
    assert.match(
      await says('show me the state of this system'),
      /^This system has been up .+; load [\d.]+; .+ logged in\.$/,
    );
  });

  it('are answered several at once, beside an order', async () => {
    const text = await says('is the front door closed and how warm is the bedroom?');
    assert.match(text, /front door is/i);
    assert.match(text, /temperature of the bedroom is/i);
    const mixed = await says('turn the kitchen light on and tell me whether the front door is closed');
    await person.untilCommands(1, 2_000);
    assert.deepEqual(
      person.commands().map(({ topic }) => topic),
      ['zigbee2mqtt/kitchen_light/set'],
    );
    assert.match(mixed, /kitchen light on/i);
    assert.match(mixed, /front door is/i);
  });

  it('are answered by a toolbox on a wire', async () => {
    assert.match(await says('what time is it?'), /^It is \d\d:\d\d on \w+day, \d{4}-\d\d-\d\d\.$/);
  });

  it('get a polite answer when nothing fits', async () => {
    for (const text of ['is the garden gate closed?', 'is the oven on?', 'did the post come?'])
      assert.match(await says(text), /^Sorry, /, text);
    for (const text of [
      'what is the barometer?',
      'who rang the bell?',
      'where did I leave the spare key?',
      'what is the 10 minute load?',
    ])
      assert.equal(await says(text), 'Nothing here tells me that. I don’t remember anything about that.', text);
  });
});

describe('the first questions to a house', function () {
  this.timeout(120_000);

  it('are answered as soon as it is ready, also after a power cut', async () => {
    const folder = await newFolder();
    try {
      for (let starts = 0; starts < 2; starts += 1) {
        const home = await startHome({ folder });
        try {
          const person = await connectPerson(home.ready.mqtt);
          try {
            const said = await Promise.all(
              [
                'is the front door closed?',
                'how warm is the bedroom?',
                'how many users are logged into this system?',
              ].map(async (text) => (await person.say(text)).text),
            );
            assert.equal(said[0], 'The front door is closed.');
            assert.match(said[1] ?? '', /^The temperature of the bedroom is 18 °C, told .+\.$/);
            assert.match(said[2] ?? '', /logged in/);
          } finally {
            await person.close();
          }
        } finally {
          await home.stop('SIGKILL');
        }
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
