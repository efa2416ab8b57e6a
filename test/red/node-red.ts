/** A real Node-RED in a folder of its own, on a free loopback port, for specs that drive it from outside. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const packageName = 'node-red-contrib-folkmoot';
/** Start on two busy cores; seconds alone. */
const startMs = 60_000;
const stopMs = 8_000;

export interface RunningNodeRed {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly userDir: string;
  /** All that it has printed so far. */
  log(): string;
  /** Ends the process and removes the folder. */
  stop(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const settings = (flowFile: string, more: string): string => `module.exports = {
  flowFile: ${JSON.stringify(flowFile)},
  uiHost: '127.0.0.1',
  credentialSecret: 'of a test',
  editorTheme: { tours: false, palette: { catalogues: [] } },
  telemetry: { enabled: false, updateNotification: false },
  logging: { console: { level: 'info', metrics: false, audit: false } },
  diagnostics: { enabled: false },
  ${more}
};
`;

/** Links a package into the folder, unless something else has put it there. */
async function linkPackage(userDir: string, from: string): Promise<void> {
  await mkdir(path.join(userDir, 'node_modules'), { recursive: true });
  await symlink(from, path.join(userDir, 'node_modules', packageName), 'dir');
}

async function waitForStart(child: ChildProcess, log: () => string, url: string): Promise<void> {
  const until = Date.now() + startMs;
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error(`Node-RED ended with code ${child.exitCode}:\n${log()}`);
    if (log().includes('Started flows')) {
      const answer = await fetch(`${url}/settings`).catch(() => undefined);
      // With users, strangers get no settings.
      if (answer?.ok || answer?.status === 401) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Node-RED did not start within ${startMs / 1000} s:\n${log()}`);
}

/**
 * Starts it. @param options `flows`: what it runs from the start. `prepare`: called with the user directory, instead of
 * linking this project into it. `settings`: further lines of its settings file, as code.
 */
export async function startNodeRed(
  options: {
    readonly flows?: readonly unknown[];
    readonly prepare?: (userDir: string) => Promise<void>;
    readonly settings?: string;
  } = {},
): Promise<RunningNodeRed> {
  const userDir = await mkdtemp(path.join(tmpdir(), 'folkmoot-node-red-'));
  const port = await freePort();
  const settingsFile = path.join(userDir, 'settings.cjs');
  await writeFile(settingsFile, settings('flows.json', options.settings ?? ''));
  await writeFile(path.join(userDir, 'flows.json'), JSON.stringify(options.flows ?? []));
  await writeFile(path.join(userDir, 'package.json'), '{ "name": "home", "private": true }');
  await (options.prepare ? options.prepare(userDir) : linkPackage(userDir, root));
  const main = path.join(root, 'node_modules', 'node-red', 'red.js');
  const child = spawn(process.execPath, [main, '-u', userDir, '-s', settingsFile, '-p', String(port)], {
    cwd: userDir,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const keep = (chunk: Buffer): void => void (printed = (printed + chunk.toString()).slice(-100_000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const onExit = (): void => void child.kill('SIGKILL');
  process.once('exit', onExit);
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    process.off('exit', onExit);
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const hard = setTimeout(() => child.kill('SIGKILL'), stopMs);
      await ended;
      clearTimeout(hard);
    }
    await rm(userDir, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    await waitForStart(child, () => printed, url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, userDir, log: () => printed, stop };
}
