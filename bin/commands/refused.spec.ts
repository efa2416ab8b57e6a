/** What the commands say when a real mosquitto does not let their user hear or ask: in so many words, or by silence. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mqtt from 'mqtt';
import { ourTopics } from '../../engine/bus/topics.ts';
import { passwordLine } from '../../engine/people/broker-access.ts';
import type { TestBroker } from '../../test/broker.ts';
import { callFolkmoot, runFolkmoot, type Called } from '../../test/command-line.ts';
import { refusingLines } from '../../test/dynamic-security.ts';
import { startMosquitto } from '../../test/mosquitto.ts';

const replies = '/es/nachobrito/amica/replies/+';
const ask = '/es/nachobrito/amica/user/request/v1';
const todo = /Take a user that may do more, .*: "folkmoot acl" writes one from a flow\.\n/;

describe('the commands where the broker refuses', function () {
  this.timeout(30_000);
  let folder: string;
  let broker: TestBroker | undefined;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'folkmoot-refused-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  afterEach(async () => {
    await broker?.stop();
    broker = undefined;
  });
  const as = (name: string) => `mqtt://${name}:secret@127.0.0.1:${broker?.port ?? 0}`;
  const call = async (words: readonly string[], until?: RegExp, run = callFolkmoot): Promise<Called> => {
    const ended = new AbortController();
    const onErr = (said: string) => void (until?.test(said) && ended.abort());
    return run(words, { input: 'hello\n', signal: ended.signal, onErr });
  };

  describe('a subscription, in so many words', () => {
    const refuse = async (...deafTo: string[]) => {
      const user = { name: 'ana', password: 'secret', deafTo };
      broker = await startMosquitto({ isAnonymous: false, lines: await refusingLines(folder, user) });
    };

    it('say which one, and what to do, and end with exit code 1 where nothing is left', async () => {
      await refuse('#');
      const watched = await call(['watch', '--broker', as('ana')]);
      assert.deepEqual([watched.code, watched.out], [1, '']);
      assert.match(
        watched.err,
        /^Connected\..*\nThe broker does not let this user hear .*"folkmoot\/v1\/runs\/\+\/events", /,
      );
      assert.match(watched.err, todo);
      const only = await call(['watch', '--only', 'presence', '--broker', as('ana')], undefined, runFolkmoot);
      assert.equal(only.code, 1);
      assert.match(only.err, /does not let this user hear "folkmoot\/v1\/presence\/\+"\. Take/);
      const agents = await call(['agents', '--broker', as('ana')]);
      assert.deepEqual([agents.code, agents.out], [1, '']);
      assert.match(agents.err, /^The broker does not let this user hear "folkmoot\/v1\/presence\/\+"\. Take a user/);
      const chat = await call(['chat', '--broker', as('ana')]);
      assert.deepEqual([chat.code, chat.out], [1, '']);
      assert.match(
        chat.err,
        /^The broker does not let this user hear "\/es\/nachobrito\/amica\/replies\/\S+"\. Take a user/,
      );
    });

    it('go on with the rest, and tell by the exit code that something was missing', async () => {
      await refuse('folkmoot/v1/runs/#', 'folkmoot/v1/tools/#');
      const client = await mqtt.connectAsync(as('ana'), { protocolVersion: 5 });
      const presence = { v: 1, process: 'p', house: 'h', status: 'offline', since: '2026-03-04T05:06:07Z' };
      await client.publishAsync(ourTopics.presence('p'), JSON.stringify(presence), { qos: 1, retain: true });
      const ended = new AbortController();
      const { code, out, err } = await callFolkmoot(['watch', '--broker', as('ana')], {
        signal: ended.signal,
        onErr: (said) => void (todo.test(said) && setImmediate(() => ended.abort())),
      });
      assert.equal(code, 1);
      assert.match(out, /presence p of h is offline/);
      assert.match(
        err,
        /does not let this user hear "folkmoot\/v1\/runs\/\+\/events", "folkmoot\/v1\/tools\/\+"\. Take/,
      );
      const agents = await call(['agents', '--broker', as('ana')]);
      assert.deepEqual([agents.code, /^h +offline/m.test(agents.out)], [1, true]);
      assert.match(agents.err, /does not let this user hear "folkmoot\/v1\/tools\/\+"\. Take/);
      await client.endAsync(true);
    });
  });

  describe('by silence', () => {
    const rules = async (...acl: string[]) => {
      const passwords = path.join(folder, 'passwords');
      await writeFile(passwords, `${passwordLine('ana', 'secret')}\n`);
      broker = await startMosquitto({ isAnonymous: false, acl, lines: [`password_file ${passwords}`] });
    };

    it('say that nothing may be read, when what they send is refused too or does not come back', async () => {
      await rules('user ana', `topic write ${ask}`, `topic read ${replies}`);
      for (const run of [callFolkmoot, runFolkmoot]) {
        const watched = await call(['watch', '--broker', as('ana')], todo, run);
        assert.deepEqual([watched.code, watched.out], [1, '']);
        assert.match(
          watched.err,
          /^Connected\..*\nNothing of "folkmoot\/v1\/#" came, and what this user sends there is refused/,
        );
      }
      const agents = await call(['agents', '--broker', as('ana')]);
      assert.deepEqual([agents.code, agents.out], [1, '']);
      assert.match(agents.err, /^Nothing of "folkmoot\/v1\/#" came, .*"folkmoot acl"/);
      // What people say it may hear in part, and is not told otherwise.
      const people = await call(['watch', '--only', 'people', '--broker', as('ana')], /Connected/);
      assert.deepEqual([people.code, people.err], [0, 'Connected. Ctrl-C ends it.\n']);
      await broker?.stop();
      await rules('user ana', 'topic write folkmoot/#');
      const deaf = await call(['watch', '--broker', as('ana')], todo);
      assert.equal(deaf.code, 1);
      assert.match(
        deaf.err,
        /\nThe broker gives this user nothing of "folkmoot\/v1\/#": its access rules do not let it read/,
      );
    });

    it('say nothing of rights to a user who may only read, when there is something to read', async () => {
      await rules('user ana', 'topic read folkmoot/#', 'user home', 'topic readwrite #');
      await writeFile(
        path.join(folder, 'passwords'),
        ['ana', 'home'].map((name) => `${passwordLine(name, 'secret')}\n`).join(''),
      );
      await broker?.kill();
      await broker?.restart();
      const client = await mqtt.connectAsync(as('home'), { protocolVersion: 5 });
      const presence = { v: 1, process: 'p', house: 'h', status: 'online', since: '2026-03-04T05:06:07Z' };
      await client.publishAsync(ourTopics.presence('p'), JSON.stringify(presence), { qos: 1, retain: true });
      const card = { v: 1, agentId: 'lamps', name: 'lamps' };
      await client.publishAsync(ourTopics.agent('lamps'), JSON.stringify(card), { qos: 1, retain: true });
      const ended = new AbortController();
      let said = '';
      const watching = callFolkmoot(['watch', '--broker', as('ana')], {
        signal: ended.signal,
        onOut: (all) => (said = all),
      });
      // Time enough to look for rights, and to tell of them.
      const body = { run: 'r', at: presence.since, kind: 'text', data: {} };
      for (let count = 0; count < 500 && said.split('run r').length < 20; count += 1) {
        await client.publishAsync(ourTopics.runEvents('r'), JSON.stringify(body), { qos: 1 });
      }
      ended.abort();
      const watched = await watching;
      assert.match(watched.out, /p of h is online/);
      assert.deepEqual([watched.code, watched.err], [0, 'Connected. Ctrl-C ends it.\n']);
      const agents = await call(['agents', '--broker', as('ana')]);
      assert.deepEqual([agents.code, agents.err], [0, '']);
      await client.endAsync(true);
    });

    it('list what a user may hear of who is here, and say that it is not all', async () => {
      const [presence, answers] = ['folkmoot/v1/presence/+', 'folkmoot/v1/answers/+'];
      const people = ['user ana', `topic read ${presence}`, `topic read ${answers}`];
      const agent = ['user eve', 'topic readwrite folkmoot/v1/agents/lamps', `topic write ${answers}`];
      const talker = ['user max', `topic readwrite ${answers}`];
      const homeOnly = ['user home', 'topic readwrite #'];
      await rules(...people, ...agent, ...talker, ...homeOnly);
      const users = ['ana', 'eve', 'max', 'home'];
      await writeFile(
        path.join(folder, 'passwords'),
        users.map((name) => `${passwordLine(name, 'secret')}\n`).join(''),
      );
      await broker?.kill();
      await broker?.restart();
      const client = await mqtt.connectAsync(as('home'), { protocolVersion: 5 });
      const here = { v: 1, process: 'p', house: 'h', status: 'online', since: '2026-03-04T05:06:07Z' };
      const card = { v: 1, agentId: 'lamps', name: 'lamps', description: 'turns lamps' };
      await client.publishAsync(ourTopics.presence('p'), JSON.stringify(here), { qos: 1, retain: true });
      await client.publishAsync(ourTopics.agent('lamps'), JSON.stringify(card), { qos: 1, retain: true });
      for (const [name, listed, told] of [
        ['ana', /^h +online/m, /^Only a part of .* it may not read the rest either\. Take a user/],
        ['eve', /^lamps +online/m, /^The broker gives this user only a part .* read the rest\. Take a user/],
        ['max', /^$/, /^Nothing of "folkmoot\/v1\/#" came, .* refused: it seems .*Take a user/],
      ] as const) {
        const { code, out, err } = await call(['agents', '--broker', as(name)]);
        assert.equal(code, 1, name);
        assert.match(out, listed, name);
        assert.match(err, told, name);
      }
      const all = await call(['agents', '--broker', as('home')]);
      assert.deepEqual([all.code, all.err], [0, '']);
      await client.endAsync(true);
    });

    it('say that a request is refused, or that rights may be why nobody answers', async () => {
      await rules('user ana', `topic read ${replies}`);
      const refused = await call(['chat', '--broker', as('ana')], undefined, runFolkmoot);
      assert.deepEqual([refused.code, refused.out], [1, '']);
      assert.match(refused.err, /^“hello”: The broker refused .*Take a user that may do more/);
      await broker?.stop();
      await rules('user ana', `topic write ${ask}`);
      const silent = await call(['chat', '--broker', as('ana'), '--timeout', '1']);
      assert.deepEqual([silent.code, silent.out], [1, '']);
      assert.match(silent.err, /^“hello”: No answer came within 1 s\. If the broker has access rules: .*replies\/\+/);
    });
  });
});
