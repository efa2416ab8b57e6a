import assert from 'node:assert/strict';
import { javaRows } from '../../test/java-rows.ts';
import { fakeClock } from '../clock.ts';
import { ajv } from '../language/ajv.ts';
import { createModel } from '../model/catalogue.ts';
import type { ModelSettings } from '../model/model.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import { createConversations, conversationKey } from './conversation.ts';
import { createMinutesRuns } from './minutes-runs.ts';
import { minutesFileName, minutesSchema, takeMinutes } from './minutes.ts';

const good = { actors: ['ana'], summary: 'Ana asked.', messages: ['The user asked how many.'] };

async function room(settings: ModelSettings = { provider: 'rules' }) {
  const clock = fakeClock();
  const store = createEmbeddedStore({ path: ':memory:', clock });
  const conversations = createConversations(store, clock);
  const model = createModel(settings);
  const signal = new AbortController().signal;
  const take = (conversation: string) =>
    takeMinutes({ conversations, conversation, model, agentId: 'minute-taker', signal, clock });
  await store.append(conversationKey('java'), javaRows);
  return { clock, store, conversations, model, take };
}

describe('minutes of a conversation', () => {
  it('are made by rule of the rows: no tool rows, no prompt in front of the question (rows 35, 36)', async () => {
    const { take } = await room();
    const { minutes } = await take('java');
    assert.deepEqual(minutes, {
      actors: ['ana', 'local-system-agent'],
      summary: 'ana asked “How many users are logged in”, and local-system-agent answered.',
      messages: [
        'The user asked: “How many users are logged in?”',
        'The agent response was: “Two users are logged in.”',
      ],
    });
    assert.ok(ajv().compile(minutesSchema)(minutes));
  });

  it('say in one sentence how much was asked, and that nobody answered', async () => {
    const { conversations, take } = await room();
    await conversations.append('c', [
      { messageType: 'USER_MESSAGE', source: 'ana', text: 'turn the light on.\nNow' },
      { messageType: 'USER_MESSAGE', source: 'ben', text: 'and off' },
    ]);
    assert.equal(
      (await take('c')).minutes.summary,
      'ana and ben asked 2 things, first “turn the light on. Now”, and nobody answered.',
    );
  });

  it('are refused for a conversation of which nothing is kept (row 37)', async () => {
    const { take, conversations } = await room();
    await assert.rejects(take('unknown'), { code: 'FOLKMOOT_BAD_INPUT' });
    const call = { id: '1', toolName: 'T' };
    await conversations.append('tools', [
      { messageType: 'TOOL_EXECUTION', source: 'T', text: '2', executionRequests: [call] },
    ]);
    await assert.rejects(take('tools'), { code: 'FOLKMOOT_BAD_INPUT' });
  });

  it('of a model are checked by their form, and tried once more', async () => {
    const bad = [{ actors: [] }, { actors: 'ana' }, { summary: '' }, { messages: [] }, { messages: ['Hello'] }];
    for (const wrong of bad) {
      const script = [
        { task: 'summary', answer: JSON.stringify({ ...good, ...wrong }) },
        { task: 'summary', answer: JSON.stringify(good) },
      ] as const;
      const { take } = await room({ provider: 'scripted', script });
      const { minutes, usage } = await take('java');
      assert.deepEqual(minutes, good);
      assert.equal(usage.modelCalls, 2, JSON.stringify(wrong));
    }
  });

  it('of a model that never keeps to their form are an error, not half a document', async () => {
    const { take } = await room({ provider: 'scripted', script: [{ task: 'summary', answer: 'It was nice.' }] });
    await assert.rejects(take('java'), { code: 'FOLKMOOT_MODEL_UNREADABLE' });
  });

  it('have a file name that is no path, whatever the id is', () => {
    assert.equal(minutesFileName('9b7d1f0e-5c43'), '9b7d1f0e-5c43.minute.json');
    for (const id of [
      '../../etc/passwd',
      '/etc/passwd',
      '..',
      '',
      'a/b',
      'C:\\x',
      '.hidden',
      'x'.repeat(300),
      'ö\u0000',
    ])
      assert.match(minutesFileName(id), /^[0-9a-f]{32}\.minute\.json$/, id);
  });

  it('are the result of a run, whose failure is an outcome of its own', async () => {
    const { clock, conversations, model } = await room();
    const runs = createMinutesRuns({ clock, conversations, model: () => model, agentId: 'taker', instructions: '' });
    const ended = (value: string) => [
      { source: 'amica', kind: 'ConversationEnded', value, time: '2026-03-04T05:06:07Z' },
    ];
    const result = await runs.start({ text: 'ended', event: ended('java') });
    assert.equal(result?.outcome, 'done');
    assert.deepEqual((JSON.parse(result.payload) as { actors: string[] }).actors, ['ana', 'local-system-agent']);
    const failed = await runs.start({ text: 'ended', event: ended('unknown') });
    assert.deepEqual([failed?.outcome, failed?.error?.code], ['failed', 'FOLKMOOT_BAD_INPUT']);
    assert.equal((await runs.start({ text: 'hello' }))?.error?.code, 'FOLKMOOT_BAD_INPUT');
    await runs.close();
  });
});
