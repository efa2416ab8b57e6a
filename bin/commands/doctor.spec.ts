import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { passwordLine } from '../../engine/people/broker-access.ts';
import { callFolkmoot } from '../../test/command-line.ts';
import { startFakeOpenAi } from '../../test/fake-openai.ts';
import { freePort } from '../../test/free-port.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { startValkey } from '../../test/valkey-server.ts';
import { checkNode, type Finding } from '../doctor/checks.ts';
import { writeReady } from '../ready.ts';

const findingsOf = (out: string) => new Map((JSON.parse(out) as Finding[]).map((one) => [one.what, one]));

describe('folkmoot doctor', function () {
  this.timeout(20_000);
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'folkmoot-doctor-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('finds nothing to fix where all is there, with exit code 0', async () => {
    const secret = ['--requirepass', 'pass-1'];
    const [broker, valkey] = await Promise.all([startMosquitto(), startValkey({ args: secret })]);
    const server = createServer((request, response) => {
      const models = { data: [{ id: 'small' }] };
      response.end(request.url?.endsWith('/models') ? JSON.stringify(models) : 'the editor');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const since = new Date().toISOString();
    await writeReady(folder, {
      v: 1,
      pid: process.pid,
      editor: address,
      mqtt: broker.url,
      isBrokerEmbedded: false,
      since,
    });
    const env = {
      FOLKMOOT_HOME: folder,
      FOLKMOOT_MODEL: `openai-compatible:${address}/v1#small`,
      FOLKMOOT_VALKEY_URL: valkey.url.replace('//', '//:pass-1@'),
    };
    const { code, out, err } = await callFolkmoot(['doctor'], { env });
    assert.deepEqual([code, err], [0, ''], out);
    assert.match(out, /^ok {4}Broker +mqtt:\/\/127.0.0.1:\d+: connected, and messages come back/m);
    assert.match(out, /^ok {4}Valkey +redis:\/\/127\.0\.0\.1:\d+: it answers and lets us in$/m);
    assert.match(out, /^ok {4}Model +http/m);
    assert.match(out, /^ok {4}Home +its editor answers at http/m);
    assert.doesNotMatch(out, /FAULT|pass-1/);
    const refused = await callFolkmoot(['doctor', '--json'], { env: { ...env, FOLKMOOT_VALKEY_URL: valkey.url } });
    assert.match(findingsOf(refused.out).get('Valkey')?.text ?? '', /does not accept user and password/);
    const other = { ...env, FOLKMOOT_MODEL: `openai-compatible:${address}/v1#large` };
    const wrong = await callFolkmoot(['doctor', '--json'], { env: other });
    assert.equal(wrong.code, 1);
    assert.match(findingsOf(wrong.out).get('Model')?.text ?? '', /has no model "large", only small/);
    server.closeAllConnections();
    server.close();
    await Promise.all([broker.stop(), valkey.stop()]);
  });

  it('says of each that is not there what is wrong and what to do, with exit code 1 and without a password', async () => {
    const port = await freePort();
    const env = {
      FOLKMOOT_MQTT_URL: `mqtt://ana:secret@127.0.0.1:${port}`,
      FOLKMOOT_VALKEY_URL: `redis://:secret@127.0.0.1:${port}`,
      FOLKMOOT_MODEL: `openai-compatible:http://127.0.0.1:${port}/v1#small`,
    };
    const { code, out, err } = await callFolkmoot(['doctor', '--json', '--seconds', '3'], { env });
    assert.deepEqual([code, err], [1, '']);
    const findings = findingsOf(out);
    for (const what of ['Broker', 'Valkey', 'Model', 'Home']) {
      assert.equal(findings.get(what)?.isOk, false, what);
      assert.ok((findings.get(what)?.todo ?? '').length > 10, what);
    }
    assert.match(findings.get('Broker')?.text ?? '', /no broker listens there/);
    assert.equal(findings.get('Node.js')?.isOk, true);
    assert.doesNotMatch(out, /secret/);
  });

  it('knows the forms of all providers, and tries the model where that is wanted', async () => {
    const model = async (choice: string, more: Record<string, string> = {}) =>
      findingsOf(
        (await callFolkmoot(['doctor', '--json', '--seconds', '1'], { env: { FOLKMOOT_MODEL: choice, ...more } })).out,
      ).get('Model');
    assert.match((await model('anthropic:owl'))?.todo ?? '', /ANTHROPIC_API_KEY/);
    assert.equal((await model('mistral:owl', { MISTRAL_API_KEY: 'k' }))?.isOk, true);
    assert.match((await model('owl:owl'))?.text ?? '', /not in the form .*ollama:NAME/);
    const server = await startFakeOpenAi({ answer: () => ({ text: 'I am an owl.' }), models: ['owl'] });
    const env = { FOLKMOOT_MODEL: `openai-compatible:${server.url}#owl` };
    const { code, out } = await callFolkmoot(['doctor', '--seconds', '1', '--try-model'], { env });
    assert.equal(code, 1);
    assert.match(out, /^ok {4}Model +It answers after/m);
    assert.match(out, /^FAULT Model +It did not call a tool/m);
    await server.close();
  });

  it('notes what a user may not do on a broker, and calls it a fault only where the home has the same user', async () => {
    const passwords = path.join(folder, 'passwords');
    await writeFile(passwords, ['ana', 'eve'].map((name) => `${passwordLine(name, 'secret')}\n`).join(''));
    const acl = ['user ana', 'topic read folkmoot/v1/answers/+', 'user eve', 'topic write folkmoot/v1/answers/+'];
    const broker = await startMosquitto({ isAnonymous: false, acl, lines: [`password_file ${passwords}`] });
    const doctor = (name: string, env: Record<string, string> = {}) =>
      callFolkmoot(['doctor', '--seconds', '1', '--broker', broker.url.replace('//', `//${name}:secret@`)], { env });
    for (const name of ['ana', 'eve']) {
      const { out } = await doctor(name);
      assert.match(out, /^note {2}Broker +mqtt:\S+ connected; this user may not .*\n +That may be enough/m, name);
    }
    const refused = await doctor('nobody');
    assert.match(refused.out, /^FAULT Broker .* does not accept user and password/m);
    const since = new Date().toISOString();
    const ready = { v: 1, pid: process.pid, editor: 'http://127.0.0.1:1', mqtt: broker.url } as const;
    await writeReady(folder, { ...ready, isBrokerEmbedded: false, since });
    const env = { FOLKMOOT_HOME: folder, FOLKMOOT_MQTT_URL: broker.url.replace('//', '//ana:secret@') };
    assert.match((await doctor('ana', env)).out, /^FAULT Broker .*: connected, but the broker refused/m);
    assert.match((await doctor('eve', env)).out, /^note {2}Broker /m);
    await broker.stop();
  });

  it('names a Node.js that is too old', () => {
    for (const version of ['20.20.2', '22.12.9']) assert.equal(checkNode(version).isOk, false);
    for (const version of ['22.13.0', '22.14.0', '24.0.0']) assert.equal(checkNode(version).isOk, true);
  });

  it('refuses options that are wrong, with exit code 2', async () => {
    for (const words of [
      ['--seconds', 'x'],
      ['--broker', 'nowhere'],
      ['--valkey', 'x'],
    ]) {
      assert.equal((await callFolkmoot(['doctor', ...words])).code, 2);
    }
  });
});
