import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { startHome, type HomeProcess } from './home-process.ts';
import { connectPerson, type Person } from './person.ts';

const classes = 'es.nachobrito.amica.domain.model.message.payload';
const request = (message: string) => JSON.stringify({ dateTime: new Date().toISOString(), userName: 'alex', message });
const properties = (id: string) => ({
  MESSAGE_ID: id,
  CONVERSATION_ID: `c-${id}`,
  PAYLOAD_TYPE: `${classes}.UserRequest`,
});

interface Bad {
  readonly name: string;
  readonly body: string | Buffer;
  readonly properties: (id: string) => Record<string, string>;
  /** False: nobody can tell whom to answer. */
  readonly isAnswered: boolean;
}

const bad: readonly Bad[] = [
  { name: 'malformed JSON', body: '{"message": "turn', properties, isAnswered: true },
  { name: 'no properties', body: request('hello'), properties: () => ({}), isAnswered: false },
  {
    name: 'no conversation',
    body: request('hello'),
    properties: (id) => ({ MESSAGE_ID: id, PAYLOAD_TYPE: `${classes}.UserRequest` }),
    isAnswered: true,
  },
  {
    name: 'unknown payload type',
    body: request('hello'),
    properties: (id) => ({ ...properties(id), PAYLOAD_TYPE: 'com.example.Unknown' }),
    isAnswered: true,
  },
  { name: '1 MiB of text', body: request('x'.repeat(1024 * 1024)), properties, isAnswered: true },
  { name: 'binary', body: Buffer.from([0, 159, 146, 150, 255, 254]), properties, isAnswered: true },
  { name: 'an empty message', body: '', properties, isAnswered: true },
  { name: 'an empty request', body: request(''), properties, isAnswered: true },
  { name: 'control characters', body: request('\u0000\u0007\u001b[2J'), properties, isAnswered: true },
  { name: 'deep nesting', body: '['.repeat(50_000), properties, isAnswered: true },
  { name: 'an id that is no topic', body: request('hello'), properties: () => properties('a/+/#'), isAnswered: false },
];

describe('bad input', function () {
  this.timeout(120_000);
  let home: HomeProcess;
  let person: Person;
  before(async () => {
    home = await startHome();
    person = await connectPerson(home.ready.mqtt);
  });
  after(async () => {
    await person?.close();
    await home?.stop();
  });

  const untilComplete = async (id: string) => {
    const end = Date.now() + 10_000;
    while (Date.now() < end && !person.parts(id).some((part) => part.isComplete)) await pause(10);
    return person.parts(id);
  };
  const answersStill = async () => {
    person.commands();
    const { text } = await person.say('turn the hall light on');
    assert.deepEqual(person.commands(), [{ topic: 'zigbee2mqtt/hall_light/set', payload: { state: 'ON' } }]);
    assert.match(text, /hall/i);
  };

  for (const one of bad) {
    it(`${one.name}: ${one.isAnswered ? 'is told in one complete reply' : 'is dropped'}, and the next is answered`, async () => {
      const id = randomUUID();
      await person.send(one.body, one.properties(id));
      if (one.isAnswered) {
        const parts = await untilComplete(id);
        assert.equal(parts.filter((part) => part.isComplete).length, 1);
        assert.match(parts.at(-1)?.message ?? '', /\w+ \w+/);
        // At most ten such replies a second.
        await pause(110);
      }
      await answersStill();
    });
  }

  it('gives the same id the first reply again and acts once', async () => {
    const id = randomUUID();
    const first = await person.say('turn the bedroom light on', { id, conversation: 'twice' });
    assert.equal(person.commands().length, 1);
    await person.send(request('turn the bedroom light on'), { ...properties(id), CONVERSATION_ID: 'twice' });
    const end = Date.now() + 5_000;
    while (Date.now() < end && person.parts(id).filter((part) => part.isComplete).length < 2) await pause(10);
    const complete = person.parts(id).filter((part) => part.isComplete);
    assert.deepEqual(
      complete.map((part) => part.message),
      [first.text, first.text],
    );
    assert.deepEqual(person.commands(), []);
  });

  it('lives through a flood, reports each kind once, and logs no long payload', async () => {
    const count = 1_000;
    for (let sent = 0; sent < count; sent++) {
      const one = bad[sent % bad.length];
      if (one) await person.send(one.body, one.properties(randomUUID()));
    }
    await answersStill();
    const lines = home.output().split('\n');
    assert.ok(lines.every((line) => line.length <= 1_000));
    assert.doesNotMatch(home.output(), /x{201}|\[{201}/);
    assert.ok(lines.length < 60, `${lines.length} lines`);
    assert.doesNotMatch(home.output(), /^\s+at .*[:(]/m);
  });
});
