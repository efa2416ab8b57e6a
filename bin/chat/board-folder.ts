/** Board files in a local folder, as gpt-multi-atomic-agents keeps them: the name's end tells the format. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../engine/limits.ts';
import { makeFolder } from '../../engine/make-folder.ts';
import { inWords } from '../refusal.ts';

export const boardEndings = ['.function_call.json', '.graphql.json'] as const;

export interface BoardFolder {
  readonly path: string;
  /** Names of files, sorted; a folder that is not there has none. */
  list(): Promise<readonly string[]>;
  /** With or without an ending. @throws Error in words for people. */
  load(name: string): Promise<{ readonly file: string; readonly text: string }>;
  /** The ending is that of the text's format, whatever the name has. @returns The file's name. @throws as `load`. */
  save(name: string, text: string): Promise<string>;
}

/** What the file takes on the way is more than it has here. */
const mostBytes = limits.busPayloadBytes / 2;

export function createBoardFolder(folder: string): BoardFolder {
  const list = async () => {
    const names = await readdir(path.resolve(folder)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw inWords(error, path.resolve(folder), '--boards');
    });
    return names.filter((name) => endingOf(name) !== undefined).sort();
  };
  return {
    path: folder,
    list,
    async load(name) {
      const plain = checked(name);
      const wanted = endingOf(plain) ? [plain] : boardEndings.map((ending) => plain + ending);
      const found = (await list()).filter((one) => wanted.includes(one));
      if (found.length > 1) throw new Error(`There are ${found.join(' and ')}: name one with its ending.`);
      const [file] = found;
      if (file === undefined) throw new Error(`There is no ${wanted.join(' and no ')} in ${folder}.`);
      const { size } = await stat(path.join(folder, file));
      if (size > mostBytes) throw new Error(`${file} is larger than ${mostBytes / 1024} KB, so it can not be sent.`);
      return { file, text: await readFile(path.join(folder, file), 'utf8') };
    },
    async save(name, text) {
      const plain = checked(name);
      const given = endingOf(plain) ?? '';
      const base = given ? plain.slice(0, -given.length) : plain.replace(/\.json$/i, '');
      const file = checked(base) + formatEnding(text);
      try {
        makeFolder(path.resolve(folder));
        await writeFile(path.resolve(folder, file), text);
      } catch (error) {
        throw inWords(error, path.resolve(folder), '--boards');
      }
      return file;
    },
  };
}

const endingOf = (name: string) => boardEndings.find((ending) => name.endsWith(ending));

const formatEnding = (text: string) => {
  const { blackboard } = JSON.parse(text) as { blackboard?: { format?: unknown } };
  return boardEndings[blackboard?.format === 'graphql' ? 1 : 0];
};

/** A name leads nowhere else. */
function checked(name: string): string {
  if (/^[^./\\\p{Cc}][^/\\\p{Cc}]{0,150}$/u.test(name)) return name;
  throw new Error('The name of a file has no slashes, and no dot in front.');
}
