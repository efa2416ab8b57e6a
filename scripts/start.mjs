/** `npm start`: installs and builds what is missing, then runs the home under Node.js 22. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ensureInstalledAndBuilt } from './ensure.mjs';
import { inRoot } from './paths.mjs';

function runHome(node) {
  // The channel tells the home when this process is gone, so that it never stays behind alone.
  const child = spawn(
    node,
    ['--disable-warning=ExperimentalWarning', inRoot('bin', 'start.ts'), ...process.argv.slice(2)],
    {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    },
  );
  // A terminal sends Ctrl-C to both; the home takes a second one of the same kind within its closing for the first.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    console.error(`The home could not be started: ${error.message}`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

try {
  runHome(await ensureInstalledAndBuilt({ say: (line) => console.log(line) }));
} catch (error) {
  console.error(String(error?.message ?? error));
  process.exitCode = 1;
}
