/** What the dialog's Test button says, with real servers and without. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../test/free-port.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { startValkey } from '../../test/valkey-server.ts';
import type { Red } from '../shared/red.ts';
import backbone from './backbone.ts';
import { testConnections } from './test-connections.ts';

describe('the test of connections', function () {
  this.timeout(20_000);
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'folkmoot-test-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('says that a broker and a folder work', async () => {
    const broker = await startMosquitto();
    const storePath = join(folder, 'made');
    const { bus, store } = await testConnections({ bus: 'mqtt', busUrl: broker.url, store: 'embedded', storePath });
    assert.match(`${bus.isOk} ${bus.text}`, /^true connected, and messages come back \(\d+ ms\)$/);
    assert.match(`${store.isOk} ${store.text}`, /^true the folder .* can be written$/);
    assert.equal(await broker.clients(), 0);
    await broker.stop();
  });

  it('says the same of a Valkey server, for messages and as memory', async () => {
    const server = await startValkey();
    for (const bus of ['valkey-streams', 'valkey-pubsub'] as const) {
      const address = { busUrl: server.url, storeUrl: server.url };
      const result = await testConnections({ bus, store: 'valkey', storePath: folder, ...address });
      assert.deepEqual([result.bus.isOk, result.store.isOk], [true, true], JSON.stringify(result));
    }
    await server.stop();
  });

  it('says what is wrong where nobody listens, and where the folder can not be written', async () => {
    const port = await freePort();
    await writeFile(join(folder, 'file'), '');
    const wrong = await testConnections({
      ...{ bus: 'mqtt', busUrl: `mqtt://127.0.0.1:${port}`, store: 'embedded', storePath: join(folder, 'file', 'x') },
    } as const);
    assert.deepEqual(wrong.bus, { isOk: false, text: 'no broker listens there' });
    assert.match(`${wrong.store.isOk} ${wrong.store.text}`, /^false the folder .* can not be written \(ENOTDIR\)/);
    const none = await testConnections({
      bus: 'mqtt',
      busUrl: 'nowhere',
      store: 'valkey',
      storeUrl: 'x',
      storePath: '',
    });
    assert.deepEqual([none.bus.isOk, none.store.isOk], [false, false]);
  });

  it('says that access rules keep messages from coming back', async () => {
    const broker = await startMosquitto({ acl: ['topic readwrite other/#'] });
    const { bus } = await testConnections({ bus: 'mqtt', busUrl: broker.url, store: 'embedded', storePath: folder });
    assert.match(`${bus.isOk} ${bus.text}`, /^false connected, but .*(refused|do not come back)/);
    await broker.stop();
  });
});

/** Hears what a client says first, and hangs up. */
async function listener(): Promise<{ readonly url: string; heard(): string; close(): void }> {
  let heard = '';
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data: Buffer) => {
      heard += data.toString('latin1');
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `mqtt://127.0.0.1:${port}`, heard: () => heard, close: () => void server.close() };
}

describe('the endpoint of the Test button', function () {
  this.timeout(20_000);
  type Answer = { readonly bus: { readonly isOk: boolean; readonly text: string } };

  it('needs a permission, and sends a saved password only where it was saved for', async () => {
    const [saved, other] = await Promise.all([listener(), listener()]);
    const permissions: string[] = [];
    let handle: ((request: object, response: object) => Promise<void>) | undefined;
    const node = {
      id: 'b',
      credentials: { busUser: 'ana', busPassword: 'secret' },
      on: () => undefined,
      status: () => undefined,
    };
    let construct: ((this: object, saved: object) => void) | undefined;
    const red = {
      nodes: {
        createNode: () => undefined,
        registerType: (_type: string, made: typeof construct) => void (construct = made),
        getNode: () => node,
        eachNode: () => undefined,
      },
      events: {
        on: () => undefined,
        once: () => undefined,
        prependListener: () => undefined,
        removeListener: () => undefined,
      },
      hooks: { add: () => undefined, remove: () => undefined },
      settings: {},
      log: { warn: () => undefined },
      auth: { needsPermission: (permission: string) => permissions.push(permission) },
      httpAdmin: { post: (_path: string, _auth: unknown, run: typeof handle) => void (handle = run) },
    };
    backbone(red as unknown as Red);
    construct?.call(node, { id: 'b', type: 'folkmoot-backbone', bus: 'mqtt', busUrl: saved.url });
    assert.deepEqual(permissions, ['folkmoot.backbone.write']);
    const test = async (busUrl: string): Promise<Answer> => {
      let answer: unknown;
      const body = {
        id: 'b',
        settings: { bus: 'mqtt', busUrl },
        credentials: { busUser: '__PWRD__', busPassword: '__PWRD__' },
      };
      await handle?.({ body }, { json: (given: unknown) => void (answer = given) });
      return answer as Answer;
    };
    assert.equal((await test(saved.url)).bus.isOk, false);
    assert.equal((await test(other.url)).bus.isOk, false);
    assert.match(saved.heard(), /ana.*secret/s);
    assert.match(other.heard(), /MQTT/);
    assert.doesNotMatch(other.heard(), /ana|secret/);
    saved.close();
    other.close();
  });
});
