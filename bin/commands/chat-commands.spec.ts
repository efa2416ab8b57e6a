/** The chat's own commands over a real broker: with a home that keeps boards, and beside one that is another program. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createMqttBus } from '../../engine/bus/mqtt.ts';
import { createOurMessages } from '../../engine/bus/our-message.ts';
import { ourTopics } from '../../engine/bus/topics.ts';
import { systemClock } from '../../engine/clock.ts';
import { createLanguage } from '../../engine/language/language.ts';
import { createHomeService } from '../../engine/registry/home-service.ts';
import { createPresence } from '../../engine/registry/presence.ts';
import { createEmbeddedStore } from '../../engine/store/embedded.ts';
import { amicaAgent, javaAnswer, type AmicaAgent } from '../../test/amica-agent.ts';
import type { TestBroker } from '../../test/broker.ts';
import { callFolkmoot, runFolkmoot, type CallOptions } from '../../test/command-line.ts';
import { startMosquitto } from '../../test/mosquitto.ts';

describe('folkmoot chat, said to itself', function () {
  this.timeout(20_000);
  let broker: TestBroker;
  let java: AmicaAgent;
  let folder: string;
  const closers: (() => Promise<unknown>)[] = [];
  before(async () => {
    broker = await startMosquitto();
    java = await amicaAgent(broker.url, (asked, own) => own.send(asked, javaAnswer(`You said: ${asked.message}`)));
  });
  after(async () => {
    await java?.close();
    await broker?.stop();
  });
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'folkmoot-chat-'));
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    await rm(folder, { recursive: true, force: true });
  });

  async function openHome(house: string) {
    const bus = createMqttBus({ url: broker.url });
    const identity = { house, process: `p-${house}`, since: new Date().toISOString() };
    // Who is refused is reported there; the specs look at what is answered.
    const report = () => undefined;
    const presence = createPresence(bus, identity, { clock: systemClock, report });
    const store = createEmbeddedStore({ path: ':memory:', clock: systemClock });
    const messages = createOurMessages({ clock: systemClock, report });
    const agents = [{ agentId: 'p', name: 'Pool', description: `cleans in ${house}`, source: 'custom' as const }];
    const team = { agents, problems: [] };
    const service = createHomeService({
      ...{ bus, store, house, messages, report, sender: identity },
      refusal: ({ user }) => (user === 'mallory' ? 'Sorry, you are not among those who may ask here.' : undefined),
      language: () => createLanguage([]),
      list: () => team,
      reload: () => Promise.resolve(team),
    });
    // It shows itself, and hears: what is subscribed is acknowledged in order.
    await new Promise<void>((resolve, reject) => {
      bus.subscribe(ourTopics.presence(identity.process), () => resolve()).catch(reject);
    });
    closers.push(
      () => bus.close(),
      () => store.close(),
      async () => messages.close(),
      () => presence.close(),
      () => service.close(),
    );
  }
  const words = (more: readonly string[]) => [
    ...['chat', '--broker', broker.url, '--wait', '0.1', '--user', 'ana', '--boards', folder],
    ...more,
  ];
  const chat = (input: string, more: readonly string[] = [], options: CallOptions = {}) =>
    callFolkmoot(words(more), { input, ...options });

  it('saves the board of the only home that is here, in a program of its own, and loads it again', async () => {
    await openHome('south');
    const first = await runFolkmoot(words([]), { input: 'td\nsave\nevening\nlag\nhello\nquit\nnever\n' });
    assert.deepEqual([first.code, first.err], [0, '']);
    assert.match(
      first.out,
      /are on; [^\n]*\nWhich file in [^\n]*\nSaved as evening\.function_call\.json\.\nPool \(custom\): cleans in south\nYou said: hello\n---\n$/,
    );
    const saved = JSON.parse(await readFile(path.join(folder, 'evening.function_call.json'), 'utf8')) as object;
    assert.deepEqual(Object.keys(saved), ['blackboard', 'file_schema_version']);
    const second = await chat('td\nload\nevening\ndump\nclear\n');
    assert.equal(second.code, 0);
    assert.match(second.out, /\nevening\.function_call\.json is on the board: 0 commands\.\nThe board is empty\.\n/);
  });

  it('asks the home that one names where there are several', async () => {
    await openHome('north');
    await openHome('south');
    const unclear = await chat('td\nlag\n');
    assert.deepEqual(
      [unclear.code, unclear.err],
      [1, 'Several homes are here: north, south. Say which with --house NAME.\n'],
    );
    assert.match((await chat('td\nlag\n', ['--house', 'north'])).out, /cleans in north\n$/);
  });

  it('is refused in words where this user may not ask', async () => {
    await openHome('south');
    const { code, err } = await chat('td\ndump\n', ['--user', 'mallory']);
    assert.deepEqual([code, err], [1, 'Sorry, you are not among those who may ask here.\n']);
  });

  it('says where no home keeps boards, and talks on with whoever is there', async () => {
    const { code, out, err } = await chat('td\nsave\nx\nhello\nlist\n');
    assert.equal(err, 'No home is here that keeps boards and a team. Everything else works.\n');
    assert.match(out, /\nYou said: hello\n---\nThere are no board files in .*\n$/);
    assert.equal(code, 1);
  });

  it('shows help for a line that is too short, and sends it nowhere', async () => {
    const before = java.asked.length;
    const { code, out } = await chat('hi\nno\n');
    assert.deepEqual([code, java.asked.slice(before).map(({ message }) => message)], [0, ['no']]);
    assert.match(out, /^Say what you want/);
  });
});
