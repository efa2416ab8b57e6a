/** `folkmoot chat` over a real broker, with agents that answer byte by byte as others do. */
import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { PassThrough } from 'node:stream';
import mqtt from 'mqtt';
import {
  amicaAgent,
  javaAnswer,
  streamPart,
  streamWords,
  type AmicaAgent,
  type Asked,
} from '../../test/amica-agent.ts';
import type { TestBroker } from '../../test/broker.ts';
import { callFolkmoot, type CallOptions } from '../../test/command-line.ts';
import { startMosquitto } from '../../test/mosquitto.ts';

describe('folkmoot chat', () => {
  let broker: TestBroker;
  const agents: AmicaAgent[] = [];
  before(async () => {
    broker = await startMosquitto();
  });
  after(() => broker.stop());
  afterEach(async () => {
    for (const agent of agents.splice(0)) await agent.close();
  });
  const answering = async (answer: (asked: Asked, agent: AmicaAgent) => Promise<void> | void) => {
    const agent = await amicaAgent(broker.url, answer);
    agents.push(agent);
    return agent;
  };
  const chat = (input: CallOptions['input'], words: readonly string[] = [], more: CallOptions = {}) =>
    callFolkmoot(['chat', '--broker', broker.url, '--wait', '0.2', ...words], {
      ...more,
      ...(input === undefined ? {} : { input }),
    });

  it('asks each line of a pipe in one conversation, passes over blank ones and ends at "exit"', async () => {
    const agent = await answering((asked, own) => own.send(asked, javaAnswer(`You said: ${asked.message}`)));
    const { code, out, err } = await chat('hello\n\n   \n  two  words \nexit\nnever\n');
    assert.deepEqual([code, err], [0, '']);
    assert.equal(out, 'You said: hello\n---\nYou said: two  words\n---\n');
    assert.deepEqual(
      agent.asked.map(({ message }) => message),
      ['hello', 'two  words'],
    );
    assert.equal(new Set(agent.asked.map(({ conversation }) => conversation)).size, 1);
    assert.equal(new Set(agent.asked.map(({ id }) => id)).size, 2);
    assert.equal(agent.asked[0]?.userName, userInfo().username);
    assert.equal(
      agent.asked[0]?.properties['PAYLOAD_TYPE'],
      'es.nachobrito.amica.domain.model.message.payload.UserRequest',
    );
  });

  it('asks again when a home comes, and says so when none is there', async () => {
    const said = Promise.withResolvers<undefined>();
    const talk = chat('hello\n', ['--timeout', '30'], {
      onErr: (all) => {
        if (all.includes('no home is here')) said.resolve(undefined);
      },
    });
    await said.promise;
    const agent = await answering((asked, own) => own.send(asked, javaAnswer(`You said: ${asked.message}`)));
    const presence = { v: 1, process: 'p1', house: 'h', status: 'online', since: new Date().toISOString() };
    const client = await mqtt.connectAsync(broker.url);
    await client.publishAsync('folkmoot/v1/presence/p1', JSON.stringify(presence), { qos: 1 });
    await client.endAsync();
    const { code, out } = await talk;
    assert.deepEqual([code, out], [0, 'You said: hello\n---\n']);
    assert.equal(agent.asked.length, 1);
  });

  it('asks in the name of a user, and with --new in a conversation each, several at once, each answer in one piece', async () => {
    const areAllAsked = Promise.withResolvers<undefined>();
    const agent = await answering(async (asked, own) => {
      if (asked.message === 'third') areAllAsked.resolve(undefined);
      // The first is not answered before the others are asked.
      if (asked.message !== 'first') return own.send(asked, javaAnswer(`quick ${asked.message}`));
      await areAllAsked.promise;
      await streamWords(own, asked, 'this takes some time', 60);
    });
    const { code, out } = await chat('first\nsecond\nthird', ['--new', '--user', 'bob']);
    assert.equal(code, 0);
    const blocks = out.split('---\n').filter(Boolean);
    assert.deepEqual(blocks.sort(), [
      '> first\nthis takes some time\n',
      '> second\nquick second\n',
      '> third\nquick third\n',
    ]);
    assert.equal(new Set(agent.asked.map(({ conversation }) => conversation)).size, 3);
    assert.ok(agent.asked.every(({ userName }) => userName === 'bob'));
  });

  it('shows words as they come, in order, and the answers of several agents one after the other', async () => {
    const seen: string[] = [];
    await answering(async (asked, own) => {
      await own.send(asked, streamPart('Two users ', 1), 'alpha');
      await own.send(asked, streamPart('in.', 3, true), 'alpha');
      await own.send(asked, javaAnswer('I know nothing of that.'));
      await own.send(asked, streamPart('are logged ', 2), 'alpha');
    });
    const { out } = await chat('how many?', ['-v'], { onOut: (all) => void seen.push(all) });
    const blocks = out.replace(/\(.*?\)\n/g, '').split('---\n');
    assert.deepEqual(blocks, ['[alpha]\nTwo users are logged in.\n', '[another agent]\nI know nothing of that.\n', '']);
    assert.ok(seen.some((all) => all.endsWith('Two users ')));
  });

  it('ends with exit code 1 when a request got no answer in time, and says which', async () => {
    await answering((asked, own) => (asked.message === 'hello' ? own.send(asked, javaAnswer('Hello.')) : undefined));
    const { code, out, err } = await chat('hello\nis anybody there?\nhello', ['--timeout', '1']);
    assert.deepEqual([code, out], [1, 'Hello.\n---\nHello.\n---\n']);
    assert.equal(err, '“is anybody there?”: No answer came within 1 s.\n');
  });

  it('shows what came of an answer whose end never does', async () => {
    await answering((asked, own) => own.send(asked, streamPart('Let me see', 1), 'alpha'));
    const { code, out, err } = await chat('hello', ['--timeout', '1']);
    assert.deepEqual([code, out], [1, 'Let me see\n---\n']);
    assert.match(err, /its end did not come/);
  });

  it('lets no answer steer the terminal', async () => {
    await answering((asked, own) => own.send(asked, javaAnswer('a\u001b[2Jb\u0007')));
    assert.equal((await chat('hello')).out, 'a[2Jb\n---\n');
  });

  it('says in words that the broker is down, at once', async () => {
    const started = Date.now();
    const { code, out, err } = await callFolkmoot(['chat', '--broker', 'mqtt://127.0.0.1:9'], { input: 'hello\n' });
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /^There is no connection to mqtt:\/\/127\.0\.0\.1:9: no broker listens there\. Start the home/);
    assert.ok(Date.now() - started < 5_000);
  });

  it('goes on when the broker was lost and came back', async () => {
    const input = new PassThrough();
    const answered = Promise.withResolvers<undefined>();
    await answering((asked, own) => own.send(asked, javaAnswer(`You said: ${asked.message}`)));
    const talk = chat(input, [], { onOut: (all) => all.includes('---') && answered.resolve(undefined) });
    input.write('one\n');
    await answered.promise;
    for (const agent of agents.splice(0)) await agent.close();
    await broker.kill();
    await broker.restart();
    await answering((asked, own) => own.send(asked, javaAnswer(`You said: ${asked.message}`)));
    input.end('two\n');
    const { code, out, err } = await talk;
    assert.deepEqual([code, out], [0, 'You said: one\n---\nYou said: two\n---\n']);
    assert.match(err, /^\(no connection to mqtt:.*\n\(connected again\)\n$/);
  });

  it('ends when it is told to, with what it waits for', async () => {
    const aborter = new AbortController();
    await answering(() => aborter.abort());
    const talk = chat('hello\n', [], { signal: aborter.signal });
    const { code, out, err } = await talk;
    assert.deepEqual([code, out, err], [1, '', '']);
  });
});
