import assert from 'node:assert/strict';
import { accessFile, accessOf } from './broker-access.ts';
import { flowTopics } from './flow-topics.ts';
import { runningNodes, type FlowNode } from './running-nodes.ts';

const flow = (nodes: readonly object[], env: Readonly<Record<string, string>> = {}) =>
  runningNodes([{ id: 't', type: 'tab' }, ...nodes] as FlowNode[], env);
const on = (node: object) => ({ z: 't', ...node });
const out = on({ id: 'o', type: 'folkmoot-bus-out', name: 'out', mode: 'topic', topic: '' });
const before = (node: object, ...more: object[]) =>
  flowTopics(flow([out, on({ id: 'b', wires: [['o']], ...node }), ...more]));
const patterns = ({ uses }: ReturnType<typeof flowTopics>) => uses.map(({ access, pattern }) => `${access} ${pattern}`);
const set = (to: string, tot = 'str') => ({ t: 'set', p: 'topic', pt: 'msg', to, tot });

describe('the topics that a flow uses', () => {
  it('are those of its nodes, and not of what is disabled or no topic', () => {
    const topics = flowTopics(
      flow([
        { id: 'off', type: 'tab', disabled: true },
        on({ id: '1', type: 'mqtt in', topic: 'a/+' }),
        on({ id: '2', type: 'mqtt in', topic: '$share/team/b/#' }),
        on({ id: '3', type: 'mqtt out', topic: 'c' }),
        on({ id: '4', type: 'folkmoot-bus-in', mode: 'topic', topic: 'd' }),
        on({ id: '5', type: 'folkmoot-bus-in', mode: 'requests', topic: 'x' }),
        on({ id: '6', type: 'folkmoot-bus-out', mode: 'reply', topic: 'x' }),
        on({ id: '7', type: 'mqtt in', topic: 'x', d: true }),
        on({ id: '8', type: 'mqtt in', name: 'odd', topic: 'e+' }),
        { id: '9', type: 'mqtt in', topic: 'x', z: 'off' },
      ]),
    );
    assert.deepEqual(patterns(topics), ['read a/+', 'read b/#', 'readwrite c', 'read d']);
    assert.match(topics.notes.join(), /^"odd": In "e\+" \+ must stand for a whole level/);
    assert.deepEqual(topics.unknown, []);
  });

  it('are known of messages where the nodes before say so', () => {
    for (const [rule, expected] of [
      [set('home/lamp/set'), 'home/lamp/set'],
      [set('"zigbee2mqtt/" & payload.room & "_light/set"', 'jsonata'), 'zigbee2mqtt/+/set'],
      [set("'a/' & topic", 'jsonata'), 'a/+'],
    ] as const) {
      const topics = before({ type: 'change', rules: [rule] });
      assert.deepEqual([patterns(topics), topics.unknown], [[`readwrite ${expected}`], []], rule.to);
    }
    const links = [
      on({ id: 'l', type: 'link in', wires: [['b']] }),
      on({ id: 'k', type: 'link out', links: ['l'], wires: [] }),
      on({ id: 'i', type: 'inject', topic: 'home/button', wires: [['k', 'c']] }),
      on({ id: 'c', type: 'change', rules: [set('first'), set('second')], wires: [['k']] }),
    ];
    assert.deepEqual(patterns(before({ type: 'switch' }, ...links)), ['readwrite home/button', 'readwrite second']);
    const func = on({ id: 'f', type: 'function', func: 'return msg', wires: [['b']] });
    const setBefore = on({ id: 'c', type: 'change', rules: [set('x')], wires: [['f']] });
    assert.deepEqual(patterns(before({ type: 'change', rules: [] }, func, setBefore)), ['readwrite x']);
  });

  it('are not guessed', () => {
    for (const node of [
      { type: 'function', func: 'msg.topic = "a"; return msg' },
      { type: 'change', rules: [set('topic', 'flow')] },
      { type: 'change', rules: [set('$lookup(a, b)', 'jsonata')] },
      { type: 'change', rules: [set('payload & payload', 'jsonata')] },
      { type: 'change', rules: [set('x'), { t: 'move', p: 'payload', pt: 'msg', to: 'topic', tot: 'msg' }] },
      { type: 'change', rules: [{ t: 'delete', p: 'topic', pt: 'msg' }] },
      { type: 'folkmoot-apply' },
      { type: 'switch' },
      { type: 'inject', topic: '' },
      { type: 'mqtt in', topic: '+/x' },
    ]) {
      const { uses, unknown } = before(node);
      assert.deepEqual(
        [uses.filter(({ access }) => access === 'readwrite'), unknown],
        [[], ['out']],
        JSON.stringify(node),
      );
    }
    const told = flowTopics(flow([on({ id: 'i', type: 'mqtt in', name: 'told', topic: 'old', inputs: 1 })]));
    assert.deepEqual([told.uses, told.unknown], [[], ['told']]);
    const variable = flowTopics(flow([on({ id: 'i', type: 'mqtt out', name: 'v', topic: '${NOWHERE}' })]));
    assert.deepEqual([variable.uses, variable.unknown], [[], ['v']]);
    // A circle ends.
    const circle = before({ type: 'switch', wires: [['o', 'd']] }, on({ id: 'd', type: 'delay', wires: [['b']] }));
    assert.deepEqual(circle.uses, []);
  });

  it('have variables of the environment, the tab, the group and each instance of a subflow', () => {
    const env = (name: string, value: string, type = 'str') => [{ name, value, type }];
    const nodes = runningNodes(
      [
        { id: 't', type: 'tab', env: env('T', 'of/tab') },
        { id: 'g', type: 'group', z: 't', env: env('G', 'of/group') },
        { id: 's', type: 'subflow', env: env('S', 'standard') },
        { id: 'global', type: 'global-config', env: env('ALL', 'of/all') },
        { id: 'in', type: 'mqtt in', z: 's', topic: '${S}' },
        { id: 'one', type: 'subflow:s', z: 't', env: env('S', 'first') },
        { id: 'two', type: 'subflow:s', z: 't', env: env('S', 'T', 'env') },
        { id: 'three', type: 'subflow:s', z: 't' },
        { id: 'gone', type: 'subflow:s', z: 't', d: true, env: env('S', 'gone') },
        { id: 'a', type: 'mqtt in', z: 't', topic: '${T}' },
        { id: 'b', type: 'mqtt in', z: 't', g: 'g', topic: '${G}' },
        { id: 'c', type: 'mqtt in', z: 't', topic: '$(PROCESS)' },
        { id: 'd', type: 'mqtt in', z: 't', topic: '${ALL}' },
      ],
      { PROCESS: 'of/process' },
    );
    const found = flowTopics(nodes).uses.map(({ pattern }) => pattern);
    assert.deepEqual(found.sort(), ['first', 'of/all', 'of/group', 'of/process', 'of/tab', 'of/tab', 'standard']);
  });

  it('leave out what is on another broker, and have what connections tell', () => {
    const topics = flowTopics(
      flow(
        [
          { id: 'h', type: 'folkmoot-backbone', bus: 'mqtt', busUrl: '${URL}' },
          { id: 'v', type: 'folkmoot-backbone', bus: 'valkey-streams', busUrl: 'redis://house' },
          {
            id: 'here',
            type: 'mqtt-broker',
            broker: 'localhost',
            port: '1883',
            willTopic: 'flow/gone',
            birthTopic: '',
          },
          { id: 'there', type: 'mqtt-broker', broker: 'mqtts://cloud', willTopic: 'cloud/gone' },
          on({ id: '1', type: 'mqtt in', topic: 'a', broker: 'here' }),
          on({ id: '2', type: 'mqtt in', name: 'weather', topic: 'b', broker: 'there' }),
          on({ id: '3', type: 'folkmoot-bus-in', name: 'other', mode: 'topic', topic: 'c', backbone: 'v' }),
          on({ id: '4', type: 'folkmoot-bus-in', mode: 'topic', topic: 'd', backbone: 'h' }),
        ],
        { URL: 'mqtt://ana:secret@127.0.0.1' },
      ),
    );
    assert.deepEqual(patterns(topics), ['read a', 'read d', 'write flow/gone']);
    assert.deepEqual(topics.notes, [
      '"weather" is not on this broker, but on cloud:8883: it is left out.',
      '"other" is not on this broker, but on a Valkey server: it is left out.',
    ]);
  });
});

describe('the users of a broker', () => {
  const remote = (more: object) => on({ type: 'folkmoot-remote-agent', ...more });

  it('are agents, tools and those who answer a broadcast, each with its own topics', () => {
    const nodes = flow([
      remote({ id: '1', name: 'my scale', kind: 'tool', remoteId: 'Scale_1' }),
      remote({ id: '2', name: 'cook', kind: 'agent', mode: 'directed', remoteId: 'kitchen-cook' }),
      remote({ id: '3', name: 'System agent', kind: 'agent', mode: 'amica', remoteId: '' }),
      remote({ id: '4', name: 'nobody', kind: 'tool', remoteId: '' }),
      on({ id: '5', type: 'folkmoot-agent', name: 'Lamp keeper' }),
      on({ id: '6', type: 'folkmoot-agent', agentId: 'watch', name: 'clash' }),
    ]);
    const access = accessOf(nodes, { home: 'house', topics: [] });
    const of = (name: string) =>
      access.users.find((user) => user.name === name)?.rules.map((rule) => `${rule.access} ${rule.pattern}`);
    assert.deepEqual(
      access.users.map(({ name }) => name),
      ['house', 'people', 'watch', 'kitchen-cook', 'lamp-keeper', 'Scale_1', 'system-agent'],
    );
    assert.deepEqual(of('Scale_1'), [
      'readwrite folkmoot/v1/tools/Scale_1',
      'read folkmoot/v1/tools/Scale_1/call',
      'write folkmoot/v1/answers/+',
      'readwrite folkmoot/v1/presence/Scale_1',
    ]);
    assert.deepEqual(of('system-agent'), [
      'read /es/nachobrito/amica/user/request/v1',
      'write /es/nachobrito/amica/replies/+',
      'readwrite /es/nachobrito/amica/system/event/v1',
    ]);
    assert.deepEqual(access.notes, [
      '"nobody" has no id, so there is no user for it.',
      '"watch" is the name of another user already: give that agent or tool another id.',
    ]);
    const file = accessFile(access);
    assert.match(file, /user Scale_1\n(topic .*\n){4}# topic readwrite folkmoot\/v1\/presence\/PROCESS, if/);
    assert.doesNotMatch(file, /user lamp-keeper\n(topic .*\n){4}#/);
  });

  it('have what is not known as lines to fill in', () => {
    const access = accessOf(flow([out]), { home: 'house', topics: [] });
    assert.match(accessFile(access), /user house\n(topic .*\n)+# topic readwrite TOPICS OF "out", which come with/);
    assert.match(accessFile(access), /# Note: "out" takes its topic from messages: name it with --topic\.\n/);
  });
});
