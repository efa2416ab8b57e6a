import assert from 'node:assert/strict';
import { freePort } from '../test/free-port.ts';
import { startValkey } from '../test/valkey-server.ts';
import { storeOfHome } from './home-store.ts';

const flow = [{ type: 'folkmoot-backbone', store: 'valkey', storeUrl: '${FOLKMOOT_VALKEY_URL}' }];

describe('the store of a home', () => {
  it('is a file when nothing is set', async () => {
    assert.deepEqual(await storeOfHome('', flow), { note: '' });
  });

  it('is the server that answers, told without its password', async () => {
    const server = await startValkey({ args: ['--requirepass', 'secret'] });
    const { port } = server;
    const address = `valkey://127.0.0.1:${port}`;
    assert.deepEqual(await storeOfHome(`valkey://:secret@127.0.0.1:${port}`, flow), { address, note: '' });
    assert.match((await storeOfHome(address, flow)).note, /cannot be used yet \(.*user and password/);
    await server.stop();
  });

  it('is a server that is not there yet', async () => {
    const { address, note } = await storeOfHome(`redis://u:secret@127.0.0.1:${await freePort()}`, flow);
    assert.match(address ?? '', /^redis:\/\/127/);
    assert.match(note, /cannot be used yet \(no Valkey server listens there\); the home goes on/);
    assert.ok(!note.includes('secret'));
  });

  it('says that the flow does not use what was set', async () => {
    const older = [{ type: 'folkmoot-backbone', store: 'embedded', storeUrl: '' }];
    const { address, note } = await storeOfHome('valkey://127.0.0.1', older);
    assert.equal(address, undefined);
    assert.match(note, /FOLKMOOT_VALKEY_URL is not used: .*--fresh/);
  });
});
