import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeAuthority, type Authority, type Certificate } from '../../test/certificates.ts';
import { tlsOptionsOf, type TlsFiles } from './tls-files.ts';

const run = promisify(execFile);

describe('the files of an encrypted connection', function () {
  this.timeout(20_000);
  let authority: Authority;
  let own: Certificate;
  let other: Certificate;
  const at = (name: string) => path.join(path.dirname(authority.caFile), name);
  before(async () => {
    authority = await makeAuthority();
    [own, other] = [await authority.issue('own', ['DNS:own']), await authority.issue('other', ['DNS:other'])];
    await writeFile(at('rubbish.pem'), 'rubbish\n');
    await run('openssl', ['ec', '-in', own.keyFile, '-aes256', '-passout', 'pass:x', '-out', at('locked.key')]);
  });
  after(() => authority.remove());

  it('are read, and the server is checked unless it is said otherwise', async () => {
    const { ca, cert, key, rejectUnauthorized } = await tlsOptionsOf({ caFile: authority.caFile, ...own });
    assert.ok(ca && cert && key && rejectUnauthorized);
    assert.deepEqual(await tlsOptionsOf({ verifyServer: false }), { rejectUnauthorized: false });
  });

  it('are refused by name, each with what is wrong with it', async () => {
    const rubbish = at('rubbish.pem');
    for (const [files, words] of [
      [{ caFile: at('none.pem') }, /none\.pem" can not be read/],
      [{ caFile: rubbish }, /rubbish\.pem" does not hold what it should, in PEM form/],
      [{ caFile: own.keyFile }, /own\.key" does not hold what it should/],
      [{ certFile: rubbish, keyFile: own.keyFile }, /rubbish\.pem" does not hold/],
      [{ certFile: own.certFile, keyFile: rubbish }, /rubbish\.pem" does not hold/],
      [{ certFile: own.certFile, keyFile: other.keyFile }, /other\.key" is the key of another certificate/],
      [{ certFile: own.certFile, keyFile: at('locked.key') }, /locked\.key" is a key with a password/],
    ] as readonly [TlsFiles, RegExp][]) {
      await assert.rejects(tlsOptionsOf(files), { code: 'FOLKMOOT_BAD_SETTING', message: words });
    }
  });
});
