/** Where data shared between projects lies: `FOLKMOOT_SHARED`, by default the folder `shared` beside this project. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const shared = process.env['FOLKMOOT_SHARED'] ?? fileURLToPath(new URL('../../shared', import.meta.url));

/** Text of the files in a folder of the shared data whose names end so, by name; empty where the folder is absent. */
export function sharedFiles(folder: string, ending: string): Record<string, string> {
  const path = join(shared, 'data', folder);
  if (!existsSync(path)) return {};
  const names = readdirSync(path).filter((name) => name.endsWith(ending));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(path, name), 'utf8')]));
}
