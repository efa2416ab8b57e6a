/** `folkmoot chat` in a real terminal (tmux), as somebody sees it and types into it. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root } from './structure/sources.ts';

const run = promisify(execFile);
const columns = 60;

export interface Terminal {
  /** What is on the screen, without empty rows. */
  screen(): Promise<string>;
  /** Waits until the screen shows it; gives the screen. @throws with the screen when it takes longer. */
  until(what: RegExp | ((screen: string) => boolean)): Promise<string>;
  type(...keys: string[]): Promise<void>;
  /** Waits until the program has ended. @throws when it takes longer than 10 s. */
  ended(): Promise<void>;
  close(): Promise<void>;
}

export async function openChat(
  words: readonly string[],
  { env = {}, rows = 24 }: { readonly env?: Readonly<Record<string, string>>; readonly rows?: number } = {},
): Promise<Terminal> {
  const socket = `folkmoot-${process.pid}-${randomUUID().slice(0, 8)}`;
  const tmux = (...args: string[]) => run('tmux', ['-L', socket, '-f', '/dev/null', ...args]);
  const program = [process.execPath, '--disable-warning=ExperimentalWarning', path.join(root, 'bin', 'folkmoot.ts')];
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const size = ['-x', String(columns), '-y', String(rows)];
  await tmux('new-session', '-d', ...size, ...variables, ...program, 'chat', ...words);
  const screen = async () => (await tmux('capture-pane', '-p')).stdout.replace(/\n+$/, '');
  const isOpen = () =>
    tmux('list-sessions').then(
      () => true,
      () => false,
    );
  return {
    screen,
    async until(what) {
      const end = Date.now() + 20_000;
      for (;;) {
        const now = await screen();
        if (typeof what === 'function' ? what(now) : what.test(now)) return now;
        if (Date.now() > end) throw new Error(`The screen does not show ${String(what)}:\n${now}`);
        await pause(30);
      }
    },
    type: async (...keys) => void (await tmux('send-keys', ...keys)),
    async ended() {
      for (const end = Date.now() + 10_000; await isOpen(); await pause(30)) {
        if (Date.now() > end) throw new Error(`The chat goes on:\n${await screen()}`);
      }
    },
    close: async () => void (await tmux('kill-server').catch(() => undefined)),
  };
}
