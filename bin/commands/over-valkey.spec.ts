/** The commands with a Valkey server as the bus: A.M.I.C.A.'s channels, our own topics, streams, encryption and rights. */
import assert from 'node:assert/strict';
import { Redis } from 'ioredis';
import { until } from '../../engine/bus/bus.contract.ts';
import type { Bus } from '../../engine/bus/bus.ts';
import { readAmica, writeResponse } from '../../engine/bus/amica.ts';
import { amicaTopics, ourTopics } from '../../engine/bus/topics.ts';
import { createValkeyPubsubBus } from '../../engine/bus/valkey-pubsub.ts';
import { createValkeyStreamsBus } from '../../engine/bus/valkey-streams.ts';
import { systemClock } from '../../engine/clock.ts';
import type { AmicaAgent } from '../../test/amica-agent.ts';
import { javaAnswer, streamPart } from '../../test/amica-agent.ts';
import { amicaValkeyAgent } from '../../test/amica-valkey-agent.ts';
import { callFolkmoot, runFolkmoot, type Called } from '../../test/command-line.ts';
import { freePort } from '../../test/free-port.ts';
import { openHouse, someAgent } from '../../test/registry-house.ts';
import { startValkey, type TestValkey } from '../../test/valkey-server.ts';

const at = '2026-03-04T05:06:07.123Z';

describe('the commands over Valkey', function () {
  this.timeout(30_000);
  let server: TestValkey;
  const open: (() => Promise<unknown> | void)[] = [];
  before(async () => {
    server = await startValkey();
    const client = new Redis(server.url);
    const rights = ['on', '>pass:word', 'resetchannels', '+@connection', '+info'];
    await client.call('ACL', 'SETUSER', 'talker', ...rights, '+@pubsub', '&es.nachobrito.amica.*');
    await client.call('ACL', 'SETUSER', 'nobody', ...rights);
    const watcher = ['+@pubsub', '&*', '+@read', '+@write', '~folkmoot:*'];
    await client.call('ACL', 'SETUSER', 'watcher', ...rights, ...watcher);
    client.disconnect();
  });
  after(() => server.stop());
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });
  const agent = async (answer: Parameters<typeof amicaValkeyAgent>[1]): Promise<AmicaAgent> => {
    const made = await amicaValkeyAgent(server.port, answer);
    open.push(() => made.close());
    return made;
  };
  const as = (login: string) => server.url.replace('//', `//${login}@`);

  it('talk to a program of A.M.I.C.A. that has Valkey as its bus', async () => {
    const java = await agent(async (asked, own) => {
      if (asked.message !== 'count')
        return own.send(asked, javaAnswer(`You said: ${asked.message.replace('@@', ' at ')}`));
      await own.send(asked, streamPart('one, ', 1));
      await own.send(asked, streamPart('three.', 3, true));
      await own.send(asked, streamPart('two, ', 2));
    });
    const input = 'mail me@@home\ncount\n';
    for (const call of [callFolkmoot, runFolkmoot]) {
      const { code, out, err } = await call(['chat', '--broker', server.url, '--wait', '0.1', '--user', 'ana'], {
        input,
      });
      assert.deepEqual([code, out, err], [0, 'You said: mail me at home\n---\none, two, three.\n---\n', '']);
    }
    assert.deepEqual(
      [java.asked[0]?.userName, java.asked[0]?.properties['channel'], java.asked[0]?.properties['PAYLOAD_TYPE']],
      ['ana', 'es.nachobrito.amica.user.request.v1', 'es.nachobrito.amica.domain.model.message.payload.UserRequest'],
    );
    assert.equal(new Set(java.asked.slice(0, 2).map(({ conversation }) => conversation)).size, 1);
  });

  it('need no right but to these channels, and say which one is missing', async () => {
    await agent((asked, own) => own.send(asked, javaAnswer('Here.')));
    const chat = (login: string, env = {}) =>
      callFolkmoot(['chat', '--broker', as(login), '--wait', '0.1'], { input: 'hello\n', env });
    const done = await chat('talker:pass%3Aword');
    assert.deepEqual([done.code, done.out, done.err], [0, 'Here.\n---\n', '']);
    const env = { FOLKMOOT_VALKEY_URL: as('talker:pass%3Aword') };
    const byEnvironment = await callFolkmoot(['chat', '--broker', server.url, '--wait', '0.1'], {
      input: 'hello\n',
      env,
    });
    assert.equal(byEnvironment.out, 'Here.\n---\n');
    const refused = await chat('nobody:pass%3Aword');
    assert.deepEqual([refused.code, refused.out], [1, '']);
    assert.match(
      refused.err,
      /does not let this user hear "\/es\/nachobrito\/amica\/replies\/\S+"\. Give this user .*\+@pubsub/,
    );
    const wrong = await chat('talker:another');
    assert.match(wrong.err, /does not accept user and password.*redis:\/\/USER:PASSWORD/);
    for (const command of ['agents', 'watch']) {
      // The rest of what people say may be heard, so that it goes on with that.
      const ended = new AbortController();
      const { code, out, err } = await callFolkmoot([command, '--broker', as('talker:pass%3Aword')], {
        signal: ended.signal,
        onErr: (said) => void (said.includes('Give this user') && ended.abort()),
      });
      assert.deepEqual([code, out], [1, ''], command);
      assert.match(
        err,
        /does not let this user hear [^]*"folkmoot\/v1\/[^]*Give this user .* "\+@read \+@write ~folkmoot:\*"/,
      );
    }
    for (const command of ['chat', 'agents', 'watch']) {
      const words = [command, '--broker', as('talker:pass%3Aword'), '--streams'];
      const { code, out, err } = await callFolkmoot(words);
      assert.deepEqual([code, out], [1, ''], command);
      assert.match(err, /^The connection can not be used: NOPERM.*\. Give this user .* for streams, /);
    }
  });

  for (const kind of ['channels', 'streams'] as const) {
    const words = ['--broker', '', ...(kind === 'streams' ? ['--streams'] : [])];
    const here = () => words.map((word) => word || as('watcher:pass%3Aword'));
    const connect = async (): Promise<Bus> => {
      const bus = (kind === 'streams' ? createValkeyStreamsBus : createValkeyPubsubBus)({ url: server.url });
      open.push(() => bus.close());
      await until('the house', () => bus.state === 'up');
      return bus;
    };

    it(`see over ${kind} who is here, and what happens`, async () => {
      const bus = await connect();
      const house = await openHouse({ bus, clock: systemClock, house: 'north', process: 'p-north', repeatSeconds: 20 });
      open.push(() => house.close());
      house.cards.join(someAgent('lamp-agent'), () => undefined);
      house.registry.heardUser('anna');
      await house.cards.settled();
      const { code, out, err } = await callFolkmoot(['agents', ...here()]);
      assert.deepEqual([code, err], [0, '']);
      assert.match(out, /^lamp-agent +online +north +now +does lamp-agent$/m);
      assert.match(out, /^anna +here +now$/m);
      const watched = await watching(here(), async () => {
        const body = { run: 'abc-1', at, kind: 'ended', data: { outcome: 'done' } };
        await bus.publish(ourTopics.runEvents('abc-1'), { payload: JSON.stringify(body) });
      });
      assert.equal(watched.code, 0);
      assert.match(watched.err, /^Connected\. Ctrl-C ends it\.\n$/);
      assert.match(watched.out, /presence p-north of north is online\n/);
      assert.match(watched.out, /agents {3}agent lamp-agent: does lamp-agent\n/);
      assert.match(watched.out, /runs {5}run abc-1 ended done\n/);
    });

    it(`talk over ${kind} to a home of ours`, async () => {
      const bus = await connect();
      await bus.subscribe(amicaTopics.requests, async (message) => {
        const read = readAmica(message);
        if (!('message' in read) || read.message.kind !== 'request') return;
        const { messageId: requestId, conversationId } = read.message;
        const reply = { requestId, conversationId, message: 'Done.', isComplete: true, sequence: 1, atMs: 0 };
        const { topic, message: answer } = writeResponse({ ...reply, agentId: 'north' });
        await bus.publish(topic, answer);
      });
      const { code, out } = await callFolkmoot(['chat', ...here(), '-v', '--wait', '0.1'], { input: 'mow\n' });
      assert.equal(code, 0);
      assert.match(out, /^\[north\]\nDone\.\n---\n/);
    });
  }

  it('say that nobody listens there', async () => {
    const { code, err } = await callFolkmoot(['chat', '--broker', `redis://:secret@127.0.0.1:${await freePort()}`]);
    assert.equal(code, 1);
    assert.match(err, /^There is no connection to redis:\S+: no Valkey server listens there\. Start the server, or/);
    assert.doesNotMatch(err, /secret/);
  });
});

/** Watches until a run has ended; what happens is sent again until then, for nobody sees when it listens. */
async function watching(words: readonly string[], send: () => Promise<void>): Promise<Called> {
  const ended = new AbortController();
  let said = '';
  const called = callFolkmoot(['watch', ...words], { signal: ended.signal, onOut: (all) => (said = all) });
  for (let tries = 0; tries < 300 && !said.includes('ended done'); tries += 1) {
    await send();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  ended.abort();
  return called;
}
