/** People speak to a flow over a Valkey server, in A.M.I.C.A.'s form: requests, replies and the end, as over a broker. */
import assert from 'node:assert/strict';
import { startValkey, type TestValkey } from '../../test/valkey-server.ts';
import { core, load, node, onTab, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import { readAmica, writeRequest } from '../../engine/bus/amica.ts';
import { amicaTopics } from '../../engine/bus/topics.ts';
import { createValkeyPubsubBus } from '../../engine/bus/valkey-pubsub.ts';
import { createValkeyStreamsBus } from '../../engine/bus/valkey-streams.ts';
import backboneNode from '../backbone/backbone.ts';
import busOutNode from '../bus-out/bus-out.ts';
import busInNode from './bus-in.ts';

const modules = [backboneNode, busInNode, busOutNode, ...core('function')] as never[];
const answering = `
  node.send({ ...msg, payload: 'You ', moot: { ...msg.moot } });
  msg.payload = 'said: ' + msg.payload + ' by ' + msg.moot.request.via;
  msg.moot.outcome = 'done';
  return msg;
`;

describe('people over a Valkey server', function () {
  this.timeout(30_000);
  let server: TestValkey;
  before(async () => {
    server = await startValkey();
    await startServer();
  });
  after(async () => {
    await stopServer();
    await server.stop();
  });
  afterEach(unload);

  for (const bus of ['valkey-pubsub', 'valkey-streams'] as const) {
    it(`are answered in parts over ${bus}, and the end of the conversation is told`, async () => {
      await load(modules, [
        { id: 'b', type: 'folkmoot-backbone', bus, busUrl: server.url, storePath: ':memory:' },
        ...onTab([
          { id: 'in', type: 'folkmoot-bus-in', mode: 'requests', backbone: 'b', wires: [['f']] },
          { id: 'f', type: 'function', func: answering, outputs: 1, wires: [['out']] },
          { id: 'out', type: 'folkmoot-bus-out', mode: 'reply', backbone: 'b', wires: [] },
        ]),
      ]);
      const create = bus === 'valkey-pubsub' ? createValkeyPubsubBus : createValkeyStreamsBus;
      const person = create({ url: server.url });
      const got: string[] = [];
      const hear = (message: Parameters<typeof readAmica>[0]) => {
        const read = readAmica(message);
        if (!('message' in read)) return;
        if (read.message.kind === 'ended') got.push(`ended ${read.message.endedConversation}`);
        if (read.message.kind === 'response') got.push(`${read.message.sequence} ${read.message.message}`);
      };
      await until(() => person.state === 'up');
      await person.subscribe(amicaTopics.events, hear);
      await person.subscribe(amicaTopics.replies(`r-${bus}`), hear);
      const present: string[] = [];
      await person.subscribe('folkmoot/v1/presence/+', (message) => void present.push(String(message.payload)));
      await until(() => present.some((text) => text.includes('"online"')));
      // Without a last will it is said again, and silence means gone.
      assert.match(present[0] ?? '', /"seconds":20/);
      const asked = { messageId: `r-${bus}`, conversationId: `c-${bus}`, userName: 'ana', message: 'mail me@@home' };
      const request = writeRequest({ ...asked, atMs: Date.now() });
      const { status } = node('in') as unknown as { status: { lastCall?: { args: [{ text?: string }] } } };
      await until(() => /\.connected$/.test(status.lastCall?.args[0].text ?? ''));
      await person.publish(request.topic, request.message);
      await until(() => got.length === 3);
      assert.deepEqual(got, ['1 You ', '2 said: mail me@@home by amica-valkey', `ended c-${bus}`]);
      await person.close();
    });
  }
});
