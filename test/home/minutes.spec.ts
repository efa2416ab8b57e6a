/** The starter home's minute taker: unasked, one file for each conversation that ended (rows 35 to 37, 39). */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { HomeProcess } from './home-process.ts';
import type { Person } from './person.ts';
import { sharedHome } from './shared-home.ts';

const eventTopic = '/es/nachobrito/amica/system/event/v1';
const endedType = 'es.nachobrito.amica.domain.model.message.payload.ConversationEnded';

describe('minutes of conversations', function () {
  this.timeout(60_000);
  let home: HomeProcess;
  let person: Person;
  before(async () => {
    ({ home, person } = await sharedHome());
    person.commands();
  });
  const folder = () => path.join(home.folder, 'minutes');
  const written = () => readdir(folder()).catch((): string[] => []);
  const minutesOf = async (conversation: string) => {
    const file = `${conversation}.minute.json`;
    for (let tries = 0; tries < 300; tries += 1) {
      const text = (await written()).includes(file) ? await readFile(path.join(folder(), file), 'utf8') : '';
      if (text.trim().endsWith('}')) {
        return JSON.parse(text) as { actors: string[]; summary: string; messages: string[] };
      }
      await pause(20);
    }
    throw new Error(`no ${file} among ${(await written()).join(', ')}`);
  };
  const ended = (conversationId: string) =>
    person.client.publishAsync(eventTopic, JSON.stringify({ conversationId }), {
      qos: 1,
      properties: {
        userProperties: { MESSAGE_ID: randomUUID(), CONVERSATION_ID: randomUUID(), PAYLOAD_TYPE: endedType },
      },
    });

  it('are written by themselves when one has ended: who, one sentence, each message, and no tool', async () => {
    const conversation = randomUUID();
    const question = 'how many users are logged into this system?';
    const { text } = await person.say(question, { conversation, user: 'ana' });
    const { actors, summary, messages } = await minutesOf(conversation);
    assert.equal(actors[0], 'ana');
    assert.match(summary, /^ana asked “how many users are logged into this system”, and .+ answered\.$/);
    assert.deepEqual(messages, [`The user asked: “${question}”`, `The agent response was: “${text}”`]);
  });

  it('are not written for a conversation that nobody knows, and no id leads out of their folder', async () => {
    const before = await written();
    for (const id of ['unknown-conversation', '../../../minutes-out', `/tmp/${randomUUID()}`, '..', 'a\u0000b']) {
      await ended(id);
    }
    // What comes later is taken later: after its minutes all of those were refused.
    const fence = randomUUID();
    await person.say('what can you do?', { conversation: fence });
    await minutesOf(fence);
    const after = await written();
    assert.deepEqual(
      after.filter((file) => !before.includes(file)),
      [`${fence}.minute.json`],
    );
    assert.deepEqual(
      (await readdir(home.folder)).filter((file) => file.includes('minutes-out')),
      [],
    );
  });
});
