/** What each command of `folkmoot` is: a file here that exports `summary`, `help` and `run`. */
import type { Readable, Writable } from 'node:stream';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { asError } from '../../engine/errors.ts';

export interface CommandIo {
  readonly in: Readable & { readonly isTTY?: boolean };
  readonly out: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly err: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the process is asked to end. */
  readonly signal: AbortSignal;
}

export interface Command {
  /** Half a line for the list of commands. */
  readonly summary: string;
  /** The whole text of `--help`. */
  readonly help: string;
  /** Gives the exit code: 0 it worked, 1 it did not, 2 wrong usage. Errors that it throws are told in words. */
  run(args: readonly string[], io: CommandIo): Promise<number>;
}

/** The command was called in a way that it does not know: told in words, with a hint at `--help`; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** node:util's parseArgs, with its complaints as UsageError. `--help` and `-h` are the dispatcher's. */
export function readArgs<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // A word that was given may be an address with a password.
    const text = asError(error).message.replace(/'.*@.*'/s, "'…'");
    const dashed = /^Option '([^']+)' argument is ambiguous/.exec(text)?.[1];
    if (dashed !== undefined)
      throw new UsageError(`${dashed} has no value. One that begins with a dash is written ${dashed}=-….`);
    throw new UsageError(text.split('. ')[0]?.replace(/\.?$/, '.') ?? text);
  }
}

/** A number of seconds as milliseconds. Throws UsageError unless it is a number within the limits. */
export function secondsOf(option: string, given: string, [least, most]: readonly [number, number]): number {
  const seconds = Number(given);
  if (given.trim() !== '' && seconds >= least && seconds <= most) return seconds * 1000;
  throw new UsageError(`${option} is a number of seconds from ${least} to ${most}, not "${given}".`);
}
