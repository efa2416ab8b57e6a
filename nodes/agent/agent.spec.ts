/** An agent alone in real Node-RED: what it does without a router. */
import assert from 'node:assert/strict';
import { load, nextAt, node, onTab, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import { agent, config, ends, modules } from '../../test/red/team-flow.ts';

const alone = (more: object = {}) => [
  ...config(),
  ...onTab([
    agent('lights', 'lights', ['SetLight'], { wires: [['result'], ['fallback'], ['events'], []], ...more }),
    ...ends,
  ]),
];

describe('an agent in a flow', function () {
  this.timeout(30_000);
  before(startServer);
  after(stopServer);
  afterEach(unload);

  it('takes a message without an ask as a request of its own', async () => {
    await load(modules, alone());
    const result = nextAt('result');
    node('lights').receive({ payload: 'turn the kitchen light on', topic: 'wish', note: 'kept' });
    const message = await result;
    assert.deepEqual(
      message.moot?.mutations?.map(({ function: name, parameters }) => ({ name, parameters })),
      [{ name: 'SetLight', parameters: { room: 'kitchen', state: 'on' } }],
    );
    assert.equal(message.moot?.outcome, 'done');
    assert.equal(message.topic, 'wish');
    assert.equal(message['note'], 'kept');
    assert.equal(message.moot?.ask, undefined);
  });

  it('gives no command that it may not give', async () => {
    await load(modules, alone({ generates: ['MowLawn'] }));
    const result = nextAt('result');
    node('lights').receive({ payload: 'turn the kitchen light on' });
    assert.deepEqual((await result).moot?.mutations ?? [], []);
  });

  it('says at the start that its language is missing, and which commands nobody knows', async () => {
    const spies = () => node('lights') as unknown as Record<'error' | 'warn', { args: unknown[][] }>;
    await load(modules, alone({ language: 'gone' }));
    await until(() => spies().error.args.length > 0);
    assert.match(String(spies().error.args[0]?.[0]), /missing, disabled or has an error/);
    await unload();
    await load(modules, alone({ generates: ['SetLight', 'NoSuch'] }));
    await until(() => spies().warn.args.length > 0);
    assert.match(String(spies().warn.args[0]?.[0]), /NoSuch/);
  });

  it('says through Catch that its message is empty', async () => {
    await load(modules, [
      ...alone(),
      { id: 'c', z: 'f', type: 'catch', scope: ['lights'], uncaught: false, wires: [['caught']] },
    ]);
    const caught = nextAt('caught');
    node('lights').receive({ payload: '' });
    assert.equal(((await caught).error as { code: string }).code, 'FOLKMOOT_BAD_INPUT');
  });

  it('takes no part when another has its short name, and says so', async () => {
    const twin = { ...agent('twin', 'lights', ['SetLight']), z: 'f' };
    await load(modules, [...alone(), twin]);
    const said = ['lights', 'twin'].map((id) => (node(id) as unknown as { error: { args: unknown[][] } }).error);
    await until(() => said.some((spy) => spy.args.length > 0));
    assert.match(String(said.flatMap((spy) => spy.args)[0]?.[0]), /another agent with the id "lights"/);
  });
});
