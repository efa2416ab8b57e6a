/**
 * The page of one node for the editor: form, help and the bundled editor script. The script is one classic function in
 * which `RED.nodes.registerType('folkmoot-x', { … })` stays literal, because the library's scorecard reads it so.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build as bundle } from 'esbuild';
import { inRoot } from './paths.mjs';

async function editorScript(folder, name) {
  const result = await bundle({
    entryPoints: [path.join(folder, `${name}.editor.ts`)],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2020',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const script = result.outputFiles[0].text;
  if (script.includes('</script'))
    throw new Error(`${name}.editor.ts holds "</script", which would end its page early.`);
  return script;
}

const textOf = (file) => (existsSync(file) ? readFile(file, 'utf8') : '');

/** Writes `dist/nodes/<name>/<name>.html` and the words beside it. Folders without an editor script are left out. */
export async function writeEditorPage(name) {
  const folder = inRoot('nodes', name);
  if (!existsSync(path.join(folder, `${name}.editor.ts`))) return false;
  const target = inRoot('dist', 'nodes', name);
  const [form, help, script] = await Promise.all([
    textOf(path.join(folder, `${name}.html`)),
    textOf(path.join(folder, `${name}.help.md`)),
    editorScript(folder, name),
  ]);
  const helpPage =
    help && `<script type="text/markdown" data-help-name="folkmoot-${name}">\n${help.trim()}\n</script>\n`;
  await mkdir(target, { recursive: true });
  await writeFile(
    path.join(target, `${name}.html`),
    `${form.trim()}\n${helpPage}<script type="text/javascript">\n${script.trim()}\n</script>\n`,
  );
  const words = path.join(folder, 'locales');
  if (existsSync(words)) await cp(words, path.join(target, 'locales'), { recursive: true });
  return true;
}
