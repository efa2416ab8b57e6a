/** Where the home's services are, when nobody said so: as its `ready.json` tells, then the environment, then the usual. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutSecrets } from '../../engine/bus/login.ts';
import { readReady, withoutLogin, type Ready } from '../ready.ts';
import { UsageError, type CommandIo } from './command.ts';

export const usualBroker = 'mqtt://127.0.0.1:1883';
const brokers = new Set(['mqtt:', 'mqtts:', 'ws:', 'wss:']);
const valkeys = new Set(['redis:', 'rediss:', 'valkey:', 'valkeys:']);

export const isValkey = (address: string): boolean => valkeys.has(new URL(address).protocol);
export const isEncrypted = (address: string): boolean => /^(mqtts|wss|rediss|valkeys):/i.test(address);

/** The package's folder, from the sources as well as from `dist`. */
export function packageFolder(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'package.json')) && path.dirname(folder) !== folder) {
    folder = path.dirname(folder);
  }
  return folder;
}

/** The home's folder: `FOLKMOOT_HOME`, else `.folkmoot` in the clone. */
export const homeFolder = (env: CommandIo['env']): string =>
  path.resolve(packageFolder(), env['FOLKMOOT_HOME']?.trim() || '.folkmoot');

/** What the running home tells of itself; nothing when none runs. */
export async function runningHome(env: CommandIo['env']): Promise<Ready | undefined> {
  const ready = await readReady(homeFolder(env));
  return ready && isAlive(ready.pid) ? ready : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs, but belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Address of the broker or the Valkey server, with user and password where it has them: one that the environment names
 * too has those that stand there.
 * @param given With `--broker`. Throws UsageError when it is none.
 */
export async function brokerAddress(given: string | undefined, env: CommandIo['env']): Promise<string> {
  const fromEnvironment = env['FOLKMOOT_MQTT_URL']?.trim() ?? '';
  if (given !== undefined) {
    const known = [fromEnvironment, env['FOLKMOOT_VALKEY_URL']?.trim() ?? ''];
    return known.find((address) => isSame(address, given)) ?? checked(given, '--broker');
  }
  const home = await runningHome(env);
  // ready.json has it without user and password.
  if (home && !(fromEnvironment && isSame(fromEnvironment, home.mqtt))) return home.mqtt;
  return fromEnvironment ? checked(fromEnvironment, 'FOLKMOOT_MQTT_URL') : usualBroker;
}

const isSame = (address: string, other: string): boolean => URL.canParse(address) && withoutLogin(address) === other;

function checked(address: string, from: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.hostname && (brokers.has(url.protocol) || valkeys.has(url.protocol))) return address;
  throw new UsageError(`${from} is an address such as ${usualBroker}, not "${withoutSecrets(address)}".`);
}
