/** Memory stores in real Node-RED: what is shared and what is kept apart. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToldMemory } from '../../engine/memory/operate.ts';
import { load, nextAt, node, onTab, startServer, stopServer, unload } from '../../test/red/red.ts';
import backbone from '../backbone/backbone.ts';
import memory from '../memory/memory.ts';
import memoryStore from './memory-store.ts';

const modules = [memory, memoryStore, backbone] as never[];

describe('memory stores', function () {
  this.timeout(30_000);
  let folder = '';
  before(startServer);
  after(stopServer);
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'memory-store-'))));
  afterEach(async () => {
    await unload();
    rmSync(folder, { recursive: true });
  });

  const flow = (stores: readonly object[]) =>
    onTab([
      { id: 'bb', type: 'folkmoot-backbone', storePath: join(folder, 'state') },
      ...stores.flatMap((more, at) => [
        { id: `s${at}`, type: 'folkmoot-memory-store', backbone: 'bb', folder: join(folder, 'memory'), ...more },
        { id: `m${at}`, type: 'folkmoot-memory', memoryStore: `s${at}`, wires: [[`r${at}`]] },
        { id: `r${at}`, type: 'helper', wires: [] },
      ]),
    ]);
  const tell = async (at: number, operation: string, payload: string) => {
    const result = nextAt(`r${at}`);
    node(`m${at}`).receive({ operation, payload });
    return ((await result).payload as ToldMemory[]).map(({ text }) => text);
  };

  it('of one name are one memory, of another name another one', async () => {
    await load(modules, flow([{}, { name: 'also home' }, { space: 'office' }]));
    await tell(0, 'remember', 'the spare key is with Maria');
    assert.deepEqual(await tell(1, 'recall', 'spare key'), ['the spare key is with Maria']);
    assert.deepEqual(await tell(2, 'recall', 'spare key'), []);
  });

  it('keep the index in their folder, and can do without it', async () => {
    await load(modules, flow([{}]));
    await tell(0, 'remember', 'the spare key is with Maria');
    assert.deepEqual(readdirSync(join(folder, 'memory', 'home')), ['lexical-384-v1.json']);
    await unload();
    rmSync(join(folder, 'memory'), { recursive: true });
    await load(modules, flow([{}]));
    assert.deepEqual(await tell(0, 'recall', 'the spare kees'), ['the spare key is with Maria']);
    assert.ok(existsSync(join(folder, 'memory', 'home', 'lexical-384-v1.json')));
  });
});
