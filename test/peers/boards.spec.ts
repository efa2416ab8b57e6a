import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createBoard, type Board } from '../../engine/blackboard/board.ts';
import { exportBoard, importBoard } from '../../engine/blackboard/import-export.ts';
import { textOf } from '../../engine/foreign/foreign-call.ts';
import { ownFiles, sharedFiles } from '../shared-data.ts';
import { root } from '../structure/sources.ts';
import { gptMaa } from './gpt-maa.ts';

interface Seen {
  readonly format: string;
  readonly messages: number;
  readonly all: number;
  readonly new?: number;
  readonly newMessages?: number;
  readonly accepted?: Readonly<Record<string, readonly object[]>>;
  readonly data?: string;
}

/** One of each: application data, values of each type, words of several turns, letters beyond ASCII. */
function fullBoard(): Board {
  const board = createBoard();
  board.say([{ role: 'assistant', text: 'Guten Tag, was darf’s sein? 🌻' }]);
  board.setData([{ function: 'AddBed', parameters: { bed_name: 'north', 'length in m': 4.5, sunny: true } }]);
  board.beginRequest();
  board.say([
    { role: 'user', text: 'water it "twice"\nplease' },
    { role: 'assistant', text: '' },
  ]);
  const parameters = { beds: ['north', 'süd'], at: { hour: 7, days: ['mon'] }, litres: 1e-7, times: 2 };
  board.write([{ id: '1', agent: 'watering', function: 'Water', parameters, risk: 'reversible' }]);
  return board;
}

describe('the Python program gpt-multi-atomic-agents', function () {
  this.timeout(300_000);
  let folder: string;
  let env: NodeJS.ProcessEnv;
  const boards = new Map<string, Board>();
  let seen: Readonly<Record<string, Seen | null>>;

  /** Types the names of the files in. */
  async function load(names: readonly string[]): Promise<Readonly<Record<string, Seen | null>>> {
    const child = spawn('python3', [path.join(root, 'test', 'peers', 'boards.py'), folder, ...names], { env });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()));
    child.stdin.end(names.map((name) => `${name}\n`).join(''));
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 0, said);
    return JSON.parse(await readFile(path.join(folder, 'seen.json'), 'utf8')) as Record<string, Seen | null>;
  }

  before(async () => {
    env = await gptMaa();
    folder = await mkdtemp(path.join(os.tmpdir(), 'folkmoot-boards-'));
    boards.set('full.function_call.json', fullBoard());
    boards.set('empty.function_call.json', createBoard());
    for (const ending of ['.function_call.json', '.graphql.json'])
      for (const [name, text] of Object.entries({ ...ownFiles('boards', ending), ...sharedFiles('gpt-maa', ending) }))
        boards.set(name, createBoard(importBoard(text)));
    for (const [name, board] of boards)
      await writeFile(path.join(folder, name), JSON.stringify(exportBoard(board)), 'utf8');
    seen = await load([...boards.keys()]);
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('loads every board that is written here, and finds in it what is on ours', () => {
    assert.deepEqual(Object.keys(seen), [...boards.keys()]);
    for (const [name, board] of boards) {
      const theirs = seen[name];
      assert.ok(theirs, `${name} was not loaded`);
      assert.equal(theirs.messages, board.messages().length, name);
      assert.equal(theirs.all, board.view().length, name);
      if (theirs.format === 'graphql') assert.equal(theirs.data, board.data ?? '', name);
      else assert.equal(theirs.new, board.newly().length, name);
    }
  });

  it('gives agents by its filter what they accept here (55)', () => {
    for (const [name, board] of boards)
      for (const [accepted, calls] of Object.entries(seen[name]?.accepted ?? {})) {
        const ours = board.view({ accepts: [accepted] }).map(({ parameters }) => parameters);
        const texts = ours.map((values) =>
          Object.fromEntries(Object.entries(values).map(([key, value]) => [key, textOf(value)])),
        );
        assert.deepEqual(calls, texts, `${name}, ${accepted}`);
      }
  });

  it('writes what it loaded as it is written here, and that is read here again (65)', async () => {
    for (const [name, board] of boards) {
      const again = await readFile(path.join(folder, `again-${name}`), 'utf8');
      assert.deepEqual(JSON.parse(again), JSON.parse(JSON.stringify(exportBoard(board))), name);
      assert.deepEqual(exportBoard(createBoard(importBoard(again))), exportBoard(board), name);
    }
  });

  it('refuses the files of the client in TypeScript, which we read (66)', async () => {
    const name = 'robots-1.function_call.json';
    await writeFile(path.join(folder, name), ownFiles('boards', '.function_call.json')[name] ?? '', 'utf8');
    assert.equal((await load([name]))[name], null);
  });
});
