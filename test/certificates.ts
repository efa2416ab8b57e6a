/** An authority of one's own and certificates signed by it, in a folder that goes away; made by openssl. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface Authority {
  readonly caFile: string;
  /** @param names Such as `DNS:localhost` or `IP:127.0.0.1`. */
  issue(name: string, names: readonly string[]): Promise<Certificate>;
  remove(): Promise<void>;
}

const openssl = (...words: string[]) => run('openssl', words);
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export async function makeAuthority(): Promise<Authority> {
  const folder = await mkdtemp(join(tmpdir(), 'folkmoot-certificates-'));
  const at = (name: string) => join(folder, name);
  const caFile = at('ca.pem');
  await openssl(
    ...['req', '-x509', ...newKey, '-days', '2', '-subj', '/CN=Folkmoot specs'],
    ...['-keyout', at('ca.key'), '-out', caFile],
  );
  return {
    caFile,
    async issue(name, names) {
      const [certFile, keyFile] = [at(`${name}.pem`), at(`${name}.key`)];
      await openssl('req', ...newKey, '-subj', `/CN=${name}`, '-keyout', keyFile, '-out', at(`${name}.csr`));
      await writeFile(at(`${name}.ext`), `subjectAltName=${names.join(',')}\n`);
      await openssl(
        ...['x509', '-req', '-days', '2', '-in', at(`${name}.csr`), '-CA', caFile, '-CAkey', at('ca.key')],
        ...['-CAcreateserial', '-extfile', at(`${name}.ext`), '-out', certFile],
      );
      return { certFile, keyFile };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
