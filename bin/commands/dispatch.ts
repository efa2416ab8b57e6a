/** Which command is meant, its help, and errors in words: never a stack trace. */
import { asError, errorTable, isFolkmootError } from '../../engine/errors.ts';
import type { FolkmootError } from '../../engine/errors.ts';
import { UsageError, type Command, type CommandIo } from './command.ts';

/** Each is loaded when it is called. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  chat: () => import('./chat.ts'),
  agents: () => import('./agents.ts'),
  watch: () => import('./watch.ts'),
  pause: () => import('./pause.ts'),
  resume: () => import('./resume.ts'),
  shadow: () => import('./shadow.ts'),
  doctor: () => import('./doctor.ts'),
  acl: () => import('./acl.ts'),
};

const asksForHelp = (word: string | undefined): boolean => word === '--help' || word === '-h' || word === 'help';

/** Runs a command line without the program's name. Gives the exit code: 0, 1 it did not work, 2 wrong usage. */
export async function folkmoot(words: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...args] = words;
  if (name === undefined) return tell(io.err, await overview(), 2);
  if (asksForHelp(name)) return helpOf(args[0], io);
  if (name === '--version') return tell(io.out, await version(), 0);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) return tell(io.err, `"${name}" is not known here.\n\n${await overview()}`, 2);
  try {
    const command = await load();
    const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
    if (own.includes('--help') || own.includes('-h')) return tell(io.out, command.help, 0);
    return await command.run(args, io);
  } catch (error) {
    if (error instanceof UsageError) {
      return tell(io.err, `${error.message} "folkmoot ${name} --help" shows what is possible.`, 2);
    }
    const { message } = asError(error);
    return tell(io.err, isFolkmootError(error) ? withoutNode(error) : `Something unexpected happened: ${message}`, 1);
  }
}

/** Whoever calls a command has no node to open. */
const withoutNode = ({ code, message }: FolkmootError): string =>
  code === 'FOLKMOOT_BAD_SETTING'
    ? message.replace(errorTable[code], 'Correct that and call the command again.')
    : message;

async function helpOf(name: string | undefined, io: CommandIo): Promise<number> {
  const load = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  return tell(io.out, load ? (await load()).help : await overview(), 0);
}

function tell(to: CommandIo['out'], text: string, code: number): number {
  to.write(`${text.trimEnd()}\n`);
  return code;
}

async function overview(): Promise<string> {
  const all = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => `  ${name.padEnd(8)} ${(await load()).summary}`),
  );
  return [
    'folkmoot COMMAND [OPTIONS]',
    '',
    ...all,
    '',
    '"folkmoot COMMAND --help" tells more. Exit codes: 0 it worked, 1 it did not, 2 wrong usage.',
  ].join('\n');
}

async function version(): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  const path = await import('node:path');
  const { packageFolder } = await import('./addresses.ts');
  const facts = JSON.parse(await readFile(path.join(packageFolder(), 'package.json'), 'utf8')) as { version: string };
  return facts.version;
}
