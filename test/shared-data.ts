/** Where data shared between projects lies: `FOLKMOOT_SHARED`, by default the folder `shared` beside this project. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const shared = process.env['FOLKMOOT_SHARED'] ?? fileURLToPath(new URL('../../shared', import.meta.url));

const own = fileURLToPath(new URL('data', import.meta.url));

function filesIn(path: string, ending: string): Record<string, string> {
  if (!existsSync(path)) return {};
  const names = readdirSync(path).filter((name) => name.endsWith(ending));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(path, name), 'utf8')]));
}

/** Text of the files in a folder of the shared data whose names end so, by name; empty where the folder is absent. */
export const sharedFiles = (folder: string, ending: string): Record<string, string> =>
  filesIn(join(shared, 'data', folder), ending);

/** The same of the project's own smaller set in `test/data`. @throws when there is none. */
export function ownFiles(folder: string, ending: string): Record<string, string> {
  const files = filesIn(join(own, folder), ending);
  if (Object.keys(files).length === 0) throw new Error(`test/data/${folder} holds no *${ending}.`);
  return files;
}
