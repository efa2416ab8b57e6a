import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import { freePort } from '../test/free-port.ts';
import { listen } from './ports.ts';

const host = '127.0.0.1';

describe('ports of the home', () => {
  const open: Server[] = [];
  const server = () => {
    const made = createServer();
    open.push(made);
    return made;
  };
  const taken = async () => {
    const port = await freePort();
    await listen(server(), { variable: 'X', port, isSet: true }, host, 'a test');
    return port;
  };
  afterEach(() => Promise.all(open.splice(0).map((one) => new Promise((resolve) => one.close(resolve)))));

  it('takes the next free one when a default is taken', async () => {
    const port = await taken();
    const got = await listen(server(), { variable: 'PORT', port, isSet: false }, host, 'the editor');
    assert.ok(got > port && got < port + 50, `${got} for ${port}`);
  });

  it('refuses a port that was set and is taken, in words', async () => {
    const port = await taken();
    await assert.rejects(
      listen(server(), { variable: 'PORT', port, isSet: true }, host, 'the editor'),
      new RegExp(`PORT asks for port ${port} for the editor, but another program uses it`),
    );
  });

  it('says when an address is not one of this computer', async () => {
    await assert.rejects(
      listen(server(), { variable: 'PORT', port: 0, isSet: true }, '192.0.2.1', 'the editor'),
      /FOLKMOOT_HOST=192.0.2.1 is not an address of this computer/,
    );
  });
});
