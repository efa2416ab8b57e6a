/** Who calls a command, when nobody said so. */
import { userInfo } from 'node:os';
import type { CommandIo } from './command.ts';

export function nameOfUser(env: CommandIo['env']): string {
  try {
    return userInfo().username;
  } catch {
    // Containers may run under a number without a name.
    return env['USER'] ?? 'somebody';
  }
}
