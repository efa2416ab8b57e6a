/** `npm start`: installs and builds what is missing, then runs the home under Node.js 22. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ensureInstalledAndBuilt } from './ensure.mjs';
import { inRoot } from './paths.mjs';

const parentLooksMs = 500;

function runHome(node) {
  const words = ['--disable-warning=ExperimentalWarning', inRoot('bin', 'start.ts'), ...process.argv.slice(2)];
  // The channel tells the home when this process is gone, so that it never stays behind alone.
  const child = spawn(node, words, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  // A terminal sends Ctrl-C to both; the home knows that a second one at the same time is the same.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  endWithNpm(() => child.kill('SIGTERM'));
  child.once('error', (error) => {
    console.error(`The home could not be started: ${error.message}`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

/** A signal to npm ends npm and the shell in between, but is not passed on to this process. */
function endWithNpm(end) {
  if (process.env.npm_lifecycle_event !== 'start') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, parentLooksMs);
  timer.unref();
}

try {
  runHome(await ensureInstalledAndBuilt({ say: (line) => console.log(line) }));
} catch (error) {
  console.error(String(error?.message ?? error));
  process.exitCode = 1;
}
