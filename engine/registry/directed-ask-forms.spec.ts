/** Asks and answers of programs that do not keep to the forms: said at once, to whom it helps. */
import assert from 'node:assert/strict';
import { answered, askedHouse } from '../../test/registry-house.ts';
import { senderProperties } from '../bus/our-properties.ts';
import { ourTopics } from '../bus/topics.ts';
import { limits } from '../limits.ts';
import type { AskAnswer } from '../moot.ts';

describe('a directed ask', () => {
  const houses = askedHouse();

  it('whose answer is in a wrong form fails at once, with what is wrong with it', async () => {
    const { bus, clock, north, settle, ask } = houses();
    const wrong = ['no json {', '{}', '[]', '{"status":"great"}', ''];
    const properties = senderProperties(north.sender);
    await bus.subscribe(ourTopics.agentAsk('lamp-agent'), ({ responseTopic = '', correlation = '' }) =>
      bus.publish(responseTopic, { payload: wrong.shift() ?? '', correlation, properties }),
    );
    await settle();
    for (const payload of [...wrong]) {
      const before = clock.now();
      const answer = await ask(payload.slice(0, 20));
      assert.deepEqual(
        [answer.status, answer.error?.code],
        ['failed', 'FOLKMOOT_MESSAGE_INVALID'],
        payload.slice(0, 20),
      );
      assert.match(String(answer.payload), /^The answer of Lamp could not be used: ./);
      assert.equal(clock.now(), before);
    }
  });

  it('of a wrong form is refused with what is wrong, a few a second, and not at all where nobody may be told', async () => {
    const { bus, clock, north, settle, serve, works } = houses();
    serve(() => answered('x'));
    await settle();
    const told: AskAnswer[] = [];
    const ours = ourTopics.answers('west/1');
    await bus.subscribe(ours, ({ payload }) => void told.push(JSON.parse(String(payload)) as AskAnswer));
    const elsewhere: string[] = [];
    await bus.subscribe('a/b', ({ topic }) => void elsewhere.push(topic));
    const wrong = (payload: string, responseTopic: string) =>
      bus.publish(ourTopics.agentAsk('lamp-agent'), { payload, responseTopic, correlation: '1' });
    await wrong('{"v":1,"kind":"dance","payload":1}', ours);
    await wrong('light on', ours);
    await wrong('{', ourTopics.control);
    await clock.advance(1_000);
    assert.deepEqual(
      told.map(({ status, error }) => [status, error?.code]),
      [
        ['refused', 'FOLKMOOT_MESSAGE_INVALID'],
        ['refused', 'FOLKMOOT_MESSAGE_INVALID'],
      ],
    );
    assert.match(String(told[0]?.payload), /^Your message could not be used: .*kind/);
    for (let n = 0; n < 1_000; n += 1) await wrong('{', ours);
    await clock.advance(1_000);
    assert.ok(told.length <= 2 + limits.badRepliesPerSecond, String(told.length));
    assert.deepEqual([works.length, elsewhere], [0, []]);
    assert.equal(north.registry.messages.dropped('ask'), 1_003);
  });
});
