/** Folders that are made where they are missing. */
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes it and those above it. Each is made by itself: told to make them all at once, Node.js never ends where the system
 * answers that a folder doesn't exist whatever is done, as in `/proc`.
 * @param mode Of those that it makes; default: that of the system.
 * @throws what the system says.
 */
export function makeFolder(folder: string, mode?: number): void {
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    if (isThere(folder)) return;
    const parent = path.dirname(folder);
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing || parent === folder || isThere(parent)) throw error;
    makeFolder(parent, mode);
    mkdirSync(folder, mode);
  }
}

/** What can't be looked at isn't. */
function isThere(place: string): boolean {
  try {
    return statSync(place).isDirectory();
  } catch {
    return false;
  }
}
