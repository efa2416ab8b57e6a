import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { connectAsync, type MqttClient } from 'mqtt';
import { startHome, type HomeProcess } from './home-process.ts';
import { connectPerson, type Person } from './person.ts';

const classes = 'es.nachobrito.amica.domain.model.message.payload';
const replies = '/es/nachobrito/amica/replies/';
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
  /** Hears whatever is said below the topic of replies, and which conversations end. */
  let listener: MqttClient;
  const repliedOn: string[] = [];
  const ended: string[] = [];
  before(async () => {
    home = await startHome();
    person = await connectPerson(home.ready.mqtt);
    listener = await connectAsync(home.ready.mqtt, { protocolVersion: 5, reconnectPeriod: 0 });
    listener.on('message', (topic, body) => {
      if (topic.startsWith(replies)) repliedOn.push(topic.slice(replies.length));
      else ended.push(String((JSON.parse(body.toString()) as { conversationId: string }).conversationId));
    });
    await listener.subscribeAsync([`${replies}#`, '/es/nachobrito/amica/system/event/v1'], { qos: 1 });
  });
  after(async () => {
    await listener?.endAsync(true);
    await person?.close();
    await home?.stop();
  });

  const until = async (isSo: () => boolean) => {
    const end = Date.now() + 10_000;
    while (Date.now() < end && !isSo()) await pause(10);
  };
  const answersStill = async (id: string = randomUUID()) => {
    person.commands();
    const { text } = await person.say('turn the hall light on', { id });
    await until(() => repliedOn.includes(id));
    assert.deepEqual(person.commands(), [{ topic: 'zigbee2mqtt/hall_light/set', payload: { state: 'ON' } }]);
    assert.match(text, /hall/i);
  };

  for (const one of bad) {
    it(`${one.name}: ${one.isAnswered ? 'is told in one complete reply' : 'is dropped'}, and the next is answered`, async () => {
      const [id, next] = [randomUUID(), randomUUID()];
      const sent = one.properties(id);
      repliedOn.length = ended.length = 0;
      await person.send(one.body, sent);
      if (one.isAnswered) {
        await until(() => person.parts(id).some((part) => part.isComplete));
        assert.equal(person.parts(id).filter((part) => part.isComplete).length, 1);
        assert.match(person.parts(id).at(-1)?.message ?? '', /\w+ \w+/);
      }
      // A reply to what came before would be here before this one's: both wait the same time for who listens.
      await answersStill(next);
      assert.deepEqual(repliedOn, one.isAnswered ? [id, next] : [next]);
      const conversation = sent['CONVERSATION_ID'] ?? 'nobody’s';
      assert.equal(
        ended.filter((name) => name === conversation).length,
        one.isAnswered && sent['CONVERSATION_ID'] ? 1 : 0,
      );
    });
  }

  it('gives the same id the first reply again and acts once', async () => {
    const id = randomUUID();
    const first = await person.say('turn the bedroom light on', { id, conversation: 'twice' });
    assert.equal(person.commands().length, 1);
    await person.send(request('turn the bedroom light on'), { ...properties(id), CONVERSATION_ID: 'twice' });
    await until(() => ended.filter((name) => name === 'twice').length === 2);
    const complete = person.parts(id).filter((part) => part.isComplete);
    assert.deepEqual(
      complete.map((part) => part.message),
      [first.text, first.text],
    );
    assert.equal(ended.filter((name) => name === 'twice').length, 2);
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
