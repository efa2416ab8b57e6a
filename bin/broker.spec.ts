import assert from 'node:assert/strict';
import { connectAsync } from 'mqtt';
import { answersMqtt5 } from './broker-probe.ts';
import { startBroker, type Broker } from './broker.ts';
import { freePort } from '../test/free-port.ts';

describe('the embedded broker', () => {
  let broker: Broker;
  before(async () => {
    broker = await startBroker({ variable: 'FOLKMOOT_MQTT_PORT', port: 0, isSet: true });
  });
  after(() => broker.close());

  it('takes the long client ids of A.M.I.C.A. and carries its user properties', async () => {
    const clientId = 'A.M.I.C.A. / Message/5f0c3c52-0f3f-4a1e-9d0b-0c6f0a6b1f11';
    const client = await connectAsync(broker.url, { protocolVersion: 5, clientId });
    try {
      await client.subscribeAsync('/a/b');
      const heard = new Promise((resolve) =>
        client.once('message', (_topic, body, packet) =>
          resolve({ body: body.toString(), ...packet.properties?.userProperties }),
        ),
      );
      const userProperties = { MESSAGE_ID: 'm', CONVERSATION_ID: 'c' };
      await client.publishAsync('/a/b', '{}', { properties: { userProperties } });
      assert.deepEqual(await heard, { body: '{}', MESSAGE_ID: 'm', CONVERSATION_ID: 'c' });
    } finally {
      await client.endAsync(true);
    }
  });

  it('is recognised as an MQTT 5 broker, and an empty port is not', async () => {
    assert.equal(await answersMqtt5(broker.url), true);
    assert.equal(await answersMqtt5(`mqtt://127.0.0.1:${await freePort()}`), false);
  });

  it('closes while clients are connected', async () => {
    const other = await startBroker({ variable: 'FOLKMOOT_MQTT_PORT', port: 0, isSet: true });
    const client = await connectAsync(other.url, { protocolVersion: 5, reconnectPeriod: 0 });
    const gone = new Promise((resolve) => client.once('close', () => resolve(undefined)));
    await other.close();
    await gone;
  });
});
