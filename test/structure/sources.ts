/** What the structure specs look at: the project's own source files and what they import. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/** Paths relative to the project, with forward slashes. */
export const filesOf = (...patterns: readonly string[]): string[] =>
  patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root, exclude: (name) => String(name).includes('node_modules') }))
    .map((file) => file.split(path.sep).join('/'))
    .sort();

export const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

export const readJson = (file: string): unknown => JSON.parse(read(file));

export const isSpec = (file: string): boolean => /\.(spec|contract)\.ts$/.test(file);

/** Source without comments, so that words of explanation are not taken for code. */
export const codeOf = (file: string): string => read(file).replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, '');

export interface Import {
  readonly file: string;
  /** As written for packages; relative to the project for files. */
  readonly target: string;
  readonly isTypeOnly: boolean;
  readonly isLazy: boolean;
}

/** Static and dynamic imports of a file. */
export function importsOf(file: string): Import[] {
  const code = codeOf(file);
  const found: Import[] = [];
  const add = (target: string, isTypeOnly: boolean, isLazy: boolean): void => {
    const resolved = target.startsWith('.') ? path.posix.join(path.posix.dirname(file), target) : target;
    found.push({ file, target: resolved, isTypeOnly, isLazy });
  };
  for (const match of code.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm)) {
    if (match[2]) add(match[2], Boolean(match[1]), false);
  }
  for (const match of code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)) if (match[1]) add(match[1], false, true);
  return found;
}

/** Folders of `nodes/` that hold a node (with settings). */
export const nodeNames = (): string[] =>
  filesOf('nodes/*/*.fields.ts').flatMap((file) => {
    const [, folder, name] = file.split('/');
    return folder !== undefined && name === `${folder}.fields.ts` ? [folder] : [];
  });
