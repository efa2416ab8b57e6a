/** The official “everything” server on the other side, as a program and over HTTP. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { freePort } from '../../../test/free-port.ts';
import { systemClock, type Clock } from '../../clock.ts';
import { isFolkmootError } from '../../errors.ts';
import type { Toolbox } from '../toolbox.ts';
import { createMcpToolbox } from './mcp-toolbox.ts';
import type { McpAddress } from './mcp-transport.ts';

const server = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);
const { signal } = new AbortController();
/** Pauses between tries are short here. */
const clock: Clock = { ...systemClock, setTimer: (run, ms) => systemClock.setTimer(run, Math.min(ms, 50)) };

async function until(holds: () => boolean, ms = 20_000): Promise<void> {
  for (const end = Date.now() + ms; !holds();) {
    assert.ok(Date.now() < end, 'in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('an MCP server as a toolbox', function () {
  this.timeout(60_000);
  const boxes: Toolbox[] = [];
  const problems: string[] = [];
  afterEach(async () => {
    await Promise.all(boxes.splice(0).map((box) => box.close()));
    problems.length = 0;
  });
  const open = (address: McpAddress, trust: 'as it says' | 'looks' = 'as it says') => {
    const onProblem = ({ message }: Error) => void problems.push(message);
    const box = createMcpToolbox({ address, trust, clock, onProblem });
    boxes.push(box);
    return box;
  };
  const program = (more: object = {}): McpAddress => ({
    ...{ kind: 'stdio', command: process.execPath, args: [server, 'stdio'], env: {}, ...more },
  });

  it('gives its tools with their schemas, and what they answer', async () => {
    const box = open(program());
    await until(() => box.state === 'up');
    const echo = box.tools().find(({ name }) => name === 'echo');
    assert.ok(echo?.schema && 'message' in (echo.schema['properties'] as object));
    assert.match(String(await box.call('echo', { message: 'tea' }, signal)), /tea/);
    const names = box.tools().map(({ name }) => name);
    assert.ok(names.length >= 8 && names.every((name) => /^[A-Za-z][A-Za-z0-9_]*$/.test(name)), names.join());
    const sum = names.find((name) => /sum|add/i.test(name)) ?? '';
    assert.match(String(await box.call(sum, { a: 2, b: 40 }, signal)), /42/);
  });

  it('passes on the environment that is given, and says in words what a tool refuses', async () => {
    const box = open(program({ env: { FOLKMOOT_SECRET: 'tea' } }));
    await until(() => box.state === 'up');
    const env = box.tools().find(({ name }) => /env/i.test(name));
    assert.match(JSON.stringify(await box.call(env?.name ?? '', {}, signal)), /FOLKMOOT_SECRET.{1,9}tea/);
    await assert.rejects(
      box.call('echo', {}, signal),
      (error) => isFolkmootError(error, 'FOLKMOOT_TOOL_FAILED') || error instanceof Error,
    );
    await assert.rejects(box.call('no_such', {}, signal), /not there/);
  });

  it('ends a call that is stopped, and kills its program at the end', async () => {
    const box = open(program());
    await until(() => box.state === 'up');
    const long = box.tools().find(({ name }) => /long/i.test(name))?.name ?? '';
    const stop = new AbortController();
    const called = box.call(long, { duration: 30, steps: 30 }, stop.signal);
    setTimeout(() => stop.abort(new Error('stopped')), 100);
    await assert.rejects(called, /stopped/);
    await box.close();
    assert.equal(box.state, 'closed');
    await assert.rejects(box.call('echo', { message: 'x' }, signal), /not there/);
  });

  it('says once what is wrong with a program that is not there, and goes on trying', async () => {
    const box = open({ kind: 'stdio', command: '/no/such/program', args: [], env: {} });
    await until(() => problems.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(box.state, 'down');
    assert.equal(problems.length, 1);
  });

  describe('over HTTP', () => {
    let child: ChildProcess | undefined;
    let port = 0;
    const start = async (transport: string) => {
      child = spawn(process.execPath, [server, transport], {
        env: { ...process.env, PORT: String(port) },
        stdio: 'pipe',
      });
      const own = child;
      await new Promise<void>((resolve) => {
        own.stderr?.on('data', () => resolve());
        own.stdout?.on('data', () => resolve());
      });
    };
    const kill = async () => {
      if (!child || child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    };
    before(async () => void (port = await freePort()));
    afterEach(kill);

    it('is asked anew when the server was killed and is back, with its tools listed again; a call is never repeated', async () => {
      await start('streamableHttp');
      const box = open({ kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: { 'x-key': 'k' } });
      await until(() => box.state === 'up');
      assert.match(String(await box.call('echo', { message: 'one' }, signal)), /one/);
      await kill();
      await assert.rejects(box.call('echo', { message: 'two' }, signal));
      await start('streamableHttp');
      await until(() => box.state === 'up' && box.tools().length > 0);
      for (let n = 0; ; n += 1) {
        const answer = await box.call('echo', { message: 'three' }, signal).catch(() => undefined);
        if (answer !== undefined) {
          assert.match(String(answer), /three/);
          break;
        }
        assert.ok(n < 200, 'in time');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    });

    it('is reached by the older way, too', async () => {
      await start('sse');
      const box = open({ kind: 'sse', url: `http://127.0.0.1:${port}/sse`, headers: {} }, 'looks');
      await until(() => box.state === 'up');
      assert.match(String(await box.call('echo', { message: 'old' }, signal)), /old/);
      assert.ok(box.tools().every(({ risk, effect }) => risk === 'read' && !effect));
    });
  });
});
