/** What one may say to the chat itself: each command and alias, hidden until debugging is on (row 80). */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { HomeAskBody } from '../../engine/bus/our-payloads.ts';
import { createBoardFolder } from './board-folder.ts';
import { choicesUnder, createDesk } from './desk.ts';

const emptyFile = { blackboard: { format: 'function_call' }, file_schema_version: '0.2' };
const graphqlFile = { blackboard: { format: 'graphql' }, file_schema_version: '0.2' };

describe('the desk of the chat', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'folkmoot-chat-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  function setUp(answer: (question: Omit<HomeAskBody, 'v'>) => unknown = () => ({}), isNewEachTime = false) {
    const said: string[] = [];
    const questions: Omit<HomeAskBody, 'v'>[] = [];
    const told: string[] = [];
    const session = {
      conversation: 'c1',
      isAskedBack: false,
      ask(question: string) {
        said.push(question);
        return { answered: Promise.resolve(true), over: Promise.resolve() };
      },
    };
    const desk = createDesk({
      session,
      screen: { tell: (text) => void told.push(text), note: (text) => void told.push(`(${text})`) },
      home: { ask: async (question) => (questions.push(question), answer(question)) },
      folder: createBoardFolder(folder),
      isNewEachTime,
    });
    /** What was shown for the line; "asked" or "end". */
    const line = async (text: string): Promise<string> => {
      const taken = desk.take(text);
      if (taken?.kind !== 'command') return taken?.kind ?? '';
      told.length = 0;
      await taken.done;
      return told.join('\n');
    };
    return { ...{ desk, session, said, questions, told, line } };
  }

  it('knows help, and four words for the end, in any case', async () => {
    const { line } = setUp();
    assert.match(
      await line(' HELP '),
      /^Say what you want.*\n  help .*\n  quit, bye, exit, stop .*\n  toggle-debug, td .*$/,
    );
    for (const word of ['quit', 'bye', 'exit', 'stop', 'Stop']) assert.equal(await line(word), 'end', word);
  });

  const sayable = ['clear', 'reset', 'dump', 'show', 'list', 'load', 'save'];
  const noRequests = ['list-agents', 'lag', 'reload-agents', 'rag'];
  const switchedOn = 'is one of the commands for debugging: “td” switches them on.';
  const forDebugging = [...sayable, ...noRequests];
  it('hides what is for debugging until it is switched on: then these words belong to the chat', async () => {
    const { line, said, questions } = setUp((question) =>
      question.kind === 'agents' ? { agents: [], problems: [] } : { mutations: [] },
    );
    for (const word of sayable) assert.equal(await line(word), 'asked', word);
    for (const word of noRequests) assert.equal(await line(word), `(“${word}” ${switchedOn})`);
    assert.deepEqual([said, questions], [sayable, []]);
    assert.match(await line('td'), /are on/);
    const help = await line('help');
    for (const word of forDebugging) {
      assert.match(help, new RegExp(`\\b${word}\\b`));
      assert.notEqual(await line(word), 'asked', word);
      if (word === 'load' || word === 'save') await line('');
    }
    assert.match(await line('Toggle-Debug'), /are off/);
    assert.equal(await line('list'), 'asked');
  });

  it('takes a command only for itself: with more words it is said to the house', async () => {
    const { line, said } = setUp();
    await line('td');
    for (const text of ['stop the mower', 'save energy', 'help me', 'list the lights']) {
      assert.equal(await line(text), 'asked', text);
    }
    assert.equal(said.length, 4);
  });

  it('shows help for one or two characters, but passes on a yes or no, and any answer to a question', async () => {
    const { line, session, said } = setUp();
    for (const text of ['hi', '21', 'x', '?']) assert.match(await line(text), /^Say what you want/, text);
    for (const text of ['no', 'ok', 'yes', 'off']) assert.equal(await line(text), 'asked', text);
    session.isAskedBack = true;
    for (const text of ['21', 'A', '7%']) assert.equal(await line(text), 'asked', text);
    assert.equal(said.length, 7);
    assert.equal(await line('   '), '');
  });

  it('empties and shows the board of this conversation', async () => {
    const mutations = [{ function: 'MowLawn', parameters: { area: 'front' }, agent: 'Lawn Mower' }];
    const { line, questions } = setUp(({ operation }) =>
      operation === 'read' ? { mutations, data: '{"x":1}\u001b[2J' } : { commands: 0 },
    );
    await line('td');
    assert.equal(await line('dump'), 'Lawn Mower: MowLawn {"area":"front"}\nData: {"x":1}[2J');
    assert.equal(await line('reset'), 'The board is empty now.');
    assert.deepEqual(questions, [
      { kind: 'board', operation: 'read', conversation: 'c1' },
      { kind: 'board', operation: 'clear', conversation: 'c1' },
    ]);
  });

  it('saves under the ending of the format, and loads by name, asking for it', async () => {
    let file: object = emptyFile;
    const { line, questions } = setUp(({ operation }) =>
      operation === 'export' ? JSON.stringify(file) : { commands: 2 },
    );
    await line('td');
    assert.match(await line('save'), /^Which file in /);
    assert.equal(await line('evening'), 'Saved as evening.function_call.json.');
    file = graphqlFile;
    await line('save');
    assert.equal(await line('world.function_call.json'), 'Saved as world.graphql.json.');
    assert.deepEqual(JSON.parse(await readFile(path.join(folder, 'world.graphql.json'), 'utf8')), graphqlFile);
    await writeFile(path.join(folder, 'notes.txt'), 'x');
    assert.equal(await line('list'), 'evening.function_call.json\nworld.graphql.json');
    await line('load');
    assert.equal(await line('world'), 'world.graphql.json is on the board: 2 commands.');
    assert.deepEqual(questions.at(-1), {
      ...{ kind: 'board', operation: 'import', conversation: 'c1', file: JSON.stringify(graphqlFile) },
    });
  });

  it('leaves the folder for no name, and says what is not there or not clear', async () => {
    const { line, questions } = setUp(() => JSON.stringify(emptyFile));
    await line('td');
    const load = async (name: string) => (await line('load'), line(name));
    for (const name of ['../secret', '/etc/passwd', '.hidden', 'a\\b']) {
      assert.match(await load(name), /^\(The name of a file has no slashes/, name);
      await line('save');
      assert.match(await line(name), /^\(The name of a file has no slashes/, name);
    }
    assert.match(await load('none'), /^\(There is no none\.function_call\.json and no none\.graphql\.json in /);
    for (const ending of ['function_call', 'graphql']) await writeFile(path.join(folder, `a.${ending}.json`), '{}');
    assert.match(await load('a'), /^\(There are .* name one with its ending\.\)$/);
    await writeFile(path.join(folder, 'big.graphql.json'), 'x'.repeat(200_000));
    assert.match(await load('big'), /larger than 128 KB/);
    assert.equal(await load(''), 'All right.');
    assert.deepEqual(
      questions.filter(({ operation }) => operation === 'import'),
      [],
    );
  });

  it('says which folder can not be used, and with which option another one is named', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    for (const [boards, expected] of [
      [file, /file is a file, but a folder is needed: set --boards to another folder\./],
      [path.join(file, 'x'), /x needs a folder where a file is: set --boards to another folder\./],
      ['/proc/folkmoot', /The system lets nobody make \/proc\/folkmoot: set --boards to another folder\./],
    ] as const) {
      await assert.rejects(createBoardFolder(boards).save('a', JSON.stringify(emptyFile)), { message: expected });
    }
    await assert.rejects(createBoardFolder(file).list(), { message: /set --boards to another folder/ });
  });

  it('lists the team, with where each comes from and what can not be used', async () => {
    const { line, questions } = setUp(() => ({
      agents: [
        { agentId: 'm', name: 'Lawn Mower', description: 'mows', source: 'hard-coded' },
        { agentId: 'p', name: 'Pool', description: 'cleans', source: 'custom' },
      ],
      problems: ['x.agent.json: it is not JSON.'],
    }));
    await line('td');
    const shown = 'Lawn Mower (hard-coded): mows\nPool (custom): cleans\nx.agent.json: it is not JSON.';
    assert.equal(await line('lag'), shown);
    assert.equal(await line('rag'), shown);
    assert.deepEqual(
      questions.map(({ operation }) => operation),
      ['list', 'reload'],
    );
  });

  it('tells in words what the home could not do, and goes on', async () => {
    const { line } = setUp(() => Promise.reject(new Error('“casa” does not answer that.')));
    await line('td');
    assert.equal(await line('dump'), '(“casa” does not answer that.)');
    assert.equal(await line('mow the lawn'), 'asked');
  });

  it('has no board where each line is a conversation of its own', async () => {
    const { line, questions } = setUp(() => ({ agents: [], problems: [] }), true);
    await line('td');
    for (const word of ['clear', 'dump', 'load', 'save']) assert.match(await line(word), /^\(With --new/, word);
    assert.equal(await line('lag'), 'Nobody is in the team.');
    assert.equal(questions.length, 1);
  });

  it('says below a plan and below commands what may be answered', () => {
    assert.match(choicesUnder('This is what I would do: mow.\nShall I?'), /yes, with approval/);
    assert.match(choicesUnder('Light on.\nNext, this would be done: Lawn mowed.\nShall I?'), /^\(yes · no · change/);
    assert.equal(choicesUnder('Which room?'), '');
  });
});
