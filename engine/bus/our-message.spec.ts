import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fakeClock } from '../clock.ts';
import type { BusMessage } from './bus.ts';
import { createOurMessages, readOur, type OurKind } from './our-message.ts';
import { isOfFolkmoot, senderOf, senderProperties } from './our-properties.ts';
import { ourSchemas } from './our-schemas.ts';

const incoming = (payload: unknown, topic = 'folkmoot/v1/agents/abcde'): BusMessage => ({
  topic,
  payload: Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)),
  properties: {},
  retained: false,
});

const card = { v: 1, agentId: 'lamp-agent', name: 'lamp' };

describe('a message on one of our topics', () => {
  it('is read when it has the form of its kind, with more or less in it', () => {
    assert.deepEqual(readOur('card', incoming(card)), { body: card });
    assert.ok('body' in readOur('card', incoming({ ...card, somethingNewer: [1], topics: ['light'] })));
    const presence = { v: 1, process: 'p1', house: 'h', status: 'online', since: '2026-01-01T00:00:00.000Z' };
    assert.ok('body' in readOur('presence', incoming(presence)));
    assert.ok('body' in readOur('ask', incoming({ v: 1, kind: 'step', payload: 'light on', deadline: 5000 })));
    assert.ok('body' in readOur('answer', incoming({ status: 'answered', payload: 'Done.' })));
  });

  it('is refused with a reason of a few words', () => {
    const reasons: [OurKind, unknown, string][] = [
      ['card', '', 'empty'],
      ['card', '{', 'malformed JSON'],
      ['card', `${'['.repeat(100)}${']'.repeat(100)}`, 'too deep'],
      ['card', 'x'.repeat(300_000), 'too large'],
      ['card', [], 'wrong field'],
      ['card', { ...card, v: 2 }, 'wrong field'],
      ['card', { ...card, agentId: 'a/b' }, 'wrong field'],
      ['card', { ...card, functions: [{ name: 'x' }] }, 'wrong field'],
      ['presence', { ...card, status: 'perhaps' }, 'wrong field'],
      ['ask', { v: 1, kind: 'order' }, 'wrong field'],
      ['ask', { v: 1, kind: 'step', deadline: -1 }, 'wrong field'],
      ['answer', { status: 'answered', mutations: [{ function: 'A', parameters: { b: null } }] }, 'wrong field'],
      ['tool', { v: 1, toolId: 't', name: 't', purpose: '', schema: {}, channel: 'bus' }, 'wrong field'],
    ];
    for (const [kind, payload, reason] of reasons) {
      const reading = readOur(kind, incoming(payload));
      assert.equal('fault' in reading ? reading.fault : 'none', reason, JSON.stringify(payload).slice(0, 60));
    }
  });

  it('never throws, whatever comes', () => {
    const kinds = Object.keys(ourSchemas) as OurKind[];
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.oneof(fc.uint8Array(), fc.json().map(Buffer.from)), (kind, payload) => {
        const reading = readOur(kind, { payload });
        assert.ok('body' in reading || reading.detail.length > 0);
      }),
    );
  });

  it('is counted and reported once a minute for each kind and reason when it is no good', async () => {
    const clock = fakeClock();
    const reported: string[] = [];
    const messages = createOurMessages({ clock, report: (problem) => reported.push(problem.message) });
    for (let n = 0; n < 100; n += 1) messages.read('card', incoming('{', `folkmoot/v1/agents/agent-${n}`));
    messages.read('card', incoming({}));
    messages.read('presence', incoming('{'));
    assert.equal(messages.dropped('card'), 101);
    assert.equal(messages.dropped('card', 'malformed JSON'), 100);
    assert.equal(reported.length, 3);
    assert.match(reported[0] ?? '', /Agent card.*malformed JSON.*agents\/agent-0/);
    await clock.advance(60_000);
    assert.equal(reported.length, 4);
    assert.match(reported[3] ?? '', /99 more messages/);
    messages.close();
    assert.equal(clock.waiting, 0);
  });
});

describe('who sends', () => {
  it('is written and read as user properties', () => {
    const sender = { agentId: 'lamp-agent', house: 'north', process: 'p1', user: 'anna' };
    const properties = senderProperties(sender);
    assert.deepEqual(Object.keys(properties), ['AGENT_ID', 'HOUSE', 'PROCESS', 'USER_NAME']);
    assert.deepEqual(senderOf(properties), sender);
    assert.deepEqual(senderOf({ HOUSE: ' \u0000 ', PROCESS: 'x'.repeat(1000) }), {});
    assert.deepEqual(senderProperties({ house: '' }), {});
  });

  it('tells ours from others’', () => {
    assert.equal(isOfFolkmoot({ MESSAGE_ID: 'a', CONVERSATION_ID: 'b' }), false);
    assert.equal(isOfFolkmoot({ MESSAGE_ID: 'a', PROCESS: 'p1' }), true);
  });
});
