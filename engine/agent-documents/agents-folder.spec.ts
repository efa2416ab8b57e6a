import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sampleLanguage } from '../../test/language/agents.ts';
import { fakeClock } from '../clock.ts';
import type { FakeClock } from '../clock.ts';
import { folkmootError } from '../errors.ts';
import { watchAgentsFolder } from './agents-folder.ts';
import type { AgentsFolder, FolderState } from './agents-folder.ts';

const lights = { v: 1, name: 'Lights', generates: ['SetLight'] };

describe('a folder of agents', () => {
  let home: string;
  let folder: string;
  let clock: FakeClock;
  let agents: AgentsFolder | undefined;
  let changes: FolderState[];
  let heard: (() => void) | undefined;

  beforeEach(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'folkmoot-agents-'));
    folder = path.join(home, 'agents');
    clock = fakeClock();
    changes = [];
  });
  afterEach(async () => {
    agents?.close();
    assert.equal(clock.waiting, 0);
    await rm(home, { recursive: true, force: true });
  });

  const put = (name: string, document: unknown) =>
    writeFile(path.join(folder, name), typeof document === 'string' ? document : JSON.stringify(document));
  const names = (state: FolderState | undefined) => state?.agents.map(({ definition }) => definition.name) ?? [];
  const open = (language = () => sampleLanguage) => {
    agents = watchAgentsFolder({
      ...{ path: folder, language, clock },
      onChange: (state) => {
        changes.push(state);
        heard?.();
      },
    });
    return agents;
  };
  /** The next change that the file system tells by itself. */
  async function change(act: () => Promise<void>): Promise<FolderState | undefined> {
    let isHeard = false;
    const told = new Promise<void>((resolve) => (heard = () => ((isHeard = true), resolve())));
    await act();
    while (!isHeard) {
      await clock.advance(200);
      await Promise.race([told, new Promise((resolve) => setImmediate(resolve))]);
    }
    return changes.at(-1);
  }

  it('gives the agents of its files with the functions of the house', async () => {
    await mkdir(folder);
    await put('lights.agent.json', lights);
    await put('notes.txt', 'nothing of ours');
    const { agents: found, problems } = await open().reload();
    assert.deepEqual(
      found.map(({ file, definition }) => [file, definition.agentId, definition.generates]),
      [['lights.agent.json', 'lights', ['SetLight']]],
    );
    assert.deepEqual(problems, []);
  });

  it('skips a file that can’t be read, says why, and loads the others', async () => {
    await mkdir(folder);
    await put('a.agent.json', '{');
    await put('b.agent.json', { agentName: 'B', description: '' });
    await put('c.agent.json', lights);
    await put('d.agent.json', { ...lights, description: 'twin' });
    await put('e.agent.json', { v: 1, name: 'Else', generates: ['category:pool'] });
    const state = await open().reload();
    assert.deepEqual(names(state), ['Lights', 'Else']);
    const [a, b, d, e, ...more] = state.problems;
    assert.match(a ?? '', /^a\.agent\.json: The agent can’t be read: it is no JSON/);
    assert.match(b ?? '', /^b\.agent\.json: .*acceptedFunctionCategories is missing/);
    assert.match(d ?? '', /^d\.agent\.json: "lights" is the agent of c\.agent\.json already/);
    assert.match(e ?? '', /^e\.agent\.json: Agent "Else": there is no category "pool"/);
    assert.deepEqual(more, []);
  });

  it('is read again by itself when a file is changed, added, renamed or taken away', async () => {
    await mkdir(folder);
    await put('lights.agent.json', lights);
    await open().reload();
    const edited = await change(() => put('lights.agent.json', { ...lights, description: 'All lamps.' }));
    assert.equal(edited?.agents[0]?.definition.description, 'All lamps.');
    assert.deepEqual(names(await change(() => put('more.agent.json', { v: 1, name: 'More' }))), ['Lights', 'More']);
    const from = path.join(folder, 'more.agent.json');
    assert.deepEqual(names(await change(() => rename(from, path.join(folder, 'off.json')))), ['Lights']);
    assert.deepEqual(names(await change(() => rm(path.join(folder, 'lights.agent.json')))), []);
  });

  it('may come later: it is looked for again', async () => {
    const state = await open().reload();
    assert.match(state.problems.join(), /folder of agents can’t be read/);
    const found = await change(async () => {
      await mkdir(folder);
      await put('lights.agent.json', lights);
      await clock.advance(5_000);
    });
    assert.deepEqual(names(found), ['Lights']);
  });

  it('says when the house’s functions can’t be had', async () => {
    await mkdir(folder);
    const { problems } = await open(() => {
      throw folkmootError('FOLKMOOT_MISSING_CONFIG', 'The language is gone.');
    }).reload();
    assert.match(problems.join(), /The language is gone/);
  });
});
