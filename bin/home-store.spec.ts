import assert from 'node:assert/strict';
import { storeOfHome } from './home-store.ts';

const flow = [{ type: 'folkmoot-backbone', store: 'valkey', storeUrl: '${FOLKMOOT_VALKEY_URL}' }];
const never = () => assert.fail('nothing is to be asked');

describe('the store of a home', () => {
  it('is a file when nothing is set', async () => {
    const { address, note } = storeOfHome('', flow);
    assert.deepEqual([address, await note(never)], [undefined, '']);
  });

  it('is the server that is used, told without its password', async () => {
    const { address, note } = storeOfHome('valkey://:secret@127.0.0.1:6379', flow);
    assert.equal(address, 'valkey://127.0.0.1:6379');
    const asked: string[] = [];
    const said = await note(async (of) => void asked.push(of));
    assert.deepEqual([said, asked], ['', ['valkey://127.0.0.1:6379']]);
  });

  it('is a server that is not there yet', async () => {
    const { note } = storeOfHome('redis://u:secret@127.0.0.1:1', flow);
    const said = await note(async () => 'no Valkey server listens there');
    assert.match(
      said,
      /redis:\/\/127\.0\.0\.1:1 cannot be used yet \(no Valkey server listens there\); the home goes on/,
    );
    assert.ok(!said.includes('secret'));
  });

  it('says that the flow does not use what was set', async () => {
    const older = [{ type: 'folkmoot-backbone', store: 'embedded', storeUrl: '' }];
    const { address, note } = storeOfHome('valkey://127.0.0.1', older);
    assert.equal(address, undefined);
    assert.match(await note(never), /FOLKMOOT_VALKEY_URL is not used: .*--fresh/);
  });
});
