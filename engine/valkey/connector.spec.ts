import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { AbstractConnector } from 'ioredis';
import { connectorOf } from './connector.ts';

describe('a connection that is made for ioredis', () => {
  it('outlives a second error of its socket, and tells the first', async () => {
    const server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connector = new (connectorOf(AbstractConnector))({ host: '127.0.0.1', port, disconnectTimeout: 100 });
    const socket = await connector.connect(() => undefined);
    await once(socket, 'connect');
    for (const text of ['one', 'two']) socket.emit('error', new Error(text));
    assert.equal(connector.firstError?.message, 'one');
    socket.destroy();
    server.close();
  });

  it('is not begun once it was ended', async () => {
    const connector = new (connectorOf(AbstractConnector))({ host: '127.0.0.1', port: 1 });
    const connecting = connector.connect(() => undefined);
    connector.disconnect();
    await assert.rejects(connecting, /Connection is closed/);
  });
});
