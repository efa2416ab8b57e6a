/** `npm start`: the home in one process: lock, folder, broker, Node-RED, and the line that says it is ready. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FolkmootError } from '../engine/errors.ts';
import { startHome, type Home } from './home.ts';
import { readSettings } from './settings.ts';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** A second Ctrl-C this much later than the first ends at once; terminals and npm may send the first one twice. */
const impatientMs = 1_000;
/** Five seconds are promised. */
const closeMs = 4_500;

const say = (line: string) => console.log(line);
const complain = (line: string) => console.error(line);

async function keepTrace(folder: string | undefined, error: unknown): Promise<void> {
  if (!folder || !(error instanceof Error)) return;
  await writeFile(path.join(folder, 'last-error.txt'), `${new Date().toISOString()}\n${error.stack ?? ''}\n`).catch(
    () => undefined,
  );
}

/** Ends the process once, cleanly if it can within the time. */
function closer(home: Promise<Home>) {
  let closingSince = 0;
  return (code: number) => {
    if (closingSince) {
      if (Date.now() - closingSince > impatientMs) process.exit(130);
      return;
    }
    closingSince = Date.now();
    setTimeout(() => {
      complain('Folkmoot could not close everything in time and ends now.');
      process.exit(code || 1);
    }, closeMs).unref();
    void home
      .then((running) => running.close())
      .then(
        () => process.exit(code),
        () => process.exit(code || 1),
      );
  };
}

async function main(): Promise<void> {
  let folder: string | undefined;
  try {
    const settings = readSettings(root);
    folder = settings.folder;
    const home = startHome({ settings, root, say });
    const close = closer(home);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => close(0));
    // npm start's own process is gone: nobody could end this one any more.
    process.on('disconnect', () => close(0));
    const onCrash = (error: unknown) => {
      complain(`Something unexpected happened: ${error instanceof Error ? error.message : String(error)}`);
      void keepTrace(folder, error).then(() => close(1));
    };
    process.on('uncaughtException', onCrash);
    process.on('unhandledRejection', onCrash);
    await home;
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    if (!(error instanceof FolkmootError)) await keepTrace(folder, error);
    process.exit(1);
  }
}

await main();
