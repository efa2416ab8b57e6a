import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Toolbox } from '../../engine/tools/toolbox.ts';
import { load, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import type { Red } from '../shared/red.ts';
import { pairsIn } from './pairs.ts';
import toolbox, { toolboxOf } from './toolbox.ts';

let RED: Red;
const modules = [toolbox, (red: Red): void => void (RED = red)] as never[];
const server = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);
const names = (box: Toolbox) => box.tools().map(({ name }) => name);

describe('toolbox node', function () {
  this.timeout(30_000);
  before(startServer);
  after(stopServer);
  afterEach(unload);
  const box = async (more: object): Promise<Toolbox> => {
    await load(modules, [{ id: 't', type: 'folkmoot-toolbox', ...more }]);
    return toolboxOf(RED, 't');
  };

  it('has the packs that come along', async () => {
    assert.deepEqual(names(await box({ kind: 'time' })), ['CurrentTime']);
    await unload();
    assert.deepEqual(names(await box({ kind: 'time', latitude: 52.5, longitude: 13.4 })), ['CurrentTime', 'SunTimes']);
    await unload();
    assert.deepEqual(names(await box({ kind: 'calculator' })), ['Calculate']);
    await unload();
    assert.ok(names(await box({ kind: 'system' })).includes('SystemLoad'));
  });

  it('has the tools of an MCP server, and is closed with the flow', async () => {
    const made = await box({ kind: 'mcp-program', command: process.execPath, args: [server, 'stdio'] });
    await until(() => made.state === 'up', 20_000);
    assert.ok(names(made).includes('echo'));
    await unload();
    assert.equal(made.state, 'closed');
  });

  it('says which toolbox is missing', async () => {
    await load(modules, []);
    assert.throws(() => toolboxOf(RED, 'gone'), /not chosen, missing/);
  });

  it('reads variables and headers, and never says a value that it can’t read', () => {
    assert.deepEqual(pairsIn('A=1; B_2= x=y ;', '='), { A: '1', B_2: 'x=y' });
    assert.deepEqual(pairsIn('Authorization: Bearer a:b\nX-Key: k', ':'), {
      Authorization: 'Bearer a:b',
      'X-Key': 'k',
    });
    assert.throws(
      () => pairsIn('secret', '='),
      (error: Error) => /Part 1 has to be NAME=value/.test(error.message) && !error.message.includes('secret'),
    );
  });
});
