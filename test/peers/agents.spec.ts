/** What every agent that a house asks does, whatever its language (P4): the same sentences for the programs in Java and Python. */
import assert from 'node:assert/strict';
import mqtt, { type MqttClient } from 'mqtt';
import { until } from '../../engine/bus/bus.contract.ts';
import type { BusMessage } from '../../engine/bus/bus.ts';
import { readOur } from '../../engine/bus/our-message.ts';
import { amicaClient } from '../amica-client.ts';
import type { TestBroker } from '../broker.ts';
import { startMosquitto } from '../mosquitto.ts';
import { preparePrograms, type Program, type Programs } from './programs.ts';

const languages = [
  {
    language: 'Java',
    id: 'aquarium',
    request: 'feed the fish',
    start: (all: Programs, id: string) => all.startJava('agent', id),
  },
  {
    ...{ language: 'Python', id: 'coffee-corner', request: 'two cups of coffee' },
    start: (all: Programs, id: string) => all.startPython('agent.py', id),
  },
];

describe('an agent that a house asks', function () {
  this.timeout(300_000);
  let broker: TestBroker;
  let programs: Programs;
  let house: MqttClient;
  const heard: BusMessage[] = [];
  const replies = 'folkmoot/v1/answers/contract';
  before(async () => {
    broker = await startMosquitto();
    programs = await preparePrograms({ BROKER: broker.url });
    house = await mqtt.connectAsync(broker.url, { protocolVersion: 5, reconnectPeriod: 50 });
    house.on('message', (topic, payload, { retain, properties }) => {
      const correlation = properties?.correlationData?.toString();
      const own = correlation === undefined ? {} : { correlation };
      heard.push({ topic, payload, properties: {}, retained: retain, ...own });
    });
    await house.subscribeAsync(['folkmoot/v1/agents/+', replies], { qos: 1 });
  });
  after(async () => {
    await house.endAsync(true);
    await programs.close();
    await broker.stop();
  });

  for (const { language, id, request, start } of languages) {
    describe(`in ${language}`, () => {
      let program: Program;
      const topic = `folkmoot/v1/agents/${id}`;
      before(async () => void (program = await start(programs, id)));
      beforeEach(() => (heard.length = 0));
      const ask = (correlation: string, body: object, responseTopic = replies) =>
        house.publishAsync(
          `${topic}/ask`,
          JSON.stringify({ v: 1, payload: request, moot: { v: 1, ask: { id: correlation } }, ...body }),
          { qos: 1, properties: { responseTopic, correlationData: Buffer.from(correlation) } },
        );
      const answersTo = (correlation: string) => heard.filter((one) => one.correlation === correlation);
      const bodyOf = (message: BusMessage | undefined) => {
        assert.ok(message);
        const reading = readOur('answer', message);
        assert.ok('body' in reading, JSON.stringify(reading));
        return reading.body;
      };
      const card = async () => {
        const looking = await mqtt.connectAsync(broker.url, { protocolVersion: 5 });
        const kept: BusMessage[] = [];
        looking.on('message', (at, payload) => kept.push({ topic: at, payload, properties: {}, retained: true }));
        await looking.subscribeAsync([topic, 'folkmoot/v1/fence'], { qos: 1 });
        await looking.publishAsync('folkmoot/v1/fence', 'x', { qos: 1 });
        await until('the fence', () => kept.some(({ topic: at }) => at === 'folkmoot/v1/fence'));
        await looking.endAsync(true);
        return kept.find(({ topic: at }) => at === topic);
      };

      it('shows a card in the right form, which the broker keeps', async () => {
        const kept = await card();
        assert.ok(kept);
        const reading = readOur('card', kept);
        assert.ok('body' in reading, JSON.stringify(reading));
        assert.equal(reading.body.agentId, id);
      });

      it('answers a step on the topic that it is told, in the right form, and the same again to the same ask', async () => {
        await ask('one', { kind: 'step' });
        await until('an answer', () => answersTo('one').length === 1);
        await ask('one', { kind: 'step' });
        await until('it again', () => answersTo('one').length === 2);
        const [first, second] = answersTo('one').map(bodyOf);
        assert.equal(first?.status, 'answered');
        assert.deepEqual(second, first);
      });

      it('refuses in words what it does not do, and is silent to a cancel', async () => {
        await ask('cancelled', { kind: 'cancel' });
        await ask('debated', { kind: 'debate' });
        await until('an answer', () => answersTo('debated').length === 1);
        const { status, payload } = bodyOf(answersTo('debated')[0]);
        assert.equal(status, 'refused');
        assert.ok(String(payload).length > 5);
        assert.deepEqual(answersTo('cancelled'), []);
      });

      it('goes on after what is no ask at all', async () => {
        for (const body of ['no JSON', '', '[]', '{"kind":"step"}']) {
          const properties = { responseTopic: replies, correlationData: Buffer.from('broken') };
          await house.publishAsync(`${topic}/ask`, body, { qos: 1, properties });
        }
        await ask('after', { kind: 'step' });
        await until('an answer', () => answersTo('after').length === 1);
        assert.equal(bodyOf(answersTo('after')[0]).status, 'answered');
      });

      it('shows its card again and answers when the broker was killed and forgot all', async () => {
        await broker.kill();
        await broker.restart();
        await until(
          'its card',
          () => heard.some(({ topic: at, payload }) => at === topic && payload.length > 0),
          30_000,
        );
        await until('the house', () => house.connected);
        const isAnswered = () => heard.some(({ correlation }) => correlation?.startsWith('again-'));
        for (let n = 0; n < 100 && !isAnswered(); n += 1) {
          await ask(`again-${n}`, { kind: 'step' });
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        assert.ok(isAnswered());
      });

      it('leaves no card when it is killed', async () => {
        assert.ok(await card());
        await program.kill();
        await until('the card to go', async () => (await card()) === undefined);
      });
    });
  }

  for (const [language, start] of [
    ['Java', (all: Programs) => all.startJava('answer', 'I am it.')],
    ['Python', (all: Programs) => all.startPython('amica.py', 'answer', 'I am it.')],
  ] as const) {
    it(`in ${language} answers over A.M.I.C.A. as well, also after what is no request`, async () => {
      const program = await start(programs);
      const person = await amicaClient(broker.url);
      try {
        const envelope = { MESSAGE_ID: 'm', CONVERSATION_ID: 'c' };
        for (const properties of [envelope, {}]) await person.send('no JSON', properties);
        const id = await person.ask('who are you?', 'c-asked');
        await until('the end', () => person.ended.includes('c-asked'), 15_000);
        assert.deepEqual(
          person.parts(id).map(({ message, isComplete }) => [message, isComplete]),
          [['I am it.', true]],
        );
      } finally {
        await person.close();
        await program.kill();
      }
    });
  }
});
