/** The commands with a real broker that is encrypted and asks who comes, in this process and as programs. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createMqttBus } from '../../engine/bus/mqtt.ts';
import { until } from '../../engine/bus/bus.contract.ts';
import { amicaTopics } from '../../engine/bus/topics.ts';
import { readAmica, writeResponse } from '../../engine/bus/amica.ts';
import type { Bus } from '../../engine/bus/bus.ts';
import { passwordLine } from '../../engine/people/broker-access.ts';
import type { TestBroker } from '../../test/broker.ts';
import { makeAuthority, type Authority, type Certificate } from '../../test/certificates.ts';
import { callFolkmoot, runFolkmoot, type Called } from '../../test/command-line.ts';
import { freePort } from '../../test/free-port.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { javaAnswer } from '../../test/amica-agent.ts';
import { amicaValkeyAgent } from '../../test/amica-valkey-agent.ts';
import { startValkey } from '../../test/valkey-server.ts';

const secret = 'se:cr@t/ü%41';
const written = encodeURIComponent(secret);

describe('the commands with a broker that is encrypted and wants a password', function () {
  this.timeout(30_000);
  let authority: Authority;
  let other: Authority;
  let own: Certificate;
  let broker: TestBroker;
  let home: Bus;
  let ports: { tls: number; mutual: number };
  before(async () => {
    [authority, other] = await Promise.all([makeAuthority(), makeAuthority()]);
    const server = await authority.issue('server', ['IP:127.0.0.1']);
    own = await authority.issue('client', ['DNS:client']);
    ports = { tls: await freePort(), mutual: await freePort() };
    const passwords = path.join(path.dirname(authority.caFile), 'passwords');
    await writeFile(passwords, `${passwordLine('ana', secret)}\n`);
    const tls = [`certfile ${server.certFile}`, `keyfile ${server.keyFile}`, `cafile ${authority.caFile}`];
    broker = await startMosquitto({
      isAnonymous: false,
      lines: [
        `password_file ${passwords}`,
        ...[`listener ${ports.tls} 127.0.0.1`, ...tls],
        ...[`listener ${ports.mutual} 127.0.0.1`, ...tls, 'require_certificate true'],
      ],
    });
    home = createMqttBus({ url: broker.url, user: 'ana', password: secret });
    await until('the home', () => home.state === 'up');
    await home.subscribe(amicaTopics.requests, async (message) => {
      const read = readAmica(message);
      if (!('message' in read) || read.message.kind !== 'request') return;
      const { messageId: requestId, conversationId, message: asked } = read.message;
      const reply = {
        requestId,
        conversationId,
        message: `You said: ${asked}`,
        isComplete: true,
        sequence: 1,
        atMs: 0,
      };
      const { topic, message: answer } = writeResponse({ ...reply, agentId: 'echo' });
      await home.publish(topic, answer);
    });
  });
  after(async () => {
    await home.close();
    await broker.stop();
    await Promise.all([authority.remove(), other.remove()]);
  });
  const address = (port: number, login = '') => `mqtts://${login}127.0.0.1:${port}`;
  const asks = { input: 'hello\n' };
  const chat = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    callFolkmoot(['chat', '--wait', '0.1', ...words], { ...asks, env });
  const isAnswered = ({ code, out, err }: Called) =>
    assert.deepEqual([code, out, err], [0, 'You said: hello\n---\n', '']);

  it('talk to it with --ca, with user and password in the address or in the environment', async () => {
    const ca = ['--ca', authority.caFile];
    isAnswered(await chat(['--broker', address(ports.tls, `ana:${written}@`), ...ca]));
    const login = { FOLKMOOT_BUS_USER: 'ana', FOLKMOOT_BUS_PASSWORD: secret };
    isAnswered(await chat(['--broker', address(ports.tls), ...ca], login));
    const named = { FOLKMOOT_MQTT_URL: address(ports.tls, `ana:${written}@`), FOLKMOOT_CA_FILE: authority.caFile };
    isAnswered(await chat([], named));
    // It stands in the environment, so that it need not stand in the command line.
    isAnswered(await chat(['--broker', address(ports.tls)], named));
  });

  it('show a certificate of their own where the broker wants one, also as programs', async () => {
    const to = address(ports.mutual, `ana:${written}@`);
    const files = ['--ca', authority.caFile, '--cert', own.certFile, '--key', own.keyFile];
    const called = ['chat', '--wait', '0.1', '--broker', to, ...files];
    isAnswered(await callFolkmoot(called, asks));
    isAnswered(await runFolkmoot(called, asks));
    const env = {
      FOLKMOOT_MQTT_URL: to,
      FOLKMOOT_CA_FILE: authority.caFile,
      FOLKMOOT_CERT_FILE: own.certFile,
      FOLKMOOT_KEY_FILE: own.keyFile,
    };
    isAnswered(await runFolkmoot(['chat', '--wait', '0.1'], { ...asks, env }));
    const agents = await runFolkmoot(['agents'], { env });
    assert.deepEqual([agents.code, agents.err], [0, '']);
    const doctor = await callFolkmoot(['doctor'], { env });
    assert.match(doctor.out, /^ok {4}Broker +mqtts:\/\/127\.0\.0\.1:\d+: connected, and messages come back/m);
    const ended = new AbortController();
    const watched = await runFolkmoot(['watch'], {
      env,
      signal: ended.signal,
      onErr: (said) => void (said.includes('Connected.') && ended.abort()),
    });
    assert.match(watched.err, /^Connected\. Ctrl-C ends it\.\n$/);
  });

  it('talk to a Valkey server that is encrypted and wants certificate, user and password', async () => {
    const server = await authority.issue('valkey', ['IP:127.0.0.1']);
    const port = await freePort();
    const keys = ['--tls-cert-file', server.certFile, '--tls-key-file', server.keyFile];
    const tls = ['--tls-port', String(port), ...keys, '--tls-ca-cert-file', authority.caFile];
    const valkey = await startValkey({ args: [...tls, '--requirepass', secret] });
    const agent = await amicaValkeyAgent(
      valkey.port,
      (asked, agent) => agent.send(asked, javaAnswer(`You said: ${asked.message}`)),
      { password: secret },
    );
    try {
      const to = ['--broker', `rediss://:${written}@127.0.0.1:${port}`];
      const files = ['--cert', own.certFile, '--key', own.keyFile];
      isAnswered(await chat([...to, ...files, '--ca', authority.caFile]));
      const env = { FOLKMOOT_BUS_PASSWORD: secret, FOLKMOOT_CA_FILE: authority.caFile };
      isAnswered(await chat(['--broker', `rediss://127.0.0.1:${port}`, ...files], env));
      for (const [words, expected] of [
        [[...to, ...files, '--ca', other.caFile], /authority.* --ca or in FOLKMOOT_CA_FILE/],
        [[...to, '--ca', authority.caFile], /certificate|ended the connection|lost/],
        [['--broker', `redis://:wrong-secret@127.0.0.1:${valkey.port}`], /does not accept user and password/],
      ] as const) {
        const { code, err } = await chat(words);
        assert.equal(code, 1);
        assert.match(err, expected);
        assert.ok(!err.includes('se:cr') && !err.includes(written) && !err.includes('wrong-secret'), err);
      }
    } finally {
      await agent.close();
      await valkey.stop();
    }
  });

  it('check the server, and say what to do, without the password', async () => {
    const ca = ['--ca', authority.caFile];
    const tls = address(ports.tls, `ana:${written}@`);
    for (const [words, expected] of [
      [['--broker', tls], /signed by an authority that is not known here.* --ca or in FOLKMOOT_CA_FILE/],
      [['--broker', tls, '--ca', other.caFile], /authority.* --ca or in FOLKMOOT_CA_FILE/],
      [['--broker', tls.replace('127.0.0.1', 'localhost'), ...ca], /not for this host name/],
      [['--broker', address(ports.mutual, `ana:${written}@`), ...ca], /--cert and --key|ended the connection|lost/],
      [
        ['--broker', address(ports.tls, 'ana:wrong-secret@'), ...ca],
        /does not accept user and password.*FOLKMOOT_BUS_USER/,
      ],
      [['--broker', address(ports.tls), ...ca], /does not accept user and password.*FOLKMOOT_BUS_USER/],
      [['--broker', `mqtts://ana:${written}@127.0.0.1:${broker.port}`, ...ca], /Begin the address with mqtts:/],
    ] as const) {
      for (const command of ['chat', 'agents'] as const) {
        const { code, out, err } = await callFolkmoot([command, ...words]);
        assert.deepEqual([code, out], [1, ''], words.join(' '));
        assert.match(err, expected);
        assert.ok(!err.includes('se:cr') && !err.includes(written) && !err.includes('wrong-secret'), err);
      }
    }
    isAnswered(await chat(['--broker', tls.replace('127.0.0.1', 'localhost'), '--insecure']));
  });

  it('refuse words and files that do not fit, without the password', async () => {
    const plain = `mqtt://ana:${secret}@127.0.0.1:${broker.port}`;
    const tls = address(ports.tls, `ana:${written}@`);
    for (const [words, code, expected] of [
      [['--broker', plain.replace('mqtt:', 'http:')], 2, /^--broker is an address such as/],
      [[plain], 2, /^Unexpected argument '…'/],
      [['--broker', broker.url, '--ca', authority.caFile], 2, /^--ca, --cert, --key .*, and mqtt:\S+ is none/],
      [['--broker', broker.url, '--insecure'], 2, /are for encrypted addresses/],
      [['--broker', broker.url, '--streams'], 2, /^--streams is for a Valkey server/],
      [['--broker', tls, '--cert', own.certFile], 2, /^A certificate and its key go together/],
      [['--broker', tls, '--ca', '/nowhere/ca.pem'], 1, /"\/nowhere\/ca\.pem" can not be read/],
      [['--broker', tls, '--ca', own.keyFile], 1, /does not hold what it should, in PEM form/],
    ] as const) {
      const called = await callFolkmoot(['watch', ...words]);
      assert.deepEqual([called.code, called.out], [code, ''], words.join(' '));
      assert.match(called.err, expected);
      assert.doesNotMatch(called.err, /se:cr|cr@t|se%3Acr/);
    }
  });
});
