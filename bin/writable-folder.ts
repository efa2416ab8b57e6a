/** A folder that can be written: made where it is missing, and tried before anything relies on it. */
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A disk with less room than this counts as full: a home needs more within its first minute. */
const roomBytes = 256 * 1024;

/** Only its owner may look into a folder of a home. */
const mode = 0o700;

/**
 * Each missing folder is made by itself: told to make them all at once, Node.js never ends where the system answers that
 * a folder doesn't exist whatever is done, as in `/proc`.
 */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = path.dirname(folder);
    const isThere = async (place: string) => (await stat(place).catch(() => undefined))?.isDirectory() === true;
    if (await isThere(folder)) return;
    if (code !== 'ENOENT' || parent === folder || (await isThere(parent))) throw error;
    await makeFolder(parent);
    await mkdir(folder, { mode });
  }
}

/** Makes it if it is missing, and writes a file in it that is gone afterwards. @throws what the system says. */
export async function makeWritable(folder: string): Promise<void> {
  await makeFolder(folder);
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
