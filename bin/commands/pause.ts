/** `folkmoot pause`: nothing acts any more, until `folkmoot resume`. */
import { readArgs, type CommandIo } from './command.ts';
import { changeControl, controlEnd, controlHelp, controlOptions } from './control-change.ts';
import { loginHelp } from './server.ts';

export const summary = 'nothing acts any more, until resume';

export const help = `folkmoot pause [OPTIONS]

Pauses every home on the broker: what people, buttons and flows ask is refused in
words, sensors begin nothing, and no command leaves. "folkmoot resume" ends it.

${controlHelp}

${controlEnd}
${loginHelp}
`;

export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const { values } = readArgs({ args: [...args], options: controlOptions });
  return changeControl({ paused: true }, { words: values, user: values.user, io });
}
