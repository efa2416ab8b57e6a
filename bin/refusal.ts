/** Errors of files and folders in words that say which one it is and what to do about it. */
import { folkmootError, isFolkmootError } from '../engine/errors.ts';

/** Sentences without their full stop, by the system's code. */
const sentences: Readonly<Record<string, (path: string, setting: string) => string>> = {
  EROFS: (path, setting) =>
    `${path} lies on a disk that can only be read: set ${setting} to a folder that can be written`,
  EACCES: (path, setting) => `You may not read and write ${path}: set ${setting} to a folder of your own`,
  EPERM: (path, setting) => `You may not change ${path}: set ${setting} to a folder of your own`,
  ENOSPC: (path) => `The disk is full, so that ${path} cannot be written: make room on it`,
  EDQUOT: (path) => `Your share of the disk is used up, so that ${path} cannot be written: make room on it`,
  ENOTDIR: (path, setting) => `${path} needs a folder where a file is: set ${setting} to another folder`,
  EEXIST: (path, setting) => `${path} is a file, but a folder is needed: set ${setting} to another folder`,
  EISDIR: (path) => `${path} is a folder, but a file is needed: move it away`,
  ENOENT: (path, setting) => `The system lets nobody make ${path}: set ${setting} to another folder`,
  ENAMETOOLONG: (path, setting) => `The name ${path.slice(0, 80)}… is too long: set ${setting} to a shorter one`,
  ELOOP: (path, setting) => `${path} is a link that leads back to itself: set ${setting} to another folder`,
};

/**
 * An error of a file or folder as FOLKMOOT_START_REFUSED; errors of any other kind come back as they are.
 * @param folder Named when the error names no path; only errors in it, or in folders above it, are put into words.
 * @param setting By which people choose another one.
 */
export function inWords(error: unknown, folder: string, setting = 'FOLKMOOT_HOME'): unknown {
  if (!(error instanceof Error) || isFolkmootError(error)) return error;
  const { code, path: of = folder } = error as NodeJS.ErrnoException;
  const isOfFile = code !== undefined && 'syscall' in error && 'path' in error;
  if (!isOfFile && !(code === 'ENOSPC' || code === 'EDQUOT')) return error;
  // In the folder, or one of those above it.
  if (!of.startsWith(folder) && !folder.startsWith(of)) return error;
  const sentence = sentences[code]?.(of, setting) ?? `${of} cannot be used (${code}): set ${setting} to another folder`;
  return folkmootError('FOLKMOOT_START_REFUSED', `${sentence}.`, error);
}
