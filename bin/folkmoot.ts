#!/usr/bin/env node
/** The program `folkmoot`: finds the command and runs it. */

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(`folkmoot needs Node.js 22.13 or later; this is ${process.versions.node}.\n`);
  process.exit(1);
}
// Only now: what it loads is not for an older one.
const { folkmoot } = await import('./commands/dispatch.ts');

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
