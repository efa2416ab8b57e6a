/** A folder that can be written: made where it is missing, and tried before anything relies on it. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../engine/make-folder.ts';

/** A disk with less room than this counts as full: a home needs more within its first minute. */
const roomBytes = 256 * 1024;

/** Only its owner may look into a folder of a home. */
const mode = 0o700;

/** Makes it if it is missing, and writes a file in it that is gone afterwards. @throws what the system says. */
export async function makeWritable(folder: string): Promise<void> {
  makeFolder(folder, mode);
  const file = path.join(folder, `.room-${process.pid}`);
  try {
    await writeFile(file, Buffer.alloc(roomBytes), { mode: 0o600 });
  } catch (error) {
    // People know the folder, not the file of a moment.
    throw Object.assign(error as Error, { path: folder });
  } finally {
    await rm(file, { force: true }).catch(() => undefined);
  }
}
