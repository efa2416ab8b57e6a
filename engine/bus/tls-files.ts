/** Certificates of an encrypted connection: read from files in PEM form and tried, so that a wrong one is told in words. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { asError, folkmootError } from '../errors.ts';

export interface TlsFiles {
  /** Whose signature counts. Blank: those that this computer trusts. */
  readonly caFile?: string;
  /** For servers that ask who comes. */
  readonly certFile?: string;
  readonly keyFile?: string;
  /** The server's certificate has to be right for its name. Default true. */
  readonly verifyServer?: boolean;
}

export interface TlsOptions {
  readonly rejectUnauthorized: boolean;
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/** Throws FOLKMOOT_BAD_SETTING for a file that can't be read or used. */
export async function tlsOptionsOf({ caFile, certFile, keyFile, verifyServer = true }: TlsFiles): Promise<TlsOptions> {
  const [ca, cert, key] = await Promise.all([caFile, certFile, keyFile].map(pemOf));
  if (ca && caFile) usable(caFile, () => new X509Certificate(ca));
  if (cert && certFile) usable(certFile, () => createSecureContext({ cert }));
  if (key && keyFile) usable(keyFile, () => createSecureContext({ ...(cert ? { cert } : {}), key }));
  return {
    rejectUnauthorized: verifyServer,
    ...(ca ? { ca } : {}),
    ...(cert ? { cert } : {}),
    ...(key ? { key } : {}),
  };
}

async function pemOf(path: string | undefined): Promise<Buffer | undefined> {
  if (!path) return undefined;
  try {
    return await readFile(path);
  } catch (error) {
    throw folkmootError('FOLKMOOT_BAD_SETTING', `The certificate file "${path}" can not be read.`, error);
  }
}

function usable(path: string, tried: () => unknown): void {
  try {
    tried();
  } catch (error) {
    throw folkmootError('FOLKMOOT_BAD_SETTING', `The certificate file "${path}" ${faultOf(asError(error))}.`, error);
  }
}

function faultOf({ code }: Error & { readonly code?: unknown }): string {
  if (code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH') return 'is the key of another certificate';
  if (code === 'ERR_OSSL_BAD_DECRYPT') return 'is a key with a password, which can not be used';
  return 'does not hold what it should, in PEM form';
}
