/** Asking over A.M.I.C.A.'s topics on real servers, where foreign bytes answer (seed-contracts.md A5; rows 2 and 4 to 15). */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mqtt from 'mqtt';
import { amicaAgent, javaAnswer, streamPart, type AmicaAgent, type Asked } from '../../test/amica-agent.ts';
import { javaFaults, type Wire } from '../../test/amica-rules.ts';
import { amicaValkeyAgent } from '../../test/amica-valkey-agent.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { startValkey } from '../../test/valkey-server.ts';
import { fakeClock } from '../clock.ts';
import { newId } from '../ids.ts';
import { limits } from '../limits.ts';
import { createAmicaRequester, type AmicaAnswers } from './amica-requester.ts';
import { until } from './bus.contract.ts';
import type { Bus } from './bus.ts';
import { createMqttBus } from './mqtt.ts';
import { amicaTopics } from './topics.ts';
import { createValkeyPubsubBus } from './valkey-pubsub.ts';

type Answer = (asked: Asked, agent: AmicaAgent) => Promise<void>;

/** What is sent, number by number, `!` on the last one; `|`: the time of a gap passes. What is shown then. */
const traces: readonly { readonly row: number; readonly sent: string; readonly shown: string }[] = [
  { row: 5, sent: '2! 1', shown: '1 2!' },
  { row: 6, sent: '2 2 1 3!', shown: '1 2 3!' },
  { row: 7, sent: '1 3 | 4!', shown: '1 3 4!' },
  { row: 8, sent: numbers(2, 51), shown: '' },
  { row: 8, sent: numbers(2, 52), shown: numbers(2, 52) },
  { row: 9, sent: '1 2! 3 3!', shown: '1 2!' },
];

function numbers(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index)).join(' ');
}

/** Asks with a clock that stands still. */
function ask(bus: Bus, id: string) {
  const clock = fakeClock();
  const enough = new AbortController();
  const shown: string[] = [];
  const question = { message: 'mow', userName: 'ana', id, signal: enough.signal };
  const answers = createAmicaRequester({ bus, clock }).ask(question);
  const ended = (async (): Promise<AmicaAnswers> => {
    for (;;) {
      const next = await answers.next();
      if (next.done) return next.value;
      assert.equal(next.value.reply, 1, 'another agent');
      shown.push(next.value.text);
    }
  })();
  ended.catch(() => undefined);
  return { clock, ended, shown: () => shown.join(' '), close: () => enough.abort() };
}

for (const server of ['mosquitto', 'Valkey’s channels'] as const) {
  describe(`asking A.M.I.C.A.’s agents over ${server}`, function () {
    this.timeout(30_000);
    let bus: Bus;
    let agent: AmicaAgent;
    let stop: () => Promise<void>;
    let answer: Answer = () => Promise.resolve();
    before(async () => {
      const answering: Answer = (asked, own) => answer(asked, own);
      if (server === 'mosquitto') {
        const broker = await startMosquitto();
        stop = broker.stop;
        agent = await amicaAgent(broker.url, answering);
        bus = createMqttBus({ url: broker.url });
      } else {
        const valkey = await startValkey();
        stop = valkey.stop;
        agent = await amicaValkeyAgent(valkey.port, answering);
        bus = createValkeyPubsubBus({ url: valkey.url });
      }
      await until('the connection', () => bus.state === 'up');
    });
    after(async () => {
      await bus.close();
      await agent.close();
      await stop();
    });

    for (const { row, sent, shown } of traces) {
      const name = (words: string) => (words.length > 20 ? `${words.slice(0, 5)}…${words.slice(-3)}` : words);
      it(`shows ${name(shown) || 'nothing yet'} of ${name(sent)} (row ${row})`, async () => {
        const given = Promise.withResolvers<Asked>();
        answer = (asked) => Promise.resolve(given.resolve(asked));
        const id = newId();
        let came = 0;
        const counting = await bus.subscribe(amicaTopics.replies(id), () => void (came += 1));
        const asking = ask(bus, id);
        const asked = await given.promise;
        let count = 0;
        for (const word of sent.split(' ')) {
          if (word === '|') await asking.clock.advance(limits.replyGapMs + 100);
          else {
            await agent.send(asked, streamPart(word, parseInt(word, 10), word.endsWith('!')));
            count += 1;
            await until(`${count} parts`, () => came >= count);
            await asking.clock.advance(0);
          }
        }
        assert.equal(asking.shown(), shown);
        if (sent.includes('!')) {
          await asking.clock.advance(2 * limits.replyGapMs);
          assert.deepEqual(await asking.ended, { complete: 1, unfinished: 0, unreadable: 0 });
          assert.equal(asking.shown(), shown);
        }
        asking.close();
        await counting.close();
      });
    }

    it('shows at once the shipped Java agent’s only part, whose number is 0 (row 10)', async () => {
      answer = (asked, own) => own.send(asked, javaAnswer('Two users are logged in.'));
      const asking = ask(bus, newId());
      await until('the answer', () => asking.shown() === 'Two users are logged in.');
      asking.close();
    });
  });
}

describe('a request on a real broker', function () {
  this.timeout(30_000);

  it('is as Java agents read it, leaves when its replies are heard, and ends that (rows 2, 4, 15)', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'folkmoot-amica-'));
    const log = path.join(folder, 'log');
    const broker = await startMosquitto({ lines: [`log_dest file ${log}`, 'log_type all'] });
    const foreign = await mqtt.connectAsync(broker.url, { protocolVersion: 5 });
    const bus = createMqttBus({ url: broker.url, clientId: 'the-asker' });
    try {
      const heard: (Wire & { readonly names: readonly string[] })[] = [];
      foreign.on('message', (topic, payload, { retain, properties }) => {
        const all = { ...properties?.userProperties };
        heard.push({ topic, body: payload.toString(), properties: all, isRetained: retain, names: Object.keys(all) });
        const replyTo = `/es/nachobrito/amica/replies/${String(all['MESSAGE_ID'])}`;
        const envelope = { MESSAGE_ID: newId(), CONVERSATION_ID: String(all['CONVERSATION_ID']) };
        const userProperties = {
          ...envelope,
          PAYLOAD_TYPE: String(all['PAYLOAD_TYPE']).replace(/\w+$/, 'AgentResponse'),
        };
        if (topic.endsWith('/request/v1'))
          foreign.publish(replyTo, javaAnswer('Two.'), { properties: { userProperties } });
      });
      await foreign.subscribeAsync('/es/nachobrito/amica/user/request/v1', { qos: 1, rap: true });
      await until('the connection', () => bus.state === 'up');
      const id = newId();
      const asking = ask(bus, id);
      await until('the answer', () => asking.shown() === 'Two.');
      asking.close();
      const [request] = heard;
      assert.ok(request && heard.length === 1);
      assert.deepEqual(javaFaults(request), []);
      assert.deepEqual(request.names, ['MESSAGE_ID', 'CONVERSATION_ID', 'PAYLOAD_TYPE']);
      assert.deepEqual(Object.keys(JSON.parse(request.body) as object), ['dateTime', 'userName', 'message']);
      const lines = async () => (await readFile(log, 'utf8')).split('\n').filter((line) => line.includes('the-asker'));
      const topic = `the-asker /es/nachobrito/amica/replies/${id}`;
      await until('no subscription any more', async () => (await lines()).some((line) => line.endsWith(topic)));
      const all = await lines();
      const at = (what: RegExp) => all.findIndex((line) => what.test(line));
      const steps = [/SUBSCRIBE from/, /SUBACK to/, /PUBLISH from .*user\/request\/v1/, /UNSUBSCRIBE from/].map(at);
      assert.ok(!steps.includes(-1), all.join('\n'));
      assert.deepEqual(
        steps,
        steps.toSorted((a, b) => a - b),
      );
    } finally {
      await bus.close();
      await foreign.endAsync(true);
      await broker.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
