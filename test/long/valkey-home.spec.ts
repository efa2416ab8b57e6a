/** A home whose Valkey server is away when it starts, goes, and comes back. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { startHome, type HomeProcess } from '../home/home-process.ts';
import { connectPerson, type Person } from '../home/person.ts';
import { startValkey, type TestValkey } from '../valkey-server.ts';

/** What a person is promised an answer in while the server is away, three times. */
const answerMs = 15_000 * 3;

describe('a home whose Valkey server comes and goes', function () {
  this.timeout(120_000);
  let server: TestValkey;
  let home: HomeProcess | undefined;
  let person: Person | undefined;
  before(async () => void (server = await startValkey({ persists: true })));
  after(() => server.stop());
  afterEach(async () => {
    await person?.close();
    await home?.stop();
    person = home = undefined;
  });

  const start = async () => {
    home = await startHome({ env: { FOLKMOOT_VALKEY_URL: server.url, FOLKMOOT_HOUSE: 'house one' } });
    person = await connectPerson(home.ready.mqtt);
    return { home, person };
  };
  /** Says something until it is done; what is said meanwhile is answered in words too. */
  const sayUntilDone = async (who: Person, text: string) => {
    const end = Date.now() + answerMs;
    for (;;) {
      const { text: answer } = await who.say(text, { withinMs: answerMs });
      if (/light (on|off)\./i.test(answer) || Date.now() > end) return answer;
    }
  };

  it('answers in words while the server is away, and goes on when it is back', async () => {
    const { person } = await start();
    assert.match(await sayUntilDone(person, 'turn on the hall light'), /hall light o/i);
    await server.kill();
    for (let n = 0; n < 2; n += 1) {
      const asked = performance.now();
      const { parts, text } = await person.say('turn off the hall light', { withinMs: answerMs });
      console.log(`      answered after ${Math.round(performance.now() - asked)} ms: ${text}`);
      assert.equal(parts.filter((part) => part.isComplete).length, 1);
      assert.match(text, /I cannot get at what I remember right now/);
    }
    await server.restart();
    assert.match(await sayUntilDone(person, 'turn off the hall light'), /hall light o/i);
  });

  it('starts before its server, says so, and works when it comes', async () => {
    await server.kill();
    const { home, person } = await start();
    assert.match(home.output(), /The Valkey server at redis:\S+ cannot be used yet \(no Valkey server listens there\)/);
    const { text } = await person.say('turn on the bedroom light', { withinMs: answerMs });
    assert.match(text, /I cannot get at what I remember right now/);
    await server.restart();
    assert.match(await sayUntilDone(person, 'turn on the bedroom light'), /bedroom light on/i);
  });

  it('looks at its server once at the start, and then at most once a second', async () => {
    const looks: number[] = [];
    const enough = Promise.withResolvers<undefined>();
    // Ends each connection, so that each look is one.
    const mute = createServer((socket) => {
      looks.push(performance.now());
      socket.on('error', () => undefined).destroy();
      if (looks.length === 5) enough.resolve(undefined);
    }).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    home = await startHome({ env: { FOLKMOOT_VALKEY_URL: `redis://127.0.0.1:${port}`, FOLKMOOT_HOUSE: 'house one' } });
    assert.match(home.output(), /cannot be used yet/);
    await enough.promise;
    mute.close();
    const gaps = looks.slice(1).map((at, n) => Math.round(at - (looks[n] ?? 0)));
    console.log(`      looks ${gaps.join(', ')} ms apart`);
    // A timer may be a few milliseconds early.
    assert.ok(Math.min(...gaps) >= 990, String(gaps));
  });
});
