/** `folkmoot acl`: access list and passwords for mosquitto, made from a flow. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { patternFault } from '../../engine/bus/topics.ts';
import {
  accessFile,
  accessOf,
  newPassword,
  passwordLine,
  standingUsers,
  type BrokerAccess,
} from '../../engine/people/broker-access.ts';
import { runningNodes, type FlowNode, type RunningNode } from '../../engine/people/running-nodes.ts';
import { inWords } from '../refusal.ts';
import { makeWritable } from '../writable-folder.ts';
import { homeFolder, packageFolder } from './addresses.ts';
import { readArgs, UsageError, type CommandIo } from './command.ts';

export const summary = 'who may do what on the broker: files for mosquitto';

export const help = `folkmoot acl [FLOW] [OPTIONS]

Writes three files for mosquitto, made from the nodes of a flow: who may do
what (folkmoot.acl), the passwords as mosquitto keeps them (folkmoot.passwords),
and the same passwords to read once, give to their users and delete
(folkmoot.users). There is one user for the home, one for people (chat), one for
who looks on (watch, agents), and one for each agent and tool of the flow.

Topics are read from the nodes: MQTT in and out, bus in and out, and what change
nodes before them set. What can not be known stands in the list as a comment.

  FLOW            a flow file; default: that of the home
  --topic TOPIC   a topic of devices that a node takes from messages, such as
                  zigbee2mqtt/#; can be given more than once
  --home NAME     user of the home's own connection; default: folkmoot-home
  --out FOLDER    where the files go; default: here
  --print         only prints the access list, and writes nothing
  --force         writes over files that are there
  -h, --help      this text
`;

const names = { acl: 'folkmoot.acl', passwords: 'folkmoot.passwords', users: 'folkmoot.users' } as const;

export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      topic: { type: 'string', multiple: true, default: [] },
      home: { type: 'string', default: 'folkmoot-home' },
      out: { type: 'string', default: '.' },
      print: { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
    },
  });
  if (positionals.length > 1) throw new UsageError('One flow at a time.');
  for (const topic of values.topic) checkTopic(topic);
  if (!/^[^\s:#]+$/.test(values.home)) throw new UsageError('--home is a name without blanks, : and #.');
  if (standingUsers.includes(values.home))
    throw new UsageError(`--home: "${values.home}" is another user of the list.`);
  if (values.out === '') throw new UsageError('--out names a folder.');
  const file = flowFile(positionals[0], io.env);
  const nodes = await readFlow(file, io.env);
  if (nodes === undefined) {
    io.err.write(`${file} can not be read as a flow. Name a file that Node-RED wrote.\n`);
    return 1;
  }
  const access = accessOf(nodes, { home: values.home, topics: values.topic });
  if (values.print) {
    io.out.write(accessFile(access));
    return 0;
  }
  const folder = path.resolve(values.out);
  const taken = Object.values(names).filter((name) => existsSync(path.join(folder, name)));
  if (taken.length > 0 && !values.force) {
    io.err.write(
      `${folder} has ${taken.join(', ')} already. Name another folder with --out, or write over with --force.\n`,
    );
    return 1;
  }
  await writeFiles(folder, access).catch((error: unknown) => {
    throw inWords(error, folder, '--out');
  });
  io.out.write(written(file, folder, access.notes));
  return 0;
}

async function writeFiles(folder: string, access: BrokerAccess): Promise<void> {
  await makeWritable(folder);
  const users = access.users.map(({ name }) => ({ name, password: newPassword() }));
  const write = (name: string, text: string) => writeFile(path.join(folder, name), text, { mode: 0o600 });
  await write(names.acl, accessFile(access));
  await write(names.passwords, `${users.map(({ name, password }) => passwordLine(name, password)).join('\n')}\n`);
  await write(names.users, `${users.map(({ name, password }) => `${name} ${password}`).join('\n')}\n`);
}

/** The list has a line for each, and the broker would refuse the whole file for one that is wrong. */
function checkTopic(topic: string): void {
  const fault = /\p{C}/u.test(topic) ? 'A topic has no line breaks or other control characters.' : patternFault(topic);
  if (fault) throw new UsageError(`--topic ${JSON.stringify(topic)} can not be used. ${fault}`);
}

const written = (file: string, folder: string, notes: readonly string[]): string =>
  [
    `Made from the flow ${file}.`,
    `Written to ${folder}: ${Object.values(names).join(', ')}.`,
    ...notes.map((note) => `Note: ${note}`),
    '',
    'Lines for mosquitto.conf:',
    '  allow_anonymous false',
    `  acl_file ${path.join(folder, names.acl)}`,
    `  password_file ${path.join(folder, names.passwords)}`,
    '',
    `mosquitto has to be able to read both. Give each user its password from ${names.users}, then delete that file.`,
    '',
  ].join('\n');

function flowFile(given: string | undefined, env: CommandIo['env']): string {
  if (given !== undefined) return path.resolve(given);
  const own = path.join(homeFolder(env), 'node-red', 'flows.json');
  return existsSync(own) ? own : path.join(packageFolder(), 'flows', 'home.json');
}

/** The nodes that run, with variables of the environment filled in. */
async function readFlow(file: string, env: CommandIo['env']): Promise<readonly RunningNode[] | undefined> {
  try {
    const nodes = JSON.parse(await readFile(file, 'utf8')) as unknown;
    const isFlow = Array.isArray(nodes) && nodes.every((node) => typeof (node as FlowNode | null)?.type === 'string');
    return isFlow ? runningNodes(nodes as FlowNode[], env) : undefined;
  } catch {
    return undefined;
  }
}
