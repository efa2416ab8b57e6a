/** The Python program gpt-multi-atomic-agents itself, as PyPI has it. */
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { installPython } from './programs.ts';

const version = '0.7.4';

/** As they were when it was published: with later ones its server can't ask a model. */
const packages = [`gpt-multi-atomic-agents==${version}`, 'atomic-agents==1.0.15', 'instructor==1.6.4'];

/**
 * Environment in which `python3` finds it. Installed once, in the folder for temporary files, where later runs find it.
 * @throws when pip can't: with what to install, or what pip says.
 */
export async function gptMaa(): Promise<NodeJS.ProcessEnv> {
  const folder = path.join(os.tmpdir(), `folkmoot-gpt-maa-${version}-as-published`);
  if (!existsSync(folder)) {
    const begun = await mkdtemp(`${folder}-`);
    try {
      await installPython(begun, ['--no-compile', ...packages]);
      // Whoever was first wins: both are the same.
      await rename(begun, folder).catch((error: unknown) => {
        if (!existsSync(folder)) throw error;
      });
    } finally {
      await rm(begun, { recursive: true, force: true });
    }
  }
  return { ...process.env, PYTHONPATH: folder };
}
