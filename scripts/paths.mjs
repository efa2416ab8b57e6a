/** Where things are, for the scripts. */
import { fileURLToPath } from 'node:url';
import path from 'node:path';

/** The project's folder, absolute. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

export const inRoot = (...parts) => path.join(root, ...parts);
