/** `folkmoot chat` in a real terminal (tmux), as somebody sees it and types into it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { amicaAgent, javaAnswer, streamWords, type AmicaAgent } from '../amica-agent.ts';
import { amicaValkeyAgent } from '../amica-valkey-agent.ts';
import type { TestBroker } from '../broker.ts';
import { startMosquitto } from '../mosquitto.ts';
import { root } from '../structure/sources.ts';
import { startValkey } from '../valkey-server.ts';
import { sharedHome } from './shared-home.ts';

const run = promisify(execFile);
const columns = 60;
const longAnswer =
  'This is a rather long answer that comes word by word, as a model makes it, so that it takes some time until all ' +
  'of it is there and one can type in between.';

interface Terminal {
  /** What is on the screen, without empty rows. */
  screen(): Promise<string>;
  /** Waits until the screen shows it; gives the screen. @throws with the screen when it takes longer. */
  until(what: RegExp): Promise<string>;
  type(...keys: string[]): Promise<void>;
  isOpen(): Promise<boolean>;
  close(): Promise<void>;
}

async function openChat(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Terminal> {
  const socket = `folkmoot-${process.pid}-${randomUUID().slice(0, 8)}`;
  const tmux = (...args: string[]) => run('tmux', ['-L', socket, '-f', '/dev/null', ...args]);
  const program = [process.execPath, '--disable-warning=ExperimentalWarning', path.join(root, 'bin', 'folkmoot.ts')];
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const size = ['-x', String(columns), '-y', '24'];
  await tmux('new-session', '-d', ...size, ...variables, ...program, 'chat', ...words);
  const screen = async () => (await tmux('capture-pane', '-p')).stdout.replace(/\n+$/, '');
  return {
    screen,
    async until(what) {
      const end = Date.now() + 20_000;
      for (;;) {
        const now = await screen();
        if (what.test(now)) return now;
        if (Date.now() > end) throw new Error(`The screen does not show ${String(what)}:\n${now}`);
        await pause(30);
      }
    },
    type: async (...keys) => void (await tmux('send-keys', ...keys)),
    isOpen: () =>
      tmux('list-sessions').then(
        () => true,
        () => false,
      ),
    close: async () => void (await tmux('kill-server').catch(() => undefined)),
  };
}

describe('the chat in a real terminal', function () {
  this.timeout(60_000);
  let broker: TestBroker;
  let agent: AmicaAgent;
  let terminal: Terminal | undefined;
  before(async () => {
    broker = await startMosquitto();
    agent = await amicaAgent(broker.url, async (asked, own) => {
      if (asked.message === 'slow') await streamWords(own, asked, longAnswer, 80, 'slow-agent');
      else await own.send(asked, javaAnswer(`You said: ${asked.message}`));
    });
  });
  after(async () => {
    await agent?.close();
    await broker?.stop();
  });
  afterEach(() => terminal?.close());

  it('answers while an agent streams: one types on, and no answer is torn', async () => {
    terminal = await openChat(['--broker', broker.url]);
    await terminal.until(/^>$/m);
    await terminal.type('slow', 'Enter');
    const streaming = await terminal.until(/This is a rather long/);
    assert.doesNotMatch(streaming, /in between\./, 'it is shown as it comes');
    await terminal.type('a line that is longer than this terminal is wide, typed meanwhile');
    const typed = await terminal.until(/> a line that is longer[^]*anwhile/);
    assert.doesNotMatch(typed, /in between\./);
    await terminal.type('Enter');
    const waiting = await terminal.until(/^… a line that is longer/m);
    assert.match(waiting, /\n>$/);
    await terminal.type('and a third');
    await terminal.until(/> and a third$/);
    const shown = await terminal.until(/You said: a line[^]*---/);
    assert.equal(
      shown,
      [
        '> slow',
        'This is a rather long answer that comes word by word, as a',
        'model makes it, so that it takes some time until all of it',
        'is there and one can type in between.',
        '---',
        '> a line that is longer than this terminal is wide, typed',
        'meanwhile',
        'You said: a line that is longer than this terminal is wide,',
        'typed meanwhile',
        '---',
        '> and a third',
      ].join('\n'),
    );
  });

  it('passes over blank lines, brings back what was said by the arrow keys, and ends at "exit" (row 38)', async () => {
    const before = agent.asked.length;
    terminal = await openChat(['--broker', broker.url]);
    await terminal.until(/^>$/m);
    await terminal.type('Enter', '   ', 'Enter');
    for (const word of ['one', 'two']) {
      await terminal.type(word, 'Enter');
      await terminal.until(new RegExp(`You said: ${word}\n---\n>$`));
    }
    await terminal.type('Up', 'Up');
    await terminal.until(/\n> one$/);
    await terminal.type('!', 'Enter');
    await terminal.until(/> one!\nYou said: one!\n---\n>$/);
    await terminal.type('exit', 'Enter');
    const end = Date.now() + 10_000;
    while ((await terminal.isOpen()) && Date.now() < end) await pause(30);
    assert.equal(await terminal.isOpen(), false);
    assert.deepEqual(
      agent.asked.slice(before).map(({ message }) => message),
      ['one', 'two', 'one!'],
    );
  });

  it('talks over a Valkey server with a password, and says when it is gone and back', async () => {
    const valkey = await startValkey({ args: ['--requirepass', 'secret'] });
    const answer: Parameters<typeof amicaValkeyAgent>[1] = (asked, own) =>
      own.send(asked, javaAnswer(`You said: ${asked.message}`));
    const login = { password: 'secret' };
    let java = await amicaValkeyAgent(valkey.port, answer, login);
    try {
      terminal = await openChat(['--broker', valkey.url], { FOLKMOOT_BUS_PASSWORD: 'secret' });
      await terminal.until(/^>$/m);
      await terminal.type('one', 'Enter');
      await terminal.until(/^> one\nYou said: one\n---\n>$/);
      await java.close();
      await valkey.kill();
      await terminal.until(/\(no connection to redis:[^]*it is tried again\)\n>$/);
      await valkey.restart();
      java = await amicaValkeyAgent(valkey.port, answer, login);
      await terminal.until(/\(connected again\)\n>$/);
      await terminal.type('two', 'Enter');
      const shown = await terminal.until(/> two\nYou said: two\n---\n>$/);
      assert.doesNotMatch(shown, /secret/);
    } finally {
      await java.close();
      await valkey.stop();
    }
  });

  it('finds the running home by itself, and keeps to one conversation', async () => {
    const { home } = await sharedHome();
    terminal = await openChat(['--user', 'tmux'], { FOLKMOOT_HOME: home.folder });
    await terminal.until(/^>$/m);
    await terminal.type('turn on the light', 'Enter');
    await terminal.until(
      /> turn on the light\n[^>]*Which room: kitchen, living\s+room, bedroom or hall\?\s+Or\s+all\?\n---\n>$/,
    );
    await terminal.type('the kitchen', 'Enter');
    await terminal.until(/> the kitchen\nKitchen light on\.\n---\n>$/);
  });
});
