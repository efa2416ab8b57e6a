/** All that a home says on A.M.I.C.A.'s topics, whatever it is asked: nothing that could deafen a Java agent. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import mqtt, { type MqttClient } from 'mqtt';
import { javaFaults, type Wire } from '../amica-rules.ts';
import { createJavaBuffer, type JavaBuffer } from '../amica-buffer.ts';
import { startHome, type HomeProcess } from './home-process.ts';
import { connectPerson, type Person } from './person.ts';

const requests = '/es/nachobrito/amica/user/request/v1';
const events = '/es/nachobrito/amica/system/event/v1';
const replies = '/es/nachobrito/amica/replies/';
const classes = 'es.nachobrito.amica.domain.model.message.payload';

interface Heard extends Wire {
  readonly at: number;
}

describe('what a home says on the topics that it shares with A.M.I.C.A.', function () {
  this.timeout(120_000);
  let home: HomeProcess;
  let person: Person;
  let listener: MqttClient;
  let rows: DatabaseSync;
  const heard: Heard[] = [];
  /** Rows of a conversation at the moment in which its end was told. */
  const keptAtEnd = new Map<string, number>();
  const sent = new Set<string>();

  const send = async (message: string, id: string = randomUUID(), change: Record<string, string> = {}) => {
    sent.add(id);
    const body = JSON.stringify({ dateTime: new Date().toISOString(), userName: 'alex', message });
    const envelope = { MESSAGE_ID: id, CONVERSATION_ID: randomUUID(), PAYLOAD_TYPE: `${classes}.UserRequest` };
    await person.send(body, { ...envelope, ...change });
    return id;
  };
  const until = async (what: string, isSo: () => boolean) => {
    const end = Date.now() + 30_000;
    while (!isSo()) {
      if (Date.now() > end) throw new Error(`Not within 30 s: ${what}.`);
      await pause(10);
    }
  };
  const ends = () =>
    heard
      .filter(({ topic }) => topic === events)
      .map(({ body }) => (JSON.parse(body) as { conversationId: string }).conversationId);
  const partsOf = (id: string) => heard.filter(({ topic }) => topic === `${replies}${id}`);
  const isAnswered = (id: string) => partsOf(id).some(({ body }) => body.includes('"isComplete":true'));

  before(async () => {
    home = await startHome();
    person = await connectPerson(home.ready.mqtt);
    rows = new DatabaseSync(path.join(home.folder, 'node-red', 'folkmoot', 'folkmoot.sqlite'), { readOnly: true });
    const count = rows.prepare('SELECT count(*) AS count FROM log_entries WHERE name = ?');
    listener = await mqtt.connectAsync(home.ready.mqtt, { protocolVersion: 5 });
    listener.on('message', (topic, payload, packet) => {
      const properties = { ...packet.properties?.userProperties };
      const body = payload.toString();
      heard.push({ topic, body, properties, isRetained: packet.retain, at: Date.now() });
      if (topic !== events) return;
      const { conversationId } = JSON.parse(body) as { conversationId: string };
      const { count: kept } = count.get(`conversation:${conversationId}`) as { count: number };
      keptAtEnd.set(conversationId, kept);
    });
    await listener.subscribeAsync('/es/#', { qos: 1, rap: true });
  });
  after(async () => {
    rows?.close();
    await listener?.endAsync(true);
    await person?.close();
    await home?.stop();
  });

  it('is only what Java agents read: one stream for each request, numbered from 1, then the end', async () => {
    const asked = new Map<string, number>();
    for (const text of [
      'turn the kitchen light on at 40 % and mow the front lawn',
      'turn on the light',
      'set the bedroom to 90 degrees',
      'what can you do?',
      'tell me a joke',
      'is the front door closed?',
      'don’t close the blinds',
      'remember that the spare key is with Maria',
      `a ${'very '.repeat(1_500)}long story`,
      `far ${'too '.repeat(3_000)}long`,
    ]) {
      asked.set(await send(text), Date.now());
    }
    // Messages of others that are no requests are answered where they can be, and passed on by nobody.
    for (const change of [
      { PAYLOAD_TYPE: 'x.Y' },
      { CONVERSATION_ID: '' },
      { PAYLOAD_TYPE: `${classes}.AgentResponse` },
    ]) {
      asked.set(await send('hello', randomUUID(), change), Date.now());
    }
    await person.send('no JSON', {
      MESSAGE_ID: 'broken',
      CONVERSATION_ID: 'c',
      PAYLOAD_TYPE: `${classes}.UserRequest`,
    });
    // Something happens that the house acts on by itself.
    await person.publish('zigbee2mqtt/hall_motion', { occupancy: true, illuminance: 3 });
    for (const id of asked.keys()) await until(`a complete reply to ${id}`, () => isAnswered(id));
    await until('a reply to what is no JSON', () => isAnswered('broken'));
    const repeated = [...asked.keys()][3] ?? '';
    await send('what can you do?', repeated);
    await until('the reply to what is asked again', () => partsOf(repeated).length > 1);
    const again = String(partsOf(repeated)[0]?.properties['CONVERSATION_ID']);
    await until('its end, told again', () => ends().filter((conversation) => conversation === again).length > 1);
    await until('the ends of conversations', () => keptAtEnd.size >= 10);

    const ours = heard.filter(({ topic }) => topic !== requests);
    assert.deepEqual(
      ours.flatMap((one) => javaFaults(one).map((fault) => `${one.topic}: ${fault}: ${one.body.slice(0, 100)}`)),
      [],
    );
    const foreign = heard.filter(({ topic, properties }) => {
      const id = String(properties['MESSAGE_ID']);
      return topic === requests && !sent.has(id) && id !== 'broken';
    });
    assert.deepEqual(foreign, [], 'a home asks nobody');
    for (const [id, askedAt] of asked) {
      if (id === repeated) continue;
      const parts = partsOf(id);
      const numbers = parts.map(
        ({ body }) => (JSON.parse(body) as { sequenceNumber: { value: number } }).sequenceNumber.value,
      );
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => index + 1),
      );
      assert.deepEqual(
        parts.map(({ body }) => body.includes('"isComplete":true')),
        parts.map((_, index) => index === parts.length - 1),
      );
      assert.equal(new Set(parts.map(({ properties }) => properties['PROCESS'])).size, 1, 'one process, one stream');
      const firstMs = (parts[0]?.at ?? 0) - askedAt;
      assert.ok(firstMs >= 95, `a first part after ${firstMs} ms`);
      const buffer: JavaBuffer = createJavaBuffer();
      for (const { body, at } of parts) {
        const { message, isComplete, sequenceNumber } = JSON.parse(body) as {
          message: string;
          isComplete: boolean;
          sequenceNumber: { value: number };
        };
        buffer.arrive({ message, isComplete, sequence: sequenceNumber.value }, at - askedAt);
      }
      assert.ok(buffer.isDone && buffer.delivered.length === parts.length, 'Java’s command line shows it whole');
    }
  });

  it('tells the end of a conversation once, after its rows are kept', () => {
    // What was asked again was told again.
    assert.equal(ends().length - new Set(ends()).size, 1);
    const told = [...keptAtEnd].map(([conversation, kept]) => ({ conversation, kept }));
    const requestsByConversation = heard.filter(({ topic }) => topic === requests);
    const unkept = told.filter(({ kept }) => kept < 2).map(({ conversation }) => conversation);
    // Only what was no request has no rows.
    const texts = requestsByConversation
      .filter(({ properties }) => unkept.includes(String(properties['CONVERSATION_ID'])))
      .map(({ body }) => body.slice(0, 400));
    assert.ok(
      texts.every((text) => /far too too|hello|no JSON/.test(text)),
      texts.join('\n'),
    );
    assert.ok(told.filter(({ kept }) => kept >= 2).length >= 8, JSON.stringify(told));
  });
});
