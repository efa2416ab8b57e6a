/** `folkmoot chat` in a real terminal (tmux), as somebody sees it and types into it. */
import assert from 'node:assert/strict';
import { amicaAgent, javaAnswer, streamWords, type AmicaAgent } from '../amica-agent.ts';
import { amicaValkeyAgent } from '../amica-valkey-agent.ts';
import type { TestBroker } from '../broker.ts';
import { startMosquitto } from '../mosquitto.ts';
import { openChat, type Terminal } from '../terminal.ts';
import { startValkey } from '../valkey-server.ts';
import { sharedHome } from './shared-home.ts';

const longAnswer =
  'This is a rather long answer that comes word by word, as a model makes it, so that it takes some time until all ' +
  'of it is there and one can type in between.';

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
    await terminal.ended();
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
      terminal = await openChat(['--broker', valkey.url], { env: { FOLKMOOT_BUS_PASSWORD: 'secret' } });
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
    terminal = await openChat(['--user', 'tmux'], { env: { FOLKMOOT_HOME: home.folder } });
    await terminal.until(/^>$/m);
    await terminal.type('turn on the light', 'Enter');
    await terminal.until(
      /> turn on the light\n[^>]*Which room: kitchen, living\s+room, bedroom or hall\?\s+Or\s+all\?\n---\n>$/,
    );
    await terminal.type('the kitchen', 'Enter');
    await terminal.until(/> the kitchen\nKitchen light on\.\n---\n>$/);
  });
});
