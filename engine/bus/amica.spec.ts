import assert from 'node:assert/strict';
import fc from 'fast-check';
import { limits } from '../limits.ts';
import { amicaTypes, readAmica, writeEnded, writeRequest, writeResponse } from './amica.ts';
import type { AmicaFaultReason, AmicaMessage } from './amica.ts';
import { parseAmicaDate } from './amica-date.ts';
import type { BusMessage } from './bus.ts';

const requestId = '3f0c6a52-9a0f-4a7e-8a51-0d6f2b1c7e11';
const conversationId = '9b7d1f0e-5c43-4c7b-9d0a-2f6f8f3a1b20';
const packageName = 'es.nachobrito.amica.domain.model.message.payload';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const incoming = (payload: string | Uint8Array, properties: Record<string, string>): BusMessage => ({
  topic: '/es/nachobrito/amica/user/request/v1',
  payload: Buffer.from(payload as string),
  properties,
  retained: false,
});

const envelope = (type: string, more: Record<string, string> = {}) => ({
  MESSAGE_ID: requestId,
  CONVERSATION_ID: conversationId,
  PAYLOAD_TYPE: `${packageName}.${type}`,
  ...more,
});

function read(payload: string | Uint8Array, properties: Record<string, string>): AmicaMessage {
  const reading = readAmica(incoming(payload, properties));
  if ('fault' in reading) throw new Error(`${reading.fault.reason}: ${reading.fault.detail}`);
  return reading.message;
}

function faultOf(payload: string | Uint8Array, properties: Record<string, string>) {
  const reading = readAmica(incoming(payload, properties));
  assert.ok('fault' in reading, 'was read');
  return reading.fault;
}

describe('A.M.I.C.A. on the wire (samples of the seed’s contracts)', () => {
  it('reads the console’s request', () => {
    const payload =
      '{"dateTime":"2026-03-04T05:06:07.123456789Z","userName":"ana","message":"How many users are logged in?"}';
    assert.deepEqual(read(payload, envelope('UserRequest')), {
      kind: 'request',
      messageId: requestId,
      conversationId,
      userName: 'ana',
      message: 'How many users are logged in?',
      at: Date.UTC(2026, 2, 4, 5, 6, 7, 123),
    });
  });

  it('reads the shipped Java agent’s answer with number 0 and a zone in brackets', () => {
    const payload =
      '{"message":"Two users are logged in.","dateTime":"2026-03-04T06:06:19.5+01:00[Europe/Madrid]","isComplete":true,"sequenceNumber":{"value":0}}';
    assert.deepEqual(read(payload, envelope('AgentResponse')), {
      kind: 'response',
      messageId: requestId,
      conversationId,
      message: 'Two users are logged in.',
      isComplete: true,
      sequence: 0,
      at: Date.UTC(2026, 2, 4, 5, 6, 19, 500),
    });
  });

  it('reads the end of a conversation, whose own envelope is unrelated', () => {
    const read1 = read(`{"conversationId":"${conversationId}"}`, {
      ...envelope('ConversationEnded'),
      CONVERSATION_ID: '0d2e4a10-0000-4000-8000-000000000000',
    });
    assert.equal(read1.kind === 'ended' && read1.endedConversation, conversationId);
  });

  it('writes a request byte by byte as the console does, but for the digits of the time', () => {
    const written = writeRequest({
      messageId: requestId,
      conversationId,
      userName: 'ana',
      message: 'How many users are logged in?',
      atMs: Date.UTC(2026, 2, 4, 5, 6, 7, 123),
    });
    assert.equal(written.topic, '/es/nachobrito/amica/user/request/v1');
    assert.equal(
      written.message.payload,
      '{"dateTime":"2026-03-04T05:06:07.123Z","userName":"ana","message":"How many users are logged in?"}',
    );
    assert.deepEqual(Object.entries(written.message.properties ?? {}), [
      ['MESSAGE_ID', requestId],
      ['CONVERSATION_ID', conversationId],
      ['PAYLOAD_TYPE', 'es.nachobrito.amica.domain.model.message.payload.UserRequest'],
    ]);
    assert.equal(written.message.retain ?? false, false);
  });

  it('writes the parts of a streamed answer byte by byte, with who answers as one more property', () => {
    const part = (message: string, isComplete: boolean, sequence: number, ms: number) =>
      writeResponse({
        requestId,
        conversationId,
        message,
        isComplete,
        sequence,
        atMs: Date.UTC(2026, 2, 4, 5, 6, 18, ms),
        agentId: 'house-agent',
      });
    const first = part('Two users ', false, 1, 100);
    const last = part('are logged in.', true, 2, 900);
    assert.equal(first.topic, `/es/nachobrito/amica/replies/${requestId}`);
    assert.deepEqual(
      [first.message.payload, last.message.payload],
      [
        '{"message":"Two users ","dateTime":"2026-03-04T05:06:18.100Z","isComplete":false,"sequenceNumber":{"value":1}}',
        '{"message":"are logged in.","dateTime":"2026-03-04T05:06:18.900Z","isComplete":true,"sequenceNumber":{"value":2}}',
      ],
    );
    const properties = first.message.properties ?? {};
    assert.deepEqual(Object.keys(properties), ['MESSAGE_ID', 'CONVERSATION_ID', 'PAYLOAD_TYPE', 'AGENT_ID']);
    assert.match(properties['MESSAGE_ID'] ?? '', uuid);
    assert.equal(properties['CONVERSATION_ID'], conversationId);
    assert.equal(properties['PAYLOAD_TYPE'], amicaTypes.response);
    assert.notEqual(properties['MESSAGE_ID'], last.message.properties?.['MESSAGE_ID']);
  });

  it('writes the end of a conversation with fresh ids', () => {
    const written = writeEnded(conversationId);
    assert.equal(written.topic, '/es/nachobrito/amica/system/event/v1');
    assert.equal(written.message.payload, `{"conversationId":"${conversationId}"}`);
    const properties = written.message.properties ?? {};
    assert.match(properties['MESSAGE_ID'] ?? '', uuid);
    assert.match(properties['CONVERSATION_ID'] ?? '', uuid);
    assert.notEqual(properties['CONVERSATION_ID'], conversationId);
    assert.equal(properties['PAYLOAD_TYPE'], 'es.nachobrito.amica.domain.model.message.payload.ConversationEnded');
  });

  it('reads what it writes, whatever the words', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string(),
        fc.boolean(),
        fc.nat(),
        (message, agent, end, sequence) => {
          const agentId = agent.replace(/\W/g, '');
          const written = writeResponse({
            requestId,
            conversationId,
            message,
            isComplete: end,
            sequence,
            atMs: 0,
            agentId,
          });
          const back = read(written.message.payload, { ...written.message.properties });
          assert.ok(back.kind === 'response');
          assert.deepEqual([back.message, back.isComplete, back.sequence], [message, end, sequence]);
        },
      ),
    );
  });
});

describe('what A.M.I.C.A. leaves out or adds', () => {
  it('ignores fields and properties that it does not know', () => {
    const message = read('{"message":"hi","mood":{"good":[1]}}', { ...envelope('UserRequest'), TRACE: 'x' });
    assert.deepEqual(message, { kind: 'request', messageId: requestId, conversationId, message: 'hi' });
  });

  it('takes null for missing, an empty number for 0 and a missing number for 1', () => {
    const first = read(
      '{"message":null,"dateTime":null,"isComplete":null,"sequenceNumber":{}}',
      envelope('AgentResponse'),
    );
    const second = read('{}', envelope('AgentResponse', { AGENT_ID: 'lights' }));
    assert.ok(first.kind === 'response' && second.kind === 'response');
    assert.deepEqual([first.message, first.isComplete, first.sequence], ['', false, 0]);
    assert.deepEqual([second.sequence, second.agentId], [1, 'lights']);
  });

  it('takes the dates that Java takes, and no others', () => {
    const good = [
      '2026-03-04T05:06:07.123Z',
      '2026-03-04T05:06:07Z',
      '2026-03-04T05:06Z',
      '2026-03-04T07:06:07+02:00[Europe/Madrid]',
    ];
    for (const text of good) assert.equal(new Date(parseAmicaDate(text) ?? NaN).getUTCHours(), 5, text);
    assert.equal(parseAmicaDate('1772600767'), 1_772_600_767_000);
    const bad = [
      '',
      '2026-03-04T05:06:07',
      '2026-03-04T05:06:07+0200',
      '2026-02-30T05:06:07Z',
      '2026-03-04',
      'now',
      '2026-13-04T05:06:07Z',
    ];
    for (const text of bad) assert.equal(parseAmicaDate(text), undefined, text);
  });
});

describe('bad messages', () => {
  const good = '{"message":"hi","userName":"ana","dateTime":"2026-03-04T05:06:07Z"}';
  const table: [string, string | Uint8Array, Record<string, string>, AmicaFaultReason][] = [
    ['no properties', good, {}, 'no message id'],
    ['no message id', good, { ...envelope('UserRequest'), MESSAGE_ID: '' }, 'no message id'],
    ['a topic in the id', good, { ...envelope('UserRequest'), MESSAGE_ID: 'a/b' }, 'unusable message id'],
    ['a wildcard in the id', good, { ...envelope('UserRequest'), MESSAGE_ID: '#' }, 'unusable message id'],
    ['a dot in the id', good, { ...envelope('UserRequest'), MESSAGE_ID: 'a.b' }, 'unusable message id'],
    ['a line break in the id', good, { ...envelope('UserRequest'), MESSAGE_ID: 'a\nb' }, 'unusable message id'],
    ['a long id', good, { ...envelope('UserRequest'), MESSAGE_ID: 'a'.repeat(129) }, 'unusable message id'],
    ['no conversation', good, { ...envelope('UserRequest'), CONVERSATION_ID: '' }, 'no conversation id'],
    [
      'a strange conversation',
      good,
      { ...envelope('UserRequest'), CONVERSATION_ID: '../x' },
      'unusable conversation id',
    ],
    ['no type', good, { ...envelope('UserRequest'), PAYLOAD_TYPE: '' }, 'no payload type'],
    ['a simple class name', good, { ...envelope('UserRequest'), PAYLOAD_TYPE: 'UserRequest' }, 'unknown payload type'],
    ['a foreign class', good, { ...envelope('UserRequest'), PAYLOAD_TYPE: 'java.lang.Object' }, 'unknown payload type'],
    ['1 MiB', `{"message":"${'x'.repeat(2 ** 20)}"}`, envelope('UserRequest'), 'too large'],
    ['nothing', '', envelope('UserRequest'), 'empty'],
    ['blanks', ' \n\t ', envelope('UserRequest'), 'empty'],
    ['binary', Uint8Array.from([0xff, 0xfe, 0x00, 0x80]), envelope('UserRequest'), 'binary'],
    ['zero bytes', Uint8Array.from([0x7b, 0x00, 0x7d]), envelope('UserRequest'), 'binary'],
    ['half an object', '{"message":"hi"', envelope('UserRequest'), 'malformed JSON'],
    ['raw control characters', '{"message":"h\u0007i"}', envelope('UserRequest'), 'malformed JSON'],
    ['100,000 brackets', '['.repeat(100_000), envelope('UserRequest'), 'too deep'],
    [
      'a deep object',
      `{"message":"hi","x":${'{"a":'.repeat(40)}1${'}'.repeat(41)}`,
      envelope('UserRequest'),
      'too deep',
    ],
    ['a list', '["hi"]', envelope('UserRequest'), 'wrong field'],
    ['null', 'null', envelope('UserRequest'), 'wrong field'],
    ['no message', '{"userName":"ana"}', envelope('UserRequest'), 'wrong field'],
    ['a number for a message', '{"message":7}', envelope('UserRequest'), 'wrong field'],
    ['a wrong date', '{"message":"hi","dateTime":"yesterday"}', envelope('UserRequest'), 'wrong field'],
    ['a half number', '{"sequenceNumber":{"value":1.5}}', envelope('AgentResponse'), 'wrong field'],
    ['no conversation', '{}', envelope('ConversationEnded'), 'wrong field'],
  ];
  for (const [name, payload, properties, reason] of table) {
    it(`says "${reason}" of ${name}`, () => {
      const fault = faultOf(payload, properties);
      assert.equal(fault.reason, reason);
      assert.ok(fault.detail.length > 10 && fault.detail.length < 300);
      const isReadable = !['no message id', 'unusable message id'].includes(reason);
      assert.equal(fault.messageId, isReadable ? requestId : undefined);
    });
  }

  it('names the field that is wrong', () => {
    assert.match(faultOf('{"message":"hi","userName":7}', envelope('UserRequest')).detail, /userName must be string/);
  });

  it('does not count brackets in quoted text', () => {
    const message = '[['.repeat(50) + '\\"{{'.repeat(50);
    assert.equal(read(`{"message":"${message}"}`, envelope('UserRequest')).kind, 'request');
  });

  it('never throws, whatever comes', () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    const json = fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text));
    const type = fc.constantFrom('UserRequest', 'AgentResponse', 'ConversationEnded', 'x');
    fc.assert(
      fc.property(fc.oneof(bytes, json), type, fc.string(), (payload, name, id) => {
        readAmica(incoming(payload, { ...envelope(name), MESSAGE_ID: id }));
        const reading = readAmica(incoming(payload, envelope(name)));
        assert.ok('fault' in reading || reading.message.messageId === requestId);
      }),
    );
    assert.ok(limits.jsonDepth < 1000);
  });
});
