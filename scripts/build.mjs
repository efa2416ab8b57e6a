/** Builds `dist`: engine, nodes and the command line as JavaScript with types, and a page for the editor for each node. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeEditorPage } from './editor-page.mjs';
import { inRoot, root } from './paths.mjs';
import { sourceStamp, writeStamp } from './stamp.mjs';

/** Node-RED finds the icons of the whole package beside any one listed file. */
const iconsBeside = 'router';

function compile() {
  return new Promise((resolve, reject) => {
    const compiler = inRoot('node_modules', 'typescript', 'bin', 'tsc');
    const child = spawn(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error('TypeScript found errors (see above); the build is not complete.')),
    );
  });
}

/** What was built from a source that is gone would still be found and loaded. */
async function removeOrphans() {
  for (const room of ['engine', 'nodes', 'bin']) {
    const folder = inRoot('dist', room);
    if (!existsSync(folder)) continue;
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(js|d\.ts)$/.test(entry.name)) continue;
      const built = path.join(entry.parentPath, entry.name);
      const source = inRoot(path.relative(inRoot('dist'), built).replace(/(\.d\.ts|\.js)$/, '.ts'));
      if (!existsSync(source)) await rm(built);
    }
  }
}

/** Only what tsc believes it wrote is kept by it: without its files its memory of them must go too. */
async function forgetIfEmpty() {
  if (!existsSync(inRoot('dist', 'engine'))) await rm(inRoot('dist'), { recursive: true, force: true });
}

/** Builds everything. @throws when a source has errors; then no stamp is left and the next start builds again. */
export async function build({ say = console.log } = {}) {
  const stamp = await sourceStamp();
  await forgetIfEmpty();
  await rm(inRoot('dist', '.build', 'stamp'), { force: true });
  const folders = (await readdir(inRoot('nodes'), { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const [pages] = await Promise.all([Promise.all(folders.map((entry) => writeEditorPage(entry.name))), compile()]);
  await removeOrphans();
  const icons = inRoot('dist', 'nodes', iconsBeside, 'icons');
  await rm(icons, { recursive: true, force: true });
  await mkdir(icons, { recursive: true });
  await cp(inRoot('icons'), icons, { recursive: true });
  await writeStamp(stamp);
  say(`Built ${pages.filter(Boolean).length} pages for the editor and the engine in dist/.`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  build().catch((error) => {
    console.error(String(error?.message ?? error));
    process.exitCode = 1;
  });
}
