/** The samples of seed-contracts.md A11 and our own messages, by the rules that Java readers have. */
import assert from 'node:assert/strict';
import { javaFaults, type Wire } from '../../test/amica-rules.ts';
import type { AmicaOutgoing } from './amica.ts';
import { writeEnded, writeRequest, writeResponse } from './amica.ts';

const requestId = '3f0c6a52-9a0f-4a7e-8a51-0d6f2b1c7e11';
const conversationId = '9b7d1f0e-5c43-4c7b-9d0a-2f6f8f3a1b20';
const base = 'es.nachobrito.amica.domain.model.message.payload';

const wire = ({ topic, message }: AmicaOutgoing): Wire => ({
  topic,
  body: String(message.payload),
  properties: { ...message.properties },
  isRetained: message.retain ?? false,
});

const written = {
  request: wire(writeRequest({ messageId: requestId, conversationId, userName: 'ana', message: 'hi', atMs: 0 })),
  ended: wire(writeEnded(conversationId)),
  response: wire(
    writeResponse({ requestId, conversationId, message: '', isComplete: false, sequence: 1, atMs: 0, agentId: 'a' }),
  ),
};

describe('the rules of Java readers', () => {
  it('find nothing in what we write', () => {
    for (const one of Object.values(written)) assert.deepEqual(javaFaults(one), []);
  });

  it('find nothing in the samples, but the number 0 that the shipped agent begins with', () => {
    const sample = (topic: string, type: string, body: string): Wire => ({
      topic: `/es/nachobrito/amica/${topic}`,
      body,
      properties: { MESSAGE_ID: requestId, CONVERSATION_ID: conversationId, PAYLOAD_TYPE: `${base}.${type}` },
      isRetained: false,
    });
    const reply = `replies/${requestId}`;
    for (const [topic, type, body, faults] of [
      [
        'user/request/v1',
        'UserRequest',
        '{"dateTime":"2026-03-04T05:06:07.123456789Z","userName":"ana","message":"How many users are logged in?"}',
        [],
      ],
      [
        reply,
        'AgentResponse',
        '{"message":"Two users are logged in.","dateTime":"2026-03-04T06:06:19.5+01:00[Europe/Madrid]","isComplete":true,"sequenceNumber":{"value":0}}',
        ['sequenceNumber begins below 1'],
      ],
      [
        reply,
        'AgentResponse',
        '{"message":"Two users ","dateTime":"2026-03-04T05:06:18.100Z","isComplete":false,"sequenceNumber":{"value":1}}',
        [],
      ],
      [
        reply,
        'AgentResponse',
        '{"message":"are logged in.","dateTime":"2026-03-04T05:06:18.900Z","isComplete":true,"sequenceNumber":{"value":2}}',
        [],
      ],
      ['system/event/v1', 'ConversationEnded', `{"conversationId":"${conversationId}"}`, []],
    ] as const) {
      assert.deepEqual(javaFaults(sample(topic, type, body)), faults, body);
    }
  });

  it('find what would deafen a Java agent', () => {
    const { request, ended, response } = written;
    const change = (one: Wire, properties: Record<string, string>): Wire => ({
      ...one,
      properties: { ...one.properties, ...properties },
    });
    for (const [one, fault] of [
      [{ ...request, isRetained: true }, 'it is retained'],
      [{ ...request, body: '{' }, 'the body is no JSON'],
      [{ ...request, body: '{"message":"hi","dateTime":"2026-03-04T05:06:07Z"}' }, 'userName or message is blank'],
      [{ ...request, body: request.body.replace('000Z', '000+0200') }, 'dateTime is missing or not as Java reads it'],
      [change(request, { PAYLOAD_TYPE: 'folkmoot.Presence' }), 'PAYLOAD_TYPE is not that of UserRequest'],
      [change(ended, { MESSAGE_ID: 'a' }), 'MESSAGE_ID is no random UUID'],
      [{ ...ended, body: '{}' }, 'conversationId is missing'],
      [
        { ...ended, topic: '/es/nachobrito/amica/presence' },
        'nothing of ours belongs on /es/nachobrito/amica/presence',
      ],
      [{ ...response, body: response.body.replace('{"value":1}', '1') }, 'sequenceNumber is no object with a number'],
      [{ ...response, body: response.body.replace('"isComplete":false,', '') }, 'isComplete is missing'],
    ] as const) {
      assert.ok(javaFaults(one).includes(fault), `${fault}: ${javaFaults(one).join(', ')}`);
    }
  });
});
