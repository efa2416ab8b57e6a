/** How the store comes into a Valkey server: over TLS, with certificates, with a user of its access list. */
import assert from 'node:assert/strict';
import { makeAuthority, type Authority, type Certificate } from '../../test/certificates.ts';
import { freePort } from '../../test/free-port.ts';
import { startValkeyBench, type ValkeyBench } from '../../test/valkey-place.ts';
import type { Store } from './store.ts';
import { createValkeyStore, type ValkeyStoreOptions } from './valkey.ts';

/** What a home needs; docs/backbone.md says so. */
const rights = [
  'on',
  '>secret',
  '~folkmoot:*',
  '~conversation:*',
  '+@read',
  '+@write',
  '+@scripting',
  '+@connection',
  '+info',
  '+time',
];

describe('the store on Valkey, encrypted', function () {
  this.timeout(20_000);
  let [authority, other]: Authority[] = [];
  let own: Certificate;
  let bench: ValkeyBench;
  let port: number;
  let store: Store;
  before(async () => {
    [authority, other] = await Promise.all([makeAuthority(), makeAuthority()]);
    const server = await authority.issue('server', ['IP:127.0.0.1']);
    own = await authority.issue('client', ['DNS:client']);
    port = await freePort();
    const files = ['--tls-cert-file', server.certFile, '--tls-key-file', server.keyFile];
    const tls = ['--tls-port', String(port), ...files, '--tls-ca-cert-file', authority.caFile];
    bench = await startValkeyBench({ args: tls });
    await bench.client.call('ACL', 'SETUSER', 'home', ...rights);
  });
  after(async () => {
    await bench.stop();
    await Promise.all([authority?.remove(), other?.remove()]);
  });
  afterEach(() => store.close());

  const open = (more: Partial<ValkeyStoreOptions> = {}) => {
    const certificates = { caFile: authority?.caFile ?? '', ...own };
    store = createValkeyStore(bench.options({ url: `rediss://127.0.0.1:${port}`, ...certificates, ...more }));
    return store;
  };
  /** Why it is down. */
  const reason = (more: Partial<ValkeyStoreOptions>) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    open(more).link?.onState((state, why) => {
      if (state === 'down') resolve(why ?? '');
    });
    return promise;
  };

  it('keeps and reads with certificates of both sides', async () => {
    assert.equal(await open().put('folkmoot:{a}:k', 1), 1);
    assert.equal((await store.get('folkmoot:{a}:k'))?.value, 1);
  });

  it('says which certificate is wrong and what to do', async () => {
    assert.match(await reason({ caFile: other?.caFile ?? '' }), /authority/);
    await store.close();
    assert.match(await reason({ url: `rediss://localhost:${port}` }), /the certificate is not for this host name/);
    await store.close();
    const { pathname } = new URL('./valkey-access.spec.ts', import.meta.url);
    assert.match(await reason({ caFile: `${pathname}.none` }), /The certificate file .* can not be read/);
  });

  it('takes any certificate when it shall not check', async () => {
    assert.equal(await open({ caFile: other?.caFile ?? '', verifyServer: false }).put('folkmoot:{b}:k', 1), 1);
  });

  it('comes in as a user with rights to our keys only', async () => {
    open({ url: bench.server.url, user: 'home', password: 'secret', sharedLogs: ['conversation:'] });
    await store.transaction([
      { kind: 'put', key: 'folkmoot:{u}:k', value: 1, expiresInMs: 60_000 },
      { kind: 'append', log: 'folkmoot:{u}:l', values: [1] },
    ]);
    await store.append('conversation:u', [1], { expiresInMs: 60_000 });
    assert.equal((await store.scan('folkmoot:{u}')).length, 1);
    assert.equal((await store.scan('folkmoot:{')).length, 1);
    assert.equal((await store.readLast('conversation:u', 1)).length, 1);
    assert.equal(await store.deleteLog('folkmoot:{u}:l'), true);
    await store.close();
    assert.match(await reason({ url: bench.server.url, user: 'home', password: 'wrong' }), /user and password/);
  });
});
