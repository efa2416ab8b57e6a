/** Errors of files and folders in words that say which one it is and what to do about it. */
import { folkmootError, isFolkmootError } from '../engine/errors.ts';

/** Sentences without their full stop, by the system's code. */
const sentences: Readonly<Record<string, (path: string) => string>> = {
  EROFS: (path) => `${path} lies on a disk that can only be read: set FOLKMOOT_HOME to a folder that can be written`,
  EACCES: (path) => `You may not read and write ${path}: set FOLKMOOT_HOME to a folder of your own`,
  EPERM: (path) => `You may not change ${path}: set FOLKMOOT_HOME to a folder of your own`,
  ENOSPC: (path) => `The disk is full, so that ${path} cannot be written: make room on it`,
  EDQUOT: (path) => `Your share of the disk is used up, so that ${path} cannot be written: make room on it`,
  ENOTDIR: (path) => `${path} needs a folder where a file is: set FOLKMOOT_HOME to another folder`,
  EEXIST: (path) => `${path} is a file, but a folder is needed: set FOLKMOOT_HOME to another folder`,
  EISDIR: (path) => `${path} is a folder, but a file is needed: move it away`,
  ENOENT: (path) => `The system lets nobody make ${path}: set FOLKMOOT_HOME to another folder`,
  ENAMETOOLONG: (path) => `The name ${path.slice(0, 80)}… is too long: set FOLKMOOT_HOME to a shorter one`,
  ELOOP: (path) => `${path} is a link that leads back to itself: set FOLKMOOT_HOME to another folder`,
};

/**
 * An error of a file or folder as FOLKMOOT_START_REFUSED; errors of any other kind come back as they are.
 * @param folder Named when the error names no path; only errors in it, or in folders above it, are put into words.
 */
export function inWords(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || isFolkmootError(error)) return error;
  const { code, path: of = folder } = error as NodeJS.ErrnoException;
  const isOfFile = code !== undefined && 'syscall' in error && 'path' in error;
  if (!isOfFile && !(code === 'ENOSPC' || code === 'EDQUOT')) return error;
  // In the folder, or one of those above it.
  if (!of.startsWith(folder) && !folder.startsWith(of)) return error;
  const sentence = sentences[code]?.(of) ?? `${of} cannot be used (${code}): set FOLKMOOT_HOME to another folder`;
  return folkmootError('FOLKMOOT_START_REFUSED', `${sentence}.`, error);
}
