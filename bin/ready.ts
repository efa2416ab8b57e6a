/** `ready.json` of a home: where it can be reached and which process it is. Other programs read it. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface Ready {
  readonly v: 1;
  readonly pid: number;
  /** Address of the editor. */
  readonly editor: string;
  /** Address of the broker, without user and password. */
  readonly mqtt: string;
  readonly isBrokerEmbedded: boolean;
  /** Address of the Valkey server that keeps everything, without user and password; absent: a file in the home. */
  readonly valkey?: string;
  /** ISO 8601. */
  readonly since: string;
}

const fileOf = (folder: string) => path.join(folder, 'ready.json');

/** An address that may be shown: user and password are taken out. */
export function withoutLogin(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href.replace(/\/$/, '');
}

/** Written as a whole or not at all, so that a reader never sees half of it. */
export async function writeReady(folder: string, ready: Ready): Promise<void> {
  const draft = `${fileOf(folder)}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(ready, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, fileOf(folder));
}

/** Nothing when the home isn't running or its file can't be read. */
export async function readReady(folder: string): Promise<Ready | undefined> {
  try {
    return JSON.parse(await readFile(fileOf(folder), 'utf8')) as Ready;
  } catch {
    return undefined;
  }
}

export async function removeReady(folder: string): Promise<void> {
  await rm(fileOf(folder), { force: true });
}
