/** `folkmoot shadow`: homes try things out, and send nothing to devices. */
import { readArgs, UsageError, type CommandIo } from './command.ts';
import { changeControl, controlEnd, controlHelp, controlOptions } from './control-change.ts';
import { loginHelp } from './server.ts';

export const summary = 'try things out: nothing is sent to devices';

export const help = `folkmoot shadow on|off [OPTIONS]

Switches shadow on or off in every home on the broker: everything is planned,
worked on and told, and no command leaves for a device. A pause stays as it is.

${controlHelp}

${controlEnd}
${loginHelp}
`;

export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArgs({ args: [...args], allowPositionals: true, options: controlOptions });
  const [word, ...more] = positionals;
  if ((word !== 'on' && word !== 'off') || more.length > 0) throw new UsageError('It is "on" or "off".');
  return changeControl({ shadow: word === 'on' }, { words: values, user: values.user, io });
}
