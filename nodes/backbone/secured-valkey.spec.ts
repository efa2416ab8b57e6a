/** Connections of a flow to a Valkey server that is encrypted and wants certificate, user and password of them. */
import assert from 'node:assert/strict';
import { makeAuthority, type Authority } from '../../test/certificates.ts';
import { freePort } from '../../test/free-port.ts';
import { arrivals, load, node, onTab, settle, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import { startValkeyBench, type ValkeyBench } from '../../test/valkey-place.ts';
import busIn from '../bus-in/bus-in.ts';
import busOut from '../bus-out/bus-out.ts';
import backbone from './backbone.ts';
import { testConnections } from './test-connections.ts';

const modules = [backbone, busIn, busOut] as never[];
const secret = 'pass:word@#ü';
const login = { busUser: 'home', busPassword: secret, storeUser: 'home', storePassword: secret };
const buses = ['valkey-streams', 'valkey-pubsub'] as const;

describe('connections to a Valkey server that asks who comes', function () {
  this.timeout(30_000);
  let authority: Authority;
  let other: Authority;
  let bench: ValkeyBench;
  let secured: { busUrl: string; storeUrl: string; caFile: string; certFile: string; keyFile: string };
  before(async () => {
    [authority, other] = await Promise.all([makeAuthority(), makeAuthority()]);
    const [server, own, port] = await Promise.all([
      authority.issue('server', ['IP:127.0.0.1']),
      authority.issue('home', ['DNS:home']),
      freePort(),
    ]);
    const files = ['--tls-cert-file', server.certFile, '--tls-key-file', server.keyFile];
    const args = [
      '--tls-port',
      `${port}`,
      ...files,
      '--tls-ca-cert-file',
      authority.caFile,
      '--tls-auth-clients',
      'yes',
    ];
    bench = await startValkeyBench({ password: 'of-another', args });
    await bench.client.call('ACL', 'SETUSER', 'home', 'on', `>${secret}`, '~*', '&*', '+@all');
    const url = `rediss://127.0.0.1:${port}`;
    secured = { busUrl: url, storeUrl: url, caFile: authority.caFile, ...own };
    await startServer();
  });
  after(async () => {
    await stopServer();
    await bench.stop();
    await Promise.all([authority.remove(), other.remove()]);
  });
  beforeEach(async () => void (await bench.client.flushall()));
  afterEach(unload);

  const open = (settings: object, credentials: object) =>
    load(
      modules,
      [
        { id: 'b', type: 'folkmoot-backbone', store: 'valkey', house: 'home', ...secured, ...settings },
        ...onTab([
          { id: 'in', type: 'folkmoot-bus-in', mode: 'topic', topic: 'home/#', backbone: 'b', wires: [['got']] },
          { id: 'out', type: 'folkmoot-bus-out', mode: 'topic', topic: 'home/a', backbone: 'b', wires: [] },
          { id: 'entries', type: 'folkmoot-bus-out', mode: 'stream', stream: 'jobs', backbone: 'b', wires: [] },
          { id: 'got', type: 'helper', wires: [] },
        ]),
      ],
      { b: credentials },
    );
  const looks = () =>
    (node('in') as unknown as { status: { args: { text?: string }[][] } }).status.args.map(
      ([look]) => look?.text ?? '',
    );
  const test = (settings: object, credentials: object) =>
    testConnections({ store: 'valkey', storePath: '', ...secured, ...settings, ...credentials } as never);

  for (const bus of buses)
    it(`carry messages and entries with certificate, user and password, and pass the Test button (${bus})`, async () => {
      await open({ bus }, login);
      const got = arrivals('got');
      await until(() => looks().some((text) => text.endsWith('.connected')), 10_000);
      await settle();
      node('out').receive({ payload: 'hello' });
      node('entries').receive({ payload: 'mow' });
      await until(() => got.length === 1, 10_000);
      const isThere = async () => (await bench.client.xlen('folkmoot:stream:jobs')) === 1;
      while (!(await isThere())) await settle();
      const tested = await test({ bus }, login);
      assert.deepEqual([tested.bus.isOk, tested.store.isOk], [true, true], JSON.stringify(tested));
    });

  it('carry nothing with another password, authority or without a certificate, and say why without the password', async () => {
    const cases = [
      [{}, { ...login, busPassword: 'wrong-secret', storePassword: 'wrong-secret' }, /user and password/],
      [{ caFile: other.caFile }, login, /authority/],
      [{ caFile: '' }, login, /authority/],
      [{ certFile: '', keyFile: '' }, login, /certificate|lost|ended/],
    ] as const;
    for (const bus of buses)
      for (const [settings, credentials, words] of cases) {
        const embedded = { store: 'embedded', storePath: ':memory:' };
        const { isOk, text } = (await test({ bus, ...settings, ...embedded }, credentials)).bus;
        assert.equal(isOk, false);
        assert.match(text, words);
        assert.doesNotMatch(text, /secret|pass:word/);
      }
    await open({ bus: 'valkey-streams', caFile: other.caFile }, login);
    await until(() => looks().some((text) => text.includes('disconnected')), 10_000);
    assert.doesNotMatch(looks().join(), /secret|pass:word/);
  });
});
