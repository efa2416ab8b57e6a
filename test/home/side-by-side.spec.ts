/** An agent that takes long keeps nobody waiting who has nothing to do with it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../engine/bus/bus.contract.ts';
import { startFakeOpenAi } from '../fake-openai.ts';
import { startMosquitto } from '../mosquitto.ts';
import { newFolder, startHome, type HomeProcess } from './home-process.ts';
import { connectPerson, type Person } from './person.ts';
import { flowWithSlowAgent, startSlowAgent, type SlowAgent } from './slow-agent.ts';

const slowMs = 10_000;
/** What sensors tell in the first seconds after the start is overheard only (sense's setting). */
const overheardMs = 2_500;
/** What others may wait: on a computer with nothing else to do it is well below a second. */
const othersMs = 3_000;

describe('a home with an agent that takes long', function () {
  this.timeout(120_000);
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  interface House {
    readonly person: Person;
    readonly agent: SlowAgent;
    start(): Promise<HomeProcess>;
  }

  /** At most so many at once is how the starter home's model is set. */
  const modelAtOnce = 2;

  async function house(work: (prompt: string) => Promise<unknown>): Promise<House> {
    const [broker, folder] = await Promise.all([startMosquitto(), newFolder()]);
    ends.push(
      () => rm(folder, { recursive: true, force: true }),
      () => broker.stop(),
    );
    await mkdir(path.join(folder, 'node-red'), { recursive: true });
    await writeFile(path.join(folder, 'node-red', 'flows.json'), JSON.stringify(await flowWithSlowAgent()));
    const agent = await startSlowAgent(broker.url, work);
    ends.push(() => agent.close());
    const person = await connectPerson(broker.url);
    ends.push(() => person.close());
    return {
      person,
      agent,
      async start() {
        const home = await startHome({ folder, env: { FOLKMOOT_MQTT_URL: broker.url } });
        ends.push(() => home.stop('SIGKILL'));
        return home;
      },
    };
  }

  it('answers five others and a sensor meanwhile, and keeps the order of each conversation', async () => {
    const { person, agent, start } = await house(() => pause(slowMs));
    const { ready } = await start();
    await person.quiet();
    const anna = { conversation: randomUUID(), user: 'anna', withinMs: 60_000 };
    const began = performance.now();
    const said = async (text: string, options = {}) => {
      const from = performance.now();
      const { text: reply } = await person.say(text, options);
      return { reply, ms: Math.round(performance.now() - from) };
    };
    const slow = said('water the tomatoes and turn the kitchen light on', anna);
    await until('the agent is asked', () => agent.count === 1, 20_000);
    const next = said('turn the living room light on', anna);
    const others = [
      'turn the kitchen light off',
      'turn the bedroom light on',
      'set the living room to 21 degrees',
      'close the bedroom blinds',
      'tell everyone that dinner is ready',
    ];
    const answers = await Promise.all(others.map((text) => said(text)));
    assert.ok(performance.now() - began < slowMs, 'while the agent works');
    await pause(Math.max(0, Date.parse(ready.since) + overheardMs - Date.now()));
    const { length: before } = person.peek();
    const moved = performance.now();
    await person.publish('zigbee2mqtt/hall_motion', { occupancy: true, illuminance: 5 });
    await person.untilCommands(before + 1, othersMs);
    const sensorMs = Math.round(performance.now() - moved);
    const [first, second] = await Promise.all([slow, next]);
    console.log(
      `      slow: ${first.ms} ms; meanwhile others: ${answers.map(({ ms }) => ms).join(', ')} ms; a sensor: ${sensorMs} ms`,
    );
    assert.ok(first.ms >= slowMs);
    for (const { ms, reply } of answers) assert.ok(ms < othersMs, `${reply}: ${ms} ms`);
    assert.match(first.reply, /tomatoes/i);
    assert.match(first.reply, /^Not done: Kitchen light on\. Meanwhile this was asked for: Kitchen light off\.$/m);
    assert.ok(second.ms >= slowMs - othersMs, 'of the same conversation');
    const commands = person.commands();
    assert.deepEqual(
      commands.slice(6).map(({ topic }) => topic),
      ['home/pump/set', 'zigbee2mqtt/living_room_light/set'],
    );
    assert.deepEqual(
      commands.filter(({ topic }) => topic === 'zigbee2mqtt/kitchen_light/set').map(({ payload }) => payload),
      [{ state: 'OFF' }],
    );
  });

  it('goes on with all of them after a power cut, in order, and does nothing twice', async () => {
    const work = Promise.withResolvers<undefined>();
    const { person, agent, start } = await house(() => work.promise);
    const first = await start();
    await person.quiet();
    const of = (user: string) => ({ conversation: user, user, withinMs: 60_000 });
    const slow = [
      person.say('water the tomatoes and tell everyone that the tomatoes have water', of('anna')),
      person.say('water the herbs and tell everyone that the herbs have water', of('bert')),
    ];
    await until('the agent is asked by both', () => agent.count === 2, 20_000);
    const next = person.say('turn the hall light on', of('anna'));
    assert.match((await person.say('turn the kitchen light on')).text, /kitchen/i);
    await first.stop('SIGKILL');
    const second = await start();
    await until('the agent is asked again', () => agent.count >= 4, 20_000);
    assert.match((await person.say('turn the bedroom light on')).text, /bedroom/i);
    work.resolve(undefined);
    const replies = await Promise.all([...slow, next]);
    assert.deepEqual(
      replies.map(({ parts }) => parts.filter(({ isComplete }) => isComplete).length),
      [1, 1, 1],
    );
    assert.match(replies[2]?.text ?? '', /hall/i);
    await second.stop();
    await person.fence();
    const commands = person.commands().map(({ topic, payload }) => `${topic} ${JSON.stringify(payload)}`);
    assert.equal(new Set(commands).size, commands.length, commands.join('\n'));
    assert.equal(commands.length, 7, commands.join('\n'));
    assert.equal(agent.asked.length, 2, agent.asked.join('\n'));
    const at = (what: RegExp) => commands.findIndex((command) => what.test(command));
    assert.ok(at(/pump.*tomatoes/) < at(/hall_light/), 'of one conversation');
  });

  it('asks its model for no more people at once than that bears', async () => {
    let running = 0;
    let most = 0;
    const rooms = ['hall', 'kitchen', 'bedroom', 'living_room', 'hall'];
    const server = await startFakeOpenAi({
      async answer({ text, tools }) {
        most = Math.max(most, (running += 1));
        await pause(100);
        running -= 1;
        const room = rooms.find((one) => text.includes(`the ${one} now`)) ?? '';
        const steps = [{ agent: 'lights', prompt: `light the ${room} now` }];
        if (tools.some(({ name }) => name === 'make_plan'))
          return { calls: [{ name: 'make_plan', args: { message: 'I will.', steps } }] };
        return { calls: [{ name: 'SetLight', args: { room, state: 'on' } }] };
      },
    });
    ends.push(() => server.close());
    const home = await startHome({ env: { FOLKMOOT_MODEL: `openai-compatible:${server.url}#small` } });
    ends.push(() => home.stop());
    const person = await connectPerson(home.ready.mqtt);
    ends.push(() => person.close());
    const replies = await Promise.all(rooms.map((room) => person.say(`light the ${room} now`, { withinMs: 60_000 })));
    for (const { text } of replies) assert.match(text, /light on/i);
    assert.equal(most, modelAtOnce);
    assert.equal(person.commands().length, rooms.length);
  });
});
