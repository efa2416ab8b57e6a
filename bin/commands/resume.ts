/** `folkmoot resume`: ends `folkmoot pause`. */
import { readArgs, type CommandIo } from './command.ts';
import { changeControl, controlEnd, controlHelp, controlOptions } from './control-change.ts';
import { loginHelp } from './server.ts';

export const summary = 'go on after a pause';

export const help = `folkmoot resume [OPTIONS]

Every home on the broker goes on after "folkmoot pause". What "folkmoot shadow"
switched on stays on.

${controlHelp}

${controlEnd}
${loginHelp}
`;

export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const { values } = readArgs({ args: [...args], options: controlOptions });
  return changeControl({ paused: false }, { words: values, user: values.user, io });
}
