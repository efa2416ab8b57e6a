#!/usr/bin/env node
/** The program `folkmoot`: finds the command and runs it. */
import { folkmoot } from './commands/dispatch.ts';

const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // A second one ends at once.
    if (ended.signal.aborted) process.exit(130);
    ended.abort();
  });
}
/** Whoever reads what is printed went away, such as `| head`. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(1));

const code = await folkmoot(process.argv.slice(2), {
  in: process.stdin,
  out: process.stdout,
  err: process.stderr,
  env: process.env,
  signal: ended.signal,
});
// What was printed leaves first; what still holds the process open is of no use any more.
process.stdout.write('', () => process.exit(code));
