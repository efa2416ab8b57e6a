import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import { admit, faultOfRules, isLoopback } from './access.ts';
import type { AccessRules, Headers } from './access.ts';
import { createRequestRate } from './request-rate.ts';

const rules = (more: Partial<AccessRules> = {}): AccessRules => ({
  ...{ authentication: 'none', user: '', password: '', token: '', submitToken: '' },
  ...more,
});
const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const status = (headers: Headers, more: Partial<AccessRules>, onLoopback = false) => {
  const admission = admit(headers, rules(more), onLoopback);
  return admission.isAllowed ? 200 : admission.status;
};

describe('who may ask over HTTP', () => {
  it('is only this computer where nothing is set, and no page of a stranger', () => {
    const host = 'localhost:1880';
    assert.equal(status({ host }, {}, true), 200);
    assert.equal(status({ host: '127.0.0.1:1880', origin: 'http://localhost:3000' }, {}, true), 200);
    assert.equal(status({ host }, {}, false), 403);
    assert.equal(status({ host, origin: 'https://example.org' }, {}, true), 403);
    assert.equal(status({ host, origin: 'http://localhost.example.org' }, {}, true), 403);
    assert.equal(status({ host, origin: 'null' }, {}, true), 403);
    assert.equal(status({ host: 'rebound.example.org:1880' }, {}, true), 403);
    assert.equal(status({}, {}, true), 403);
  });

  it('is who knows user and password', () => {
    const set = { authentication: 'basic', user: 'anna', password: 'a:b' } as const;
    assert.equal(status({ authorization: basic('anna', 'a:b') }, set), 200);
    for (const authorization of [basic('anna', 'a'), basic('Anna', 'a:b'), basic('', ''), 'Basic', 'Bearer a:b', ''])
      assert.equal(status({ authorization }, set), 401);
    const admission = admit({}, rules(set), false);
    assert.deepEqual(!admission.isAllowed && admission.challenge, 'Basic realm="Folkmoot"');
    assert.equal(status({ authorization: basic('', '') }, { authentication: 'basic' }), 401);
  });

  it('is who has the token, in either header', () => {
    const set = { authentication: 'bearer', token: 'abc' } as const;
    assert.equal(status({ authorization: 'Bearer abc' }, set), 200);
    assert.equal(status({ authorization: 'bearer  abc ' }, set), 200);
    assert.equal(status({ authorization: basic('node-red', 'x'), 'x-folkmoot-token': 'abc' }, set), 200);
    for (const authorization of ['Bearer abd', 'Bearer', 'Bearer a b', 'abc', basic('abc', 'abc')])
      assert.equal(status({ authorization }, set), 401);
    assert.equal(status({ authorization: 'Bearer ' }, { authentication: 'bearer' }), 401);
  });

  it('may submit agents only with the token for that, which is good for all else', () => {
    const set = { authentication: 'bearer', token: 'abc', submitToken: 'def' } as const;
    const maySubmit = (token: string, more: Partial<AccessRules> = set) => {
      const admission = admit({ 'x-folkmoot-token': token, host: 'localhost' }, rules(more), true);
      return admission.isAllowed && admission.maySubmit;
    };
    assert.deepEqual([maySubmit('abc'), maySubmit('def'), maySubmit('')], [false, true, false]);
    assert.equal(maySubmit('', {}), false);
    assert.equal(maySubmit('x', {}), false);
    assert.equal(status({ 'x-folkmoot-token': 'def' }, set), 200);
  });

  it('is said in words when it cannot be', () => {
    assert.equal(faultOfRules(rules(), true), undefined);
    assert.match(faultOfRules(rules(), false) ?? '', /Other computers/);
    assert.match(faultOfRules(rules({ authentication: 'basic', user: 'a' }), true) ?? '', /password/);
    assert.match(faultOfRules(rules({ authentication: 'bearer' }), true) ?? '', /token/);
    assert.equal(faultOfRules(rules({ authentication: 'bearer', token: 'x' }), false), undefined);
  });

  it('knows addresses of this computer only', () => {
    for (const address of ['127.0.0.1', '127.3.2.1', '::1', 'localhost', '::ffff:127.0.0.1'])
      assert.equal(isLoopback(address), true, address);
    for (const address of ['0.0.0.0', '::', '', '192.168.0.1', 'localhost.example.org', '1270.0.0.1'])
      assert.equal(isLoopback(address), false, address);
  });
});

describe('how often one may ask over HTTP', () => {
  it('is a burst, then as many a minute, each client for itself', async () => {
    const clock = fakeClock();
    const rate = createRequestRate({ perMinute: 6, clock });
    for (let i = 0; i < 6; i += 1) assert.equal(rate.take('a'), undefined);
    assert.equal(rate.take('a'), 10);
    assert.equal(rate.take('b'), undefined);
    await clock.advance(9_000);
    assert.equal(rate.take('a'), 1);
    await clock.advance(1_000);
    assert.equal(rate.take('a'), undefined);
    assert.equal(rate.take('a'), 10);
    await clock.advance(3_600_000);
    for (let i = 0; i < 6; i += 1) assert.equal(rate.take('a'), undefined);
    assert.equal(rate.take('a'), 10);
  });
});
