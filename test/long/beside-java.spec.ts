/** A home and A.M.I.C.A.'s Java agent on one broker, as the Java command line sees them (seed-contracts.md A5). */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import mqtt, { type MqttClient } from 'mqtt';
import { amicaAgent, javaAnswer, type AmicaAgent } from '../amica-agent.ts';
import { createJavaBuffer } from '../amica-buffer.ts';
import type { TestBroker } from '../broker.ts';
import { callFolkmoot } from '../command-line.ts';
import { startMosquitto } from '../mosquitto.ts';
import { startHome, type HomeProcess } from '../home/home-process.ts';

const classes = 'es.nachobrito.amica.domain.model.message.payload';
const replies = '/es/nachobrito/amica/replies/';
const question = 'tell me a joke about users';
const joke = 'Two users walk into a bar.';

describe('a home beside a Java agent that answers after two seconds', function () {
  this.timeout(60_000);
  let broker: TestBroker;
  let home: HomeProcess;
  let java: AmicaAgent;
  let client: MqttClient;
  before(async () => {
    broker = await startMosquitto();
    java = await amicaAgent(broker.url, async (asked, own) => {
      if (!asked.message.includes('users')) return;
      await pause(2_000);
      await own.send(asked, javaAnswer(joke));
    });
    home = await startHome({ env: { FOLKMOOT_MQTT_URL: broker.url } });
    client = await mqtt.connectAsync(broker.url, { protocolVersion: 5 });
    // On a busy computer it may be connected to the broker only after it says that it is ready.
    for (let count = 0, isThere = false; count < 10 && !isThere; count += 1) {
      const { until, buffer } = await ask('what can you do?');
      isThere = await until(() => buffer.isDone, 2_000).then(
        () => true,
        () => false,
      );
    }
  });
  after(async () => {
    await client?.endAsync(true);
    await java?.close();
    await home?.stop();
    await broker?.stop();
  });

  /** Asks as the Java command line does, and buffers as it does. */
  const ask = async (message: string) => {
    const id = randomUUID();
    const buffer = createJavaBuffer();
    const arrivals: { readonly ms: number; readonly message: string; readonly isOfHome: boolean }[] = [];
    let sentAt = performance.now();
    client.on('message', (topic, payload, packet) => {
      if (topic !== `${replies}${id}`) return;
      const body = JSON.parse(payload.toString()) as {
        message: string;
        isComplete: boolean;
        sequenceNumber: { value: number };
      };
      const ms = performance.now() - sentAt;
      const isOfHome = packet.properties?.userProperties?.['AGENT_ID'] !== undefined;
      arrivals.push({ ms, message: body.message, isOfHome });
      buffer.arrive({ message: body.message, isComplete: body.isComplete, sequence: body.sequenceNumber.value }, ms);
    });
    await client.subscribeAsync(`${replies}${id}`, { qos: 1 });
    sentAt = performance.now();
    const userProperties = {
      MESSAGE_ID: id,
      CONVERSATION_ID: randomUUID(),
      PAYLOAD_TYPE: `${classes}.UserRequest`,
    };
    const body = JSON.stringify({ dateTime: new Date().toISOString(), userName: 'ana', message });
    await client.publishAsync('/es/nachobrito/amica/user/request/v1', body, { qos: 0, properties: { userProperties } });
    const until = async (isSo: () => boolean, withinMs = 20_000) => {
      const end = Date.now() + withinMs;
      while (!isSo()) {
        if (Date.now() > end) throw new Error(`Not within ${withinMs} ms; came: ${JSON.stringify(arrivals)}`);
        await pause(10);
      }
    };
    return { buffer, arrivals, until, shown: () => buffer.delivered.map(({ message: said }) => said) };
  };

  it('declines at once while it knows of nobody else', async () => {
    const { until, arrivals, shown } = await ask(question);
    await until(() => arrivals.length === 2);
    assert.deepEqual(
      arrivals.map(({ isOfHome }) => isOfHome),
      [true, false],
    );
    assert.match(shown().join(), /^Sorry/);
  });

  it('then leaves the word to it when it only declines itself, and answers at once what it can do', async () => {
    const asked = await ask(question);
    const other = await ask('turn the hall light on');
    await other.until(() => other.buffer.isDone);
    assert.deepEqual(other.shown(), ['Hall light on.']);
    assert.equal(asked.arrivals.length, 0);
    await asked.until(() => asked.buffer.isDone);
    assert.deepEqual(asked.shown(), [joke]);
    // A home that did not hear the other one would speak after four seconds and a half.
    const alone = await ask('tell me a joke about nobody');
    await alone.until(() => alone.buffer.isDone);
    const [declined] = alone.arrivals;
    console.log(`      declined alone after ${Math.round(declined?.ms ?? 0)} ms`);
    assert.ok((declined?.ms ?? 0) >= 4_000);
    assert.equal(asked.arrivals.length, 1);
  });

  it('is shown in our chat beside it', async () => {
    // As long as nobody is silent for three times the Java agent's two seconds.
    const { code, out } = await callFolkmoot(['chat', '--broker', broker.url, '--wait', '6'], {
      input: 'how many users are logged in?\n',
    });
    assert.equal(code, 0);
    assert.match(out, /^[^[]* logged in\.\n---\n\[another agent\]\nTwo users walk into a bar\.\n---\n$/);
  });
});
