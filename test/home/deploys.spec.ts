/** Somebody changes the flows in the editor while people ask. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { deployHome, deployKinds } from './deploy-home.ts';
import { startHome, type HomeProcess } from './home-process.ts';
import { connectPerson, type Person } from './person.ts';
import { assertPlain } from './words.ts';

const requestTopic = '/es/nachobrito/amica/user/request/v1';
const requestCount = 40;
const overtaken = /Meanwhile this was asked for: Kitchen light on at (\d+) %\.$/;
interface Light {
  readonly brightness: number;
}
/** Between two requests. */
const everyMs = 25;

describe('a home that is deployed anew while people ask', function () {
  this.timeout(120_000);
  let home: HomeProcess;
  let person: Person;

  /** As A.M.I.C.A.'s command line does: the broker keeps it for nobody. */
  const ask = (text: string): string => {
    const id = randomUUID();
    const userProperties = {
      MESSAGE_ID: id,
      CONVERSATION_ID: randomUUID(),
      PAYLOAD_TYPE: 'es.nachobrito.amica.domain.model.message.payload.UserRequest',
    };
    const body = JSON.stringify({ dateTime: new Date().toISOString(), userName: `alex-${id}`, message: text });
    person.client.publish(requestTopic, body, { qos: 0, properties: { userProperties } });
    return id;
  };

  before(async () => {
    home = await startHome();
    person = await connectPerson(home.ready.mqtt);
    await person.say('turn the hall light off');
    person.commands();
  });
  after(async () => {
    await person?.close();
    await home?.stop();
  });

  it('answers each of them once, does each once in their order, and tells who was overtaken by a later one', async () => {
    const deployed = (async () => {
      for (const [n, kind] of deployKinds.entries()) {
        await pause((requestCount * everyMs) / (deployKinds.length + 1));
        await deployHome(home, kind, `change ${n}`);
      }
    })();
    const ids: string[] = [];
    for (let n = 1; n <= requestCount; n += 1) {
      ids.push(ask(`turn the kitchen light on at ${n} %`));
      await pause(everyMs);
    }
    await deployed;
    const complete = (id: string) => person.parts(id).filter(({ isComplete }) => isComplete);
    const end = Date.now() + 60_000;
    while (Date.now() < end && !ids.every((id) => complete(id).length > 0)) await pause(20);
    await person.quiet();
    const done: number[] = [];
    for (const [index, id] of ids.entries()) {
      const [reply, ...more] = complete(id);
      const own = `Kitchen light on at ${index + 1} %.`;
      const later = Number(overtaken.exec(reply?.message ?? '')?.[1]);
      if (later > index + 1) assert.ok(reply?.message.startsWith(`Not done: ${own}`), reply?.message);
      else assert.equal(reply?.message, own);
      assert.deepEqual(more, []);
      assertPlain(reply?.message ?? '', 'turn the kitchen light on');
      if (!(later > index + 1)) done.push(index + 1);
    }
    const sent = person.commands().map(({ payload }) => Math.round(((payload as Light).brightness / 254) * 100));
    assert.deepEqual(sent, done);
    console.log(`      ${requestCount - done.length} of ${requestCount} were overtaken by a later one`);
    assert.equal(done.at(-1), requestCount);
    // Only where a deploy holds some up can others be faster.
    assert.ok(done.length >= 0.75 * requestCount, String(done.length));
  });
});
