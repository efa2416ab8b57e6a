/** mosquitto's plugin whose rules refuse a subscription in so many words; its access list takes every one. */
import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const name = 'mosquitto_dynamic_security.so';

async function pluginFile(): Promise<string> {
  const folders = ['/usr/lib', '/usr/local/lib'];
  const below = (await readdir('/usr/lib')).map((folder) => path.join('/usr/lib', folder));
  const found = [...folders, ...below].map((folder) => path.join(folder, name)).find((file) => existsSync(file));
  if (!found) throw new Error(`mosquitto's ${name} is not installed.`);
  return found;
}

/**
 * Lines for mosquitto's configuration: one user, who may do everything but hear these topics.
 * @param folder For the plugin's file.
 */
export async function refusingLines(
  folder: string,
  user: { readonly name: string; readonly password: string; readonly deafTo: readonly string[] },
): Promise<string[]> {
  const salt = randomBytes(12);
  const client = {
    username: user.name,
    password: pbkdf2Sync(user.password, salt, 101, 64, 'sha512').toString('base64'),
    salt: salt.toString('base64'),
    iterations: 101,
    roles: [{ rolename: 'deaf' }],
  };
  const acls = user.deafTo.map((topic) => ({ acltype: 'subscribePattern', topic, allow: false }));
  const all = { publishClientSend: true, publishClientReceive: true, subscribe: true, unsubscribe: true };
  const file = path.join(folder, 'dynamic-security.json');
  const rules = { defaultACLAccess: all, clients: [client], roles: [{ rolename: 'deaf', acls }] };
  await writeFile(file, JSON.stringify(rules));
  return [`plugin ${await pluginFile()}`, `plugin_opt_config_file ${file}`];
}
