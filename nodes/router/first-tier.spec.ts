/** Who plans at a router with a hosted model: a first tier by words, else the model, which may be one for planning only. */
import assert from 'node:assert/strict';
import { startFakeOpenAi, type FakeOpenAi } from '../../test/fake-openai.ts';
import { aTeamOnWires, called, home, modules, say } from '../../test/red/team-flow.ts';
import { arrivals, load, nextAt, node, unload, until, type FlowNode } from '../../test/red/red.ts';

describe('a router with a hosted model', function () {
  this.timeout(20_000);
  aTeamOnWires();

  const servers: FakeOpenAi[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  /** Its agents go by words and rules; the planner gives everything to the lights. */
  async function planned(more: object = {}): Promise<FakeOpenAi> {
    const steps = [{ agent: 'lights', prompt: 'turn the kitchen light on' }];
    const server = await startFakeOpenAi({
      answer: () => ({ calls: [{ name: 'make_plan', args: { message: '', steps } }] }),
    });
    servers.push(server);
    const model = (id: string): FlowNode => ({
      ...{ id, type: 'folkmoot-model', provider: 'openai-compatible' },
      ...{ baseUrl: server.url, modelName: `the ${id} one` },
    });
    await load(modules, [model('large'), model('small'), ...home({ model: 'large', ...more })]);
    return server;
  }

  async function asked(words: string) {
    const result = nextAt('result');
    say(words);
    return (await result).moot;
  }

  it('plans what is clear without any call, and shows its share', async () => {
    const server = await planned();
    const statuses: unknown[] = [];
    const events = arrivals('events');
    node('router').status = (status: unknown) => void statuses.push(status);
    const moot = await asked('mow the front lawn');
    assert.deepEqual(called(moot), [['MowLawn', { area: 'front' }]]);
    assert.equal(server.requests.length, 0);
    assert.deepEqual([moot?.plan?.routedBy, moot?.usage?.routedBy], ['first tier', 'first tier']);
    assert.equal(moot?.usage?.byAgent['router'], undefined);
    const plan = events.find(({ topic }) => topic === 'plan')?.payload as { data: { routedBy: string } };
    assert.equal(plan.data.routedBy, 'first tier');
    await asked('make it nice in here');
    assert.equal(server.requests.length, 1);
    assert.deepEqual(statuses.at(-1), { fill: 'green', shape: 'dot', text: 'first tier: 50 % of the last 2' });
  });

  it('gives what is not clear to the planner, which may have a model of its own', async () => {
    const server = await planned({ planModel: 'small' });
    const moot = await asked('make it nice in here');
    assert.deepEqual(called(moot), [['SetLight', { room: 'kitchen', state: 'on' }]]);
    assert.deepEqual(
      server.requests.map(({ model }) => model),
      ['the small one'],
    );
    assert.equal(moot?.usage?.routedBy, 'planner');
  });

  it('asks the planner for everything when there is no first tier, or it has to be surer than it can be', async () => {
    for (const more of [{ firstTier: 'off' }, { firstTierThreshold: 1 }]) {
      const server = await planned(more);
      const moot = await asked('switch the lamp in the cellar on');
      assert.equal(server.requests.length, 1, JSON.stringify(more));
      assert.equal(moot?.usage?.routedBy, 'firstTier' in more ? undefined : 'planner');
      await unload();
    }
  });

  it('compares beside the run, and shows how often the planner agrees', async () => {
    const server = await planned({ firstTierCheck: 1 });
    const statuses: { text?: string }[] = [];
    node('router').status = (status: { text?: string }) => void statuses.push(status);
    const moot = await asked('mow the front lawn');
    assert.equal(moot?.usage?.byAgent['router'], undefined);
    // What was compared meanwhile is told at the end of the next run.
    for (let n = 0; n < 20 && !/agreed/.test(statuses.at(-1)?.text ?? ''); n += 1) {
      await asked('mow the front lawn');
      await until(() => server.requests.length === n + 2);
    }
    assert.match(statuses.at(-1)?.text ?? '', /^first tier: 100 % of the last \d+, 0 of \d+ agreed$/);
  });

  it('is by words and rules alone when that is its model', async () => {
    await load(modules, home());
    assert.equal((await asked('mow the front lawn'))?.usage?.routedBy, undefined);
  });
});
