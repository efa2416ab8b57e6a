/** compose.yaml: its files and health checks with real servers. No container is started here. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Redis } from 'ioredis';
import mqtt from 'mqtt';
import { withoutLogin } from '../../bin/ready.ts';
import { readSettings } from '../../bin/settings.ts';
import { callFolkmoot } from '../command-line.ts';
import { root } from '../structure/sources.ts';
import { readServices, startService, type RunningService } from './services.ts';

const secrets = { BROKER_PASSWORD: 'broker secret', VALKEY_PASSWORD: 'valkey-secret' };
const text = () => readFile(path.join(root, 'compose.yaml'), 'utf8');

describe('compose.yaml', function () {
  this.timeout(30_000);
  const running: RunningService[] = [];
  const start = async (name: string) => {
    const service = (await readServices(secrets))[name];
    assert.ok(service);
    const one = await startService(service);
    running.push(one);
    return one;
  };
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
  });

  it('starts nothing without passwords, and opens nothing to other computers by itself', async () => {
    await assert.rejects(readServices({}), /BROKER_PASSWORD is missing/);
    await assert.rejects(readServices({ BROKER_PASSWORD: 'x' }), /VALKEY_PASSWORD is missing/);
    const services = Object.values(await readServices(secrets));
    assert.equal(services.length, 2);
    for (const { ports, volumes, healthcheck, image } of services) {
      assert.ok(ports.every((port) => port.startsWith('127.0.0.1:')));
      assert.ok(
        volumes.some((volume) => !volume.startsWith('.')),
        'nothing is kept',
      );
      assert.ok(healthcheck.test.length > 0);
      assert.match(image, /:\d/);
    }
    const open = await readServices({ ...secrets, FOLKMOOT_BIND: '0.0.0.0' });
    assert.ok(Object.values(open).every(({ ports }) => ports.every((port) => port.startsWith('0.0.0.0:'))));
  });

  it('says at its top how npm start uses them', async () => {
    const filled = { BROKER_PASSWORD: 'a1', VALKEY_PASSWORD: 'b2' };
    const exported = [...(await text()).matchAll(/^# +export (\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value.replace(/\$(\w+)/g, (_, variable: keyof typeof filled) => filled[variable]),
    ]);
    const settings = readSettings(root, Object.fromEntries(exported) as NodeJS.ProcessEnv, []);
    assert.equal(settings.brokerUrl, 'mqtt://folkmoot:a1@127.0.0.1:1883');
    assert.equal(settings.storeUrl, 'valkey://:b2@127.0.0.1:6379');
    assert.equal(withoutLogin(settings.brokerUrl), 'mqtt://127.0.0.1:1883');
  });

  it('brings a broker that is healthy, lets its user in and nobody without a name', async () => {
    const broker = await start('mosquitto');
    const address = `127.0.0.1:${broker.port}`;
    assert.notEqual(await broker.check({ BROKER_PASSWORD: 'wrong' }), 0);
    for (const login of ['', 'folkmoot:wrong@', 'other:broker%20secret@']) {
      await assert.rejects(connect(`mqtt://${login}${address}`), /not authorized/i, login);
    }
    const client = await connect(`mqtt://folkmoot:${encodeURIComponent(secrets.BROKER_PASSWORD)}@${address}`);
    const heard = new Promise((resolve) => client.once('message', (topic) => resolve(topic)));
    await client.subscribeAsync('home/#');
    await client.publishAsync('home/fence', 'x', { qos: 1, retain: true });
    assert.equal(await heard, 'home/fence');
    await client.endAsync();
    await broker.restart();
    const again = await connect(`mqtt://folkmoot:${encodeURIComponent(secrets.BROKER_PASSWORD)}@${address}`);
    const kept = new Promise((resolve) => again.once('message', (_, __, { retain }) => resolve(retain)));
    await again.subscribeAsync('home/#');
    assert.equal(await kept, true);
    await again.endAsync();
  });

  it('takes the users that folkmoot acl makes, each with its own rights', async () => {
    const broker = await start('mosquitto');
    const flow = path.join(root, 'examples', '10 - an agent of another house.json');
    assert.equal((await callFolkmoot(['acl', flow, '--out', broker.config])).code, 0);
    await broker.restart();
    const users = (await readFile(path.join(broker.config, 'folkmoot.users'), 'utf8')).trim().split('\n');
    const password = users.map((line) => line.split(' ')).find(([name]) => name === 'greenhouse')?.[1];
    assert.ok(password);
    const agent = await connect(`mqtt://greenhouse:${password}@127.0.0.1:${broker.port}`);
    await agent.publishAsync('folkmoot/v1/agents/greenhouse', '{}', { qos: 1, retain: true });
    await assert.rejects(agent.publishAsync('home/message/set', '{}', { qos: 1 }), /not authorized/i);
    await agent.endAsync();
    assert.equal(await broker.check(), 0);
  });

  it('brings a Valkey server that is healthy, asks for the password and keeps what is written', async () => {
    const server = await start('valkey');
    assert.notEqual(await server.check({ REDISCLI_AUTH: 'wrong' }), 0);
    const stranger = new Redis(server.port, { retryStrategy: null });
    stranger.on('error', () => undefined);
    await assert.rejects(stranger.set('a', '1'), /NOAUTH/);
    stranger.disconnect();
    const own = () => new Redis(`redis://:${secrets.VALKEY_PASSWORD}@127.0.0.1:${server.port}`);
    const client = own();
    await client.set('a', '1');
    assert.deepEqual(await client.config('GET', 'maxmemory-policy'), ['maxmemory-policy', 'noeviction']);
    client.disconnect();
    await server.restart();
    const again = own();
    assert.equal(await again.get('a'), '1');
    again.disconnect();
  });
});

const connect = (url: string) => mqtt.connectAsync(url, { protocolVersion: 5, reconnectPeriod: 0 }, false);
