import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  amicaTopics,
  fromMqttTopic,
  ourTopics,
  patternFault,
  toMqttTopic,
  topicFault,
  topicMatches,
} from './topics.ts';

describe('topics', () => {
  it('turns A.M.I.C.A.’s dotted names into what is on the wire, and back', () => {
    assert.equal(amicaTopics.requests, '/es/nachobrito/amica/user/request/v1');
    assert.equal(amicaTopics.events, '/es/nachobrito/amica/system/event/v1');
    assert.equal(amicaTopics.replies('m-1'), '/es/nachobrito/amica/replies/m-1');
    assert.equal(toMqttTopic('/already/there.v1'), '/already/there.v1');
    assert.equal(fromMqttTopic('/es/nachobrito/amica/user/request/v1'), 'es.nachobrito.amica.user.request.v1');
    assert.equal(fromMqttTopic('zigbee2mqtt/kitchen.light'), 'zigbee2mqtt/kitchen.light');
  });

  it('names any dotted name and reads it back unchanged', () => {
    const word = fc.stringMatching(/^[a-z0-9_-]{1,8}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
        const name = words.join('.');
        assert.equal(fromMqttTopic(toMqttTopic(name)), name);
      }),
    );
  });

  it('keeps an id of ours within one level, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (id) => {
        const topic = ourTopics.runEvents(id);
        assert.equal(topic.split('/').length, 5);
        assert.doesNotMatch(topic, /[+#]/);
      }),
    );
  });

  it('matches as MQTT does', () => {
    const table: [string, string, boolean][] = [
      ['a/b', 'a/b', true],
      ['a/+', 'a/b', true],
      ['a/+', 'a', false],
      ['a/+', 'a/', true],
      ['a/+', 'a/b/c', false],
      ['a/#', 'a', true],
      ['a/#', 'a/b/c', true],
      ['#', 'a/b', true],
      ['#', '$SYS/x', false],
      ['+/x', '$SYS/x', false],
      ['$SYS/#', '$SYS/x', true],
      ['+/+', '/a', true],
      ['/+', '/a', true],
      ['a/b', 'A/b', false],
    ];
    for (const [pattern, topic, isMatch] of table) {
      assert.equal(topicMatches(pattern, topic), isMatch, `${pattern} ${topic}`);
    }
  });

  it('says what is wrong with a topic or a pattern', () => {
    assert.equal(topicFault('a/b'), undefined);
    assert.match(topicFault('a/#') ?? '', /wildcard/);
    assert.match(topicFault('') ?? '', /empty/);
    assert.match(topicFault('x'.repeat(70_000)) ?? '', /longer/);
    assert.equal(patternFault('a/+/#'), undefined);
    assert.match(patternFault('a/#/b') ?? '', /last/);
  });
});
