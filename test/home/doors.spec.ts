import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from '../../bin/ports.ts';
import { startFakeOpenAi } from '../fake-openai.ts';
import { freePort } from '../free-port.ts';
import { startMosquitto } from '../mosquitto.ts';
import { closeMs, newFolder, startHome, startRefused, type HomeProcess } from './home-process.ts';
import { connectPerson } from './person.ts';
import { sharedHome } from './shared-home.ts';

const host = '127.0.0.1';
const stackTrace = /^\s+at .*[:(]/m;

/** A Node-RED flow file's nodes. */
async function flowOf(folder: string): Promise<{ id: string }[]> {
  return JSON.parse(await readFile(path.join(folder, 'node-red', 'flows.json'), 'utf8')) as { id: string }[];
}

describe('the doors of the home', function () {
  this.timeout(120_000);
  const open: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });
  const home = async (...options: Parameters<typeof startHome>): Promise<HomeProcess> => {
    const started = await startHome(...options);
    open.push(() => started.stop());
    return started;
  };
  const folder = async () => {
    const made = await newFolder();
    open.push(() => rm(made, { recursive: true, force: true }));
    return made;
  };
  const takePort = async (port: number): Promise<Server> => {
    const server = createServer();
    await listen(server, { variable: 'X', port, isSet: true }, host, 'a test');
    open.push(() => new Promise((resolve) => server.close(resolve)));
    return server;
  };

  it('prints one line that begins "Folkmoot ready", and ready.json says the same', async () => {
    const { home: shared } = await sharedHome();
    const lines = shared
      .output()
      .split('\n')
      .filter((line) => line.startsWith('Folkmoot ready'));
    assert.equal(lines.length, 1);
    // Node.js warns of too many listeners, of what is old and of what is experimental.
    assert.doesNotMatch(shared.output(), /\(node:\d+\)|Warning:/);
    assert.ok(lines[0]?.includes(shared.ready.editor) && lines[0].includes(shared.ready.mqtt));
    const { mode } = await stat(path.join(shared.folder, 'ready.json'));
    assert.equal(mode & 0o777, 0o600);
    const page = await fetch(shared.ready.editor);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /<title>Folkmoot/);
  });

  it('has no address but those of this computer', async () => {
    const { home: shared } = await sharedHome();
    const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((row) => row.trim().split(/\s+/));
    for (const address of [shared.ready.editor, shared.ready.mqtt]) {
      const port = Number(new URL(address).port).toString(16).toUpperCase().padStart(4, '0');
      const listening = rows.filter(([, local = '', , state]) => local.endsWith(`:${port}`) && state === '0A');
      assert.deepEqual(
        listening.map(([, local]) => local),
        [`0100007F:${port}`],
      );
    }
  });

  it('refuses a port that was set and is taken, in words', async () => {
    const port = await freePort();
    await takePort(port);
    for (const name of ['PORT', 'FOLKMOOT_MQTT_PORT']) {
      const ended = await startRefused({ env: { [name]: String(port) } });
      assert.equal(ended.code, 1);
      assert.match(ended.output, new RegExp(`${name} asks for port ${port} for .*another program uses it`));
      assert.doesNotMatch(ended.output, stackTrace);
    }
  });

  it('takes the next port when a default is taken, and says how to use the broker that has it', async () => {
    const broker = await startMosquitto({ port: 1883 }).catch(() => undefined);
    if (broker) open.push(() => broker.stop());
    await takePort(1880).catch(() => undefined);
    const started = await home({ env: { PORT: '', FOLKMOOT_MQTT_PORT: '' } });
    assert.notEqual(new URL(started.ready.mqtt).port, '1883');
    assert.notEqual(new URL(started.ready.editor).port, '1880');
    assert.match(started.output(), /Folkmoot ready.*Port 1880 is taken.*Port 1883 is taken/);
    assert.match(started.output(), /Folkmoot ready.*start with FOLKMOOT_MQTT_URL=mqtt:\/\/127\.0\.0\.1:1883/);
  });

  it('refuses a second start in one home and names the first', async () => {
    const { home: shared } = await sharedHome();
    const ended = await startRefused({ folder: shared.folder });
    assert.equal(ended.code, 1);
    assert.match(ended.output, new RegExp(`already runs in .*process ${shared.ready.pid}.*${shared.ready.editor}`));
    assert.doesNotMatch(ended.output, stackTrace);
    assert.ok(existsSync(path.join(shared.folder, 'ready.json')), 'the first one still says where it is');
  });

  it('does not open to other computers without a password', async () => {
    const ended = await startRefused({ env: { FOLKMOOT_HOST: '0.0.0.0' } });
    assert.equal(ended.code, 1);
    assert.match(
      ended.output,
      /FOLKMOOT_HOST=0\.0\.0\.0 opens the home to other computers and needs FOLKMOOT_PASSWORD/,
    );
    assert.doesNotMatch(ended.output, stackTrace);
  });

  it('asks for the password in the editor and for what flows serve', async () => {
    const password = 'owl in the barn';
    const { ready } = await home({ env: { FOLKMOOT_HOST: '0.0.0.0', FOLKMOOT_PASSWORD: password } });
    const flows = `${ready.editor}/flows`;
    assert.equal((await fetch(flows)).status, 401);
    const login = (given: string) =>
      fetch(`${ready.editor}/auth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          client_id: 'node-red-admin',
          grant_type: 'password',
          scope: '*',
          username: 'admin',
          password: given,
        }),
      });
    assert.equal((await login('wrong')).status, 403);
    const { access_token: token } = (await (await login(password)).json()) as { access_token: string };
    assert.equal((await fetch(flows, { headers: { authorization: `Bearer ${token}` } })).status, 200);
    const served = `${ready.editor}/nothing-here`;
    assert.equal((await fetch(served)).status, 401);
    const basic = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
    assert.equal((await fetch(served, { headers: { authorization: basic } })).status, 404);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`ends cleanly on ${signal}, also while runs are going on`, async () => {
      const place = await folder();
      const started = await startHome({ folder: place, by: 'script' });
      const person = await connectPerson(started.ready.mqtt);
      const said = ['kitchen', 'hall', 'bedroom'].map((room) =>
        person.say(`turn the ${room} light on`, { withinMs: 3_000 }).catch(() => undefined),
      );
      const ended = await started.stop(signal);
      assert.equal(ended.code, 0, ended.output);
      assert.ok(ended.ms < closeMs, `${ended.ms} ms`);
      assert.doesNotMatch(ended.output, stackTrace);
      await Promise.all(said);
      await person.close();
      assert.ok(!existsSync(path.join(place, 'ready.json')));
      assert.throws(() => process.kill(started.ready.pid, 0), 'the home itself is gone too');
    });
  }

  it('ends cleanly with its broker gone and requests open', async () => {
    const model = await startFakeOpenAi({ answer: () => ({ silence: 'start' }) });
    open.push(() => model.close());
    const broker = await startMosquitto();
    open.push(() => broker.stop());
    const env = { FOLKMOOT_MQTT_URL: broker.url, FOLKMOOT_MODEL: `openai-compatible:${model.url}#small` };
    const started = await home({ env });
    const person = await connectPerson(broker.url);
    const said = ['kitchen', 'hall', 'bedroom'].map((room) =>
      person.say(`turn the ${room} light on`, { withinMs: 3_000 }).catch(() => undefined),
    );
    while (model.requests.length === 0) await pause(20);
    await broker.kill();
    const ended = await started.stop();
    console.log(`      closed without a broker after ${Math.round(ended.ms)} ms`);
    assert.equal(ended.code, 0, ended.output);
    assert.ok(ended.ms < closeMs, `${ended.ms} ms`);
    assert.doesNotMatch(ended.output, stackTrace);
    await Promise.all(said);
    await person.close();
  });

  it('ends when npm, which passes no signal on, is ended', async () => {
    const started = await startHome({ by: 'npm' });
    const { pid } = started.ready;
    await started.stop('SIGTERM');
    const isGone = () => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    };
    const end = Date.now() + closeMs;
    while (!isGone() && Date.now() < end) await pause(50);
    assert.ok(isGone());
  });

  it('says why a flow does not run, and opens the editor to mend it', async () => {
    const place = await folder();
    await mkdir(path.join(place, 'node-red'), { recursive: true });
    const flow = [
      { id: 'mine000000000001', type: 'tab', label: 'mine', disabled: false, info: '' },
      { id: 'mine000000000002', type: 'no-such-node', z: 'mine000000000001', name: '', wires: [] },
    ];
    await writeFile(path.join(place, 'node-red', 'flows.json'), JSON.stringify(flow));
    const started = await home({ folder: place });
    assert.match(started.output(), /The flow does not run: missing types \(no-such-node\)/);
    assert.equal((await fetch(started.ready.editor)).status, 200);
  });

  describe('refuses within three seconds, in one sentence, what it cannot start from', () => {
    /** Three times what is promised, for a loaded computer. */
    const refusedMs = 9_000;
    const refuses = async (place: string, text: RegExp) => {
      const ended = await startRefused({ env: { FOLKMOOT_HOME: place }, folder: place });
      assert.equal(ended.code, 1);
      assert.match(ended.output, text);
      assert.equal(ended.output.trim().split('\n').length, 1, ended.output);
      assert.doesNotMatch(ended.output, /Folkmoot ready|\bat .*:\d+|\bE[A-Z]{4,}\b/);
      assert.ok(ended.ms < refusedMs, `${ended.ms} ms`);
    };
    /** A home's folder in which one file is no such file. */
    const spoiled = async (...file: string[]) => {
      const place = await folder();
      await mkdir(path.dirname(path.join(place, ...file)), { recursive: true });
      await writeFile(path.join(place, ...file), '{"no such file');
      return place;
    };

    it('a folder that cannot be made', async () => {
      await refuses('/proc/folkmoot', /The system lets nobody make \/proc\/folkmoot: set FOLKMOOT_HOME/);
      await refuses(path.join(await spoiled('file'), 'file'), /is a file, but a folder is needed: set FOLKMOOT_HOME/);
    });

    it('a lock that cannot be opened', async () => {
      await refuses(await spoiled('lock.sqlite'), /lock\.sqlite cannot be used .*: delete it/);
    });

    it('a flow that cannot be read', async () => {
      await refuses(await spoiled('node-red', 'flows.json'), /flows\.json cannot be read: mend .*npm start -- --fresh/);
    });

    it('a memory that is no database', async () => {
      await refuses(await spoiled('node-red', 'folkmoot', 'folkmoot.sqlite'), /folkmoot\.sqlite.*: move it away/);
    });
  });

  it('starts again in its folder after a power cut, with the flow that people made', async () => {
    const place = await folder();
    const first = await startHome({ folder: place });
    await first.stop('SIGKILL');
    const flow = await flowOf(place);
    await writeFile(
      path.join(place, 'node-red', 'flows.json'),
      JSON.stringify([...flow, { id: 'mine000000000001', type: 'tab', label: 'mine', disabled: false, info: '' }]),
    );
    const second = await home({ folder: place });
    assert.notEqual(second.ready.pid, first.ready.pid);
    assert.ok((await flowOf(place)).some((node) => node.id === 'mine000000000001'));
    const person = await connectPerson(second.ready.mqtt);
    await person.say('turn the hall light on');
    assert.deepEqual(person.commands(), [{ topic: 'zigbee2mqtt/hall_light/set', payload: { state: 'ON' } }]);
    await person.close();
    await second.stop();
    const third = await home({ folder: place, words: ['--fresh'] });
    assert.match(third.output(), /Took the shipped flow; yours is kept as .*flows\.json\.bak/);
    assert.ok(!(await flowOf(place)).some((node) => node.id === 'mine000000000001'));
  });
});
