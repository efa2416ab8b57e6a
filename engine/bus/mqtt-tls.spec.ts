/** Encrypted connections, with an authority of one's own and a real broker. */
import assert from 'node:assert/strict';
import type { TestBroker } from '../../test/broker.ts';
import { makeAuthority, type Authority, type Certificate } from '../../test/certificates.ts';
import { freePort } from '../../test/free-port.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { newTopic, textOf, until } from './bus.contract.ts';
import type { Bus } from './bus.ts';
import { createMqttBus } from './mqtt.ts';
import type { MqttBusOptions } from './mqtt.ts';

const quick = { reconnectMinMs: 50, reconnectMaxMs: 400, connectTimeoutMs: 2_000 };

describe('an encrypted connection to a broker', function () {
  this.timeout(30_000);
  let authority: Authority;
  let other: Authority;
  let own: Certificate;
  let broker: TestBroker;
  let ports: { tls: number; mutual: number };
  const open: Bus[] = [];
  const connect = (port: number, options: Partial<MqttBusOptions> = {}, host = '127.0.0.1') => {
    const bus = createMqttBus({ url: `mqtts://${host}:${port}`, caFile: authority.caFile, ...quick, ...options });
    open.push(bus);
    return bus;
  };
  /** Why it is down. */
  const reasonOf = async (bus: Bus): Promise<string> => {
    let why = '';
    bus.onState((_, reason) => (why ||= reason ?? ''));
    await until('the refusal', () => why !== '');
    return why;
  };

  before(async () => {
    [authority, other] = await Promise.all([makeAuthority(), makeAuthority()]);
    const server = await authority.issue('server', ['IP:127.0.0.1']);
    own = await authority.issue('client', ['DNS:client']);
    ports = { tls: await freePort(), mutual: await freePort() };
    const tls = [`certfile ${server.certFile}`, `keyfile ${server.keyFile}`, `cafile ${authority.caFile}`];
    broker = await startMosquitto({
      lines: [
        ...[`listener ${ports.tls} 127.0.0.1`, ...tls, 'allow_anonymous true'],
        ...[`listener ${ports.mutual} 127.0.0.1`, ...tls, 'require_certificate true', 'allow_anonymous true'],
      ],
    });
  });
  after(async () => {
    await broker.stop();
    await Promise.all([authority.remove(), other.remove()]);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((bus) => bus.close()));
  });

  it('carries messages when the authority is known', async () => {
    const bus = connect(ports.tls);
    const topic = newTopic();
    const got: string[] = [];
    await bus.subscribe(topic, (message) => void got.push(textOf(message)));
    await bus.publish(topic, { payload: 'secret' });
    await until('the message', () => got.length === 1);
  });

  it('shows a certificate of its own where the broker wants one', async () => {
    const bus = connect(ports.mutual, own);
    await until('the connection', () => bus.state === 'up');
  });

  it('is not made, and says what to do, with another authority or another host name', async () => {
    assert.match(await reasonOf(connect(ports.tls, { caFile: other.caFile })), /give the file of that authority/);
    assert.match(
      await reasonOf(createMqttBusWithout(connect, ports.tls)),
      /signed by an authority that is not known here/,
    );
    assert.match(await reasonOf(connect(ports.tls, {}, 'localhost')), /not for this host name/);
    const unverified = connect(ports.tls, { caFile: other.caFile, verifyServer: false }, 'localhost');
    await until('the connection', () => unverified.state === 'up');
  });

  it('says what is wrong without a certificate, with a plain broker, and with a file that is not there', async () => {
    assert.match(await reasonOf(connect(ports.mutual)), /certificate|ended the connection|lost/);
    assert.match(await reasonOf(connect(broker.port)), /not encrypted|ended the connection/);
    const reason = await reasonOf(connect(ports.tls, { caFile: '/nowhere/ca.pem' }));
    assert.match(reason, /"\/nowhere\/ca.pem" can not be read/);
  });
});

/** With the authorities that this computer trusts. */
const createMqttBusWithout = (connect: (port: number, options: Partial<MqttBusOptions>) => Bus, port: number): Bus =>
  connect(port, { caFile: '' });
