import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callFolkmoot } from '../../test/command-line.ts';
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
