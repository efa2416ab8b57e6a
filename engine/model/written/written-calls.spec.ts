import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../../test/red/tier.ts';
import { spokenAndThought } from './thinking.ts';
import { writtenAnswer, type OfferedCall } from './written-calls.ts';
import { nearestNames } from './wrong-call.ts';

const lamp: OfferedCall = {
  name: 'set_lamp',
  schema: {
    type: 'object',
    properties: { room: { type: 'string' }, on: { type: 'boolean' }, level: { type: 'integer' } },
    required: ['room'],
    additionalProperties: false,
  },
};
const read = (text: string) => {
  const { calls, say } = writtenAnswer(text, [lamp]);
  return [calls.map(({ args }) => args), say];
};
const hall = { room: 'hall', on: true };

describe('calls that are written as text', () => {
  it('are read in the forms of the common models', () => {
    const json = '{"name": "set_lamp", "arguments": {"room": "hall", "on": true}}';
    const forms = [
      json,
      `<tool_call>\n${json}\n</tool_call>`,
      `<|python_tag|>${json}<|eom_id|>`,
      `[TOOL_CALLS] [${json}]`,
      '[TOOL_CALLS]set_lamp[ARGS]{"room": "hall", "on": true}',
      '<function=set_lamp>{"room": "hall", "on": true}</function>',
      '<tool_call>\n<function=set_lamp>\n<parameter=room>\nhall\n</parameter>\n<parameter=on>\ntrue\n</parameter>\n</function>\n</tool_call>',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>set_lamp\n```json\n{"room": "hall", "on": true}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      '```tool_code\nset_lamp(room="hall", on=True)\n```',
      '<|channel|>commentary to=functions.set_lamp <|constrain|>json<|message|>{"room": "hall", "on": true}<|call|>',
      `\`\`\`json\n${json}\n\`\`\``,
      '<|tool_call_start|>[set_lamp(room="hall", on=True)]<|tool_call_end|>',
      `<|start_header_id|>assistant<|end_header_id|>\n\n${json}<|eot_id|>`,
      'Thought: The hall it is.\nAction: set_lamp\nAction Input: {"room": "hall", "on": true}',
      "<tool_call>{'name': 'set_lamp', 'arguments': {'room': 'hall', 'on': True}}",
    ];
    for (const form of forms) assert.deepEqual(read(form), [[hall], ''], form);
  });

  it('leave what is said around them, and nothing of themselves', () => {
    const call = '<tool_call>{"name": "set_lamp", "arguments": {"room": "hall"}}</tool_call>';
    assert.deepEqual(read(`One moment.\n${call}\nIt is on.`), [[{ room: 'hall' }], 'One moment.\n\nIt is on.']);
    assert.deepEqual(read('<tool_call>{"name": "open_door", "arguments": {}}</tool_call>'), [[], '']);
  });

  it('that were cut off are none, and nothing is shown of them', () => {
    const cut = '[TOOL_CALLS] [{"name": "set_lamp", "arguments": {"room": "ha';
    assert.deepEqual(read(`Right, the lamp.\n${cut}`), [[], 'Right, the lamp.']);
    assert.deepEqual(read('<tool_call>{"name": "set_lamp", "arguments": {"room": "}'), [[], '']);
    assert.deepEqual(read('The mark [TOOL_CALLS] begins a list.'), [[], 'The mark [TOOL_CALLS] begins a list.']);
  });

  it('are taken only where nothing is lost: "40" is 40, and 40.6 or "warm" is nothing', () => {
    const level = (value: string) => read(`{"name": "set_lamp", "arguments": {"room": "hall", "level": ${value}}}`)[0];
    assert.deepEqual(
      [level('"40"'), level('40.0'), level('40.6'), level('"warm"'), level('"40 %"')],
      [[{ room: 'hall', level: 40 }], [{ room: 'hall', level: 40 }], [], [], []],
    );
  });

  it('are none in an example, in code, in a thought, in a quotation or where they are refused', () => {
    const call = '<tool_call>{"name": "set_lamp", "arguments": {"room": "hall"}}</tool_call>';
    for (const text of [
      `A call looks like this: ${call}`,
      `It is written \`${call}\`.`,
      `<think>I could write ${call}</think>Shall I?`,
      `I will not run ${call}`,
      `> ${call}\nis what came.`,
    ])
      assert.deepEqual(read(text)[0], [], text);
  });

  it('read any text without throwing, and leave plain words as they are', () => {
    const piece = fc.constantFrom(
      '<tool_call>',
      '{"name":',
      '"set_lamp"',
      '}',
      '[',
      '```json\n',
      '<think>',
      '</think>',
      '\\',
      "'",
      'functools[',
      '<function=',
      ' words ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (parts) => void writtenAnswer(parts.join(''), [lamp])),
      { seed: seed(), numRuns: repeats(2_000) },
    );
    const word = fc.stringMatching(/^[A-Za-z ,.!?]{1,40}$/);
    fc.assert(
      fc.property(word, (text) => assert.equal(writtenAnswer(text, [lamp]).say, text.trim())),
      { seed: seed(), numRuns: repeats(500) },
    );
  });

  it('name the nearest real names', () => {
    assert.deepEqual(nearestNames('SetLamp', ['open_door', 'set_lamp', 'set_timer'])[0], 'set_lamp');
  });
});

describe('what a model thinks aloud', () => {
  it('is told apart in every form, also when it is not closed, closed twice or only closed', () => {
    const cases: Record<string, [string, string]> = {
      '<think>a</think>b': ['b', 'a'],
      'a</think>b': ['b', 'a'],
      'b<think>a': ['b', 'a'],
      '<think>a</think>c</think>b': ['b', 'a\nc'],
      '[THINK]a[/THINK]b': ['b', 'a'],
      '<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b<|return|>': ['b', 'a'],
      'use `<think>` for that': ['use `<think>` for that', ''],
    };
    for (const [text, [say, thinking]] of Object.entries(cases))
      assert.deepEqual(spokenAndThought(text), { say, thinking }, text);
  });
});
