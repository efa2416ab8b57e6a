/** Connections of a flow to a broker that is encrypted and wants certificate, user and password of them. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { passwordLine } from '../../engine/people/broker-access.ts';
import type { TestBroker } from '../../test/broker.ts';
import { makeAuthority, type Authority } from '../../test/certificates.ts';
import { freePort } from '../../test/free-port.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { arrivals, load, node, onTab, settle, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import busIn from '../bus-in/bus-in.ts';
import busOut from '../bus-out/bus-out.ts';
import backbone from './backbone.ts';
import { testConnections } from './test-connections.ts';

const modules = [backbone, busIn, busOut] as never[];
const secret = 'pass:word@#ü';

describe('connections to a broker that asks who comes', function () {
  this.timeout(30_000);
  let authority: Authority;
  let other: Authority;
  let broker: TestBroker;
  let secured: { busUrl: string; caFile: string; certFile: string; keyFile: string };
  before(async () => {
    [authority, other] = await Promise.all([makeAuthority(), makeAuthority()]);
    const [server, own, port] = await Promise.all([
      authority.issue('server', ['IP:127.0.0.1']),
      authority.issue('home', ['DNS:home']),
      freePort(),
    ]);
    const passwords = join(dirname(authority.caFile), 'passwords');
    await writeFile(passwords, `${passwordLine('home', secret)}\n`);
    const tls = [`certfile ${server.certFile}`, `keyfile ${server.keyFile}`, `cafile ${authority.caFile}`];
    broker = await startMosquitto({
      isAnonymous: false,
      lines: [`password_file ${passwords}`, `listener ${port} 127.0.0.1`, ...tls, 'require_certificate true'],
    });
    secured = { busUrl: `mqtts://127.0.0.1:${port}`, caFile: authority.caFile, ...own };
    await startServer();
  });
  after(async () => {
    await stopServer();
    await broker.stop();
    await Promise.all([authority.remove(), other.remove()]);
  });
  afterEach(unload);

  const open = (settings: object, credentials: object) =>
    load(
      modules,
      [
        { id: 'b', type: 'folkmoot-backbone', bus: 'mqtt', storePath: ':memory:', ...secured, ...settings },
        ...onTab([
          { id: 'in', type: 'folkmoot-bus-in', mode: 'topic', topic: 'home/#', backbone: 'b', wires: [['got']] },
          { id: 'out', type: 'folkmoot-bus-out', mode: 'topic', topic: 'home/a', backbone: 'b', wires: [] },
          { id: 'got', type: 'helper', wires: [] },
        ]),
      ],
      { b: credentials },
    );
  /** What `in` shows; the helper's spies are those of all nodes. */
  const looks = () =>
    (node('in') as unknown as { status: { args: { text?: string }[][] } }).status.args.map(
      ([look]) => look?.text ?? '',
    );

  it('carry messages with certificate, user and password, and pass the Test button', async () => {
    const credentials = { busUser: 'home', busPassword: secret };
    await open({}, credentials);
    const got = arrivals('got');
    node('out').receive({ payload: 'hello' });
    await until(() => got.length === 1, 10_000);
    const { bus } = await testConnections({
      ...{ bus: 'mqtt', store: 'embedded', storePath: ':memory:', ...secured, ...credentials },
    } as const);
    assert.match(`${bus.isOk} ${bus.text}`, /^true connected/);
  });

  it('carry nothing with another password, authority or without a certificate, and say why without the password', async () => {
    const cases = [
      [{}, { busUser: 'home', busPassword: 'wrong-secret' }, /user and password/],
      [{ caFile: other.caFile }, { busUser: 'home', busPassword: secret }, /give the file of that authority/],
      [{ certFile: '', keyFile: '' }, { busUser: 'home', busPassword: secret }, /certificate|ended the connection/],
    ] as const;
    for (const [settings, credentials, words] of cases) {
      const tested = await testConnections({
        ...{ bus: 'mqtt', store: 'embedded', storePath: ':memory:', ...secured, ...settings, ...credentials },
      } as const);
      assert.equal(tested.bus.isOk, false);
      assert.match(tested.bus.text, words);
      assert.doesNotMatch(tested.bus.text, /secret|pass:word/);
      await open(settings, credentials);
      const got = arrivals('got');
      node('out').receive({ payload: 'hello' });
      await until(() => looks().some((text) => text.includes('disconnected')), 10_000);
      await settle();
      assert.equal(got.length, 0);
      assert.doesNotMatch(looks().join(), /secret|pass:word/);
      await unload();
    }
  });
});
