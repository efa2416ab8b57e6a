import assert from 'node:assert/strict';
import { sampleLanguage } from '../../test/language/agents.ts';
import { ownFiles, sharedFiles } from '../../test/shared-data.ts';
import { isFolkmootError } from '../errors.ts';
import { createBoard } from './board.ts';
import { exportBoard, importBoard } from './import-export.ts';

const snake = {
  blackboard: {
    format: 'function_call',
    internal_previously_generated_functions: [
      { agent_name: 'Lawn Mower', function_name: 'MowLawn', parameters: { area: 'back' } },
      { agent_name: 'Climate', function_name: 'SetTemperature', parameters: { room: 'bedroom', celsius: '21' } },
      { agent_name: 'nobody', function_name: 'AddPump', parameters: { depth: '<UNKNOWN>' } },
    ],
    internal_previous_messages: [
      { role: 'user', message: 'mow the back' },
      { role: 'assistant', message: 'Done.' },
    ],
    internal_newly_generated_messages: [{ role: 'assistant', message: 'Done.' }],
    internal_newly_generated_functions: [
      { agent_name: 'nobody', function_name: 'AddPump', parameters: { depth: '<UNKNOWN>' } },
    ],
  },
  file_schema_version: '0.2',
};
const camelText = JSON.stringify(snake.blackboard).replace(/"([a-z]+(?:_[a-z]+)+)":/g, (_, name: string) => {
  return `"${name.replace(/_([a-z])/g, (__, letter: string) => letter.toUpperCase())}":`;
});
const camel = { blackboard: JSON.parse(camelText) as object, file_schema_version: '0.2' };
const twice = { blackboard: { format: 'function_call', blackboard: camel.blackboard }, file_schema_version: '0.2' };
const wrapped = JSON.parse(
  JSON.stringify(twice).replace(/"parameters":(\{[^}]*\})/g, '"parameters":{"additionalData":$1}'),
) as object;

describe('a blackboard file', () => {
  for (const [form, file] of Object.entries({ snake, camel, twice, wrapped, text: JSON.stringify(snake) }))
    it(`is read in the form ${form}`, () => {
      const board = createBoard(importBoard(file, sampleLanguage));
      assert.deepEqual(
        board.view().map((one) => [one.agent, one.function, one.parameters]),
        [
          ['Lawn Mower', 'MowLawn', { area: 'back' }],
          ['Climate', 'SetTemperature', { room: 'bedroom', celsius: 21 }],
          ['nobody', 'AddPump', { depth: '<UNKNOWN>' }],
        ],
      );
      assert.deepEqual([board.newly().length, board.messages().length, board.newMessages().length], [1, 2, 1]);
    });

  it('is written as the Python program writes it', () => {
    assert.deepEqual(exportBoard(createBoard(importBoard(wrapped, sampleLanguage))), snake);
    const board = createBoard();
    board.setData([{ function: 'MowLawn', parameters: { area: 'back', deep: true } }]);
    const { blackboard } = exportBoard(board);
    assert.ok(blackboard.format === 'function_call');
    const [call] = blackboard.internal_previously_generated_functions;
    assert.deepEqual(call, {
      agent_name: 'application data',
      function_name: 'MowLawn',
      parameters: { area: 'back', deep: 'true' },
    });
    assert.equal(createBoard(importBoard(exportBoard(board))).view()[0]?.agent, undefined);
  });

  it('that is wrong is refused in words', () => {
    const wrong: [unknown, RegExp][] = [
      ['{', /not JSON/],
      [[], /no object/],
      [{ blackboard: { format: 'yaml' } }, /yaml/],
      [{ blackboard: { internal_previously_generated_functions: {} } }, /not a list/],
      [{ blackboard: { internal_previously_generated_functions: [{ function_name: 1 }] } }, /lacks a name/],
      [{ blackboard: { internal_previous_messages: [{ role: 'robot', message: '' }] } }, /lacks a role/],
      [{ blackboard: { internal_previous_messages: Array(501).fill({ role: 'user', message: '' }) } }, /more than/],
    ];
    for (const [file, text] of wrong)
      assert.throws(
        () => importBoard(file),
        (error: unknown) => isFolkmootError(error, 'FOLKMOOT_BAD_INPUT') && text.test(error.message),
      );
  });

  it('of the other programs is read whole', () => {
    const own = ownFiles('boards', '.function_call.json');
    const files = { ...own, ...sharedFiles('gpt-maa', '.function_call.json') };
    for (const [name, text] of Object.entries(files)) {
      const state = importBoard(text);
      assert.ok(state.mutations.length > 0 && state.messages.length > 0, name);
      const again = importBoard(JSON.stringify(exportBoard(createBoard(state))));
      assert.deepEqual(again.mutations, state.mutations, name);
      assert.deepEqual(again.messages, state.messages, name);
    }
    const counts = {
      ...{ 'robots-1': [4, 2], 'greenhouse-1': [4, 4], 'mow-lawn-1': [8, 6], 'a-team-1': [10, 7] },
      ...{ 'alien-1': [16, 6], 'lotr-1': [23, 8], 'ullysses-1': [21, 6] },
    };
    for (const [name, expected] of Object.entries(counts)) {
      const text = files[`${name}.function_call.json`];
      if (text === undefined) continue;
      const { mutations, messages } = importBoard(text);
      assert.deepEqual([mutations.length, messages.length], expected, name);
    }
  });

  it('as the Python program writes it comes out as it went in', () => {
    for (const [name, text] of Object.entries(ownFiles('boards', '.function_call.json'))) {
      if (!text.includes('internal_previous_messages')) continue;
      assert.deepEqual(exportBoard(createBoard(importBoard(text))), JSON.parse(text), name);
    }
  });
});
