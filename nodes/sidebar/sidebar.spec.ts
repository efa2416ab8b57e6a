/** The runtime's half of the sidebar: what it collects of real runs, and what it serves. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunChanges, RunLook } from '../../engine/watch/run-look.ts';
import { limits } from '../../engine/limits.ts';
import {
  adminGet,
  adminPost,
  arrivals,
  load,
  nextAt,
  node,
  onTab,
  settle,
  until,
  type FlowNode,
} from '../../test/red/red.ts';
import { aTeamOnWires, agent, config, ends, home, modules, router, say } from '../../test/red/team-flow.ts';
import applyNode from '../apply/apply.ts';
import type { Red } from '../shared/red.ts';
import sidebar, { type PluginRed } from './sidebar.ts';

const path = '/folkmoot-admin/runs';
let told: unknown[] = [];
let permissions: string[] = [];
let RED: Red;

/** With what the test helper doesn't have: people and what they may. */
function withSidebar(red: PluginRed): void {
  RED = red;
  const needsPermission = (name: string) => {
    permissions.push(name);
    return (_request: unknown, _response: unknown, next: () => void) => next();
  };
  sidebar({ ...red, auth: { needsPermission } });
}

const all = [...(modules as unknown[]), applyNode, withSidebar] as never[];
const runsNow = async (): Promise<readonly RunLook[]> => (await adminGet<RunChanges>(path)).runs;

describe('the sidebar’s list of runs', function () {
  this.timeout(20_000);
  const { clock } = aTeamOnWires();
  const keep = (event: { topic: string; data: unknown }): void => {
    if (event.topic.startsWith('folkmoot/')) told.push(event);
  };

  beforeEach(() => {
    told = [];
    permissions = [];
  });
  afterEach(() => void RED.events.off('comms', keep));

  const start = async (flow: readonly FlowNode[], credentials?: object): Promise<void> => {
    await load(all, flow, credentials);
    RED.events.on('comms', keep);
  };

  it('holds who said what, the steps with their agents, the commands and the report', async () => {
    const rows = [{ kind: 'category', target: 'lights' }];
    await start([
      ...config(),
      ...onTab([
        { ...router(['lights', 'lawn']), wires: [['apply'], ['fallback'], [], ['lights', 'lawn']] },
        agent('lights', 'lights', ['category:lights']),
        agent('lawn', 'Lawn Mower', ['MowLawn']),
        { id: 'apply', type: 'folkmoot-apply', language: 'lang', rows, outputs: 2, wires: [['result'], ['device']] },
        { id: 'device', type: 'helper', wires: [] },
        ...ends,
      ]),
    ]);
    const moot = { v: 1, user: 'anna', request: { id: 'q', via: 'flow', replyTo: 'to/somebody' } };
    const reports = arrivals('result');
    say('turn the kitchen light on and mow the front lawn', { moot, password: 'of anna' });
    // Apply waits for failures as long as its rows say.
    for (let i = 0; i < 200 && reports.length === 0; i += 1) {
      await clock().advance(50);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const runs = await runsNow();
    assert.equal(runs.length, 1);
    const [run] = runs;
    assert.equal(run?.text, 'turn the kitchen light on and mow the front lawn');
    assert.equal(run.user, 'anna');
    assert.equal(run.owner, 'router');
    assert.equal(run.state, 'done');
    assert.ok(run.endedAt !== undefined);
    assert.deepEqual(
      run.steps.map(({ agent: who, node: id, state, prompt }) => [who, id, state, prompt]),
      [
        ['lights', 'lights', 'answered', 'turn the kitchen light on'],
        ['lawn-mower', 'lawn', 'answered', 'mow the front lawn'],
      ],
    );
    assert.deepEqual(
      run.commands.map((command) => [command.function, command.parameters, command.state]),
      [
        ['SetLight', { room: 'kitchen', state: 'on' }, 'applied'],
        ['MowLawn', { area: 'front' }, 'refused'],
      ],
    );
    assert.match(run.report ?? '', /kitchen light on/i);
    assert.doesNotMatch(JSON.stringify(runs), /of anna|to\/somebody/);
  });

  it('says why a run failed', async () => {
    await start([...config(), ...onTab([router([]), ...ends])]);
    const fallback = nextAt('fallback');
    say('turn the kitchen light on');
    await fallback;
    await settle();
    const [run] = await runsNow();
    assert.equal(run?.state, 'failed');
    assert.match(run.reason ?? '', /^FOLKMOOT_NO_AGENTS/);
  });

  it('holds runs that begin at an agent', async () => {
    await start([
      ...config(),
      ...onTab([agent('lights', 'lights', ['category:lights'], { wires: [['result'], [], [], []] }), ...ends]),
    ]);
    const result = nextAt('result');
    node('lights').receive({ payload: 'turn the hall light off' });
    await result;
    await settle();
    const [run] = await runsNow();
    assert.equal(run?.owner, 'lights');
    assert.equal(run.state, 'done');
    assert.deepEqual(
      run.steps.map(({ state }) => state),
      ['answered'],
    );
  });

  it('names nodes in subflows as the editor knows them', async () => {
    await start([
      ...config(),
      { id: 'floor', type: 'subflow', name: 'floor', in: [{ wires: [{ id: 'inner' }] }], out: [] },
      agent('inner', 'lights', ['SetLight'], { z: 'floor' }),
      ...onTab([router(['up']), { id: 'up', type: 'subflow:floor', name: 'upstairs', wires: [] }, ...ends]),
    ]);
    const result = nextAt('result');
    say('turn the kitchen light on');
    await result;
    await settle();
    const [run] = await runsNow();
    assert.deepEqual(
      run?.steps.map((step) => step.node),
      ['inner'],
    );
  });

  it('holds what waits for a person, and takes their answer, behind a permission of its own', async () => {
    await start([
      ...config(),
      ...onTab([router(['lights'], { approve: 'plan' }), agent('lights', 'lights', ['category:lights']), ...ends]),
    ]);
    const decide = async (run: string, decision: string) =>
      (await adminPost(`${path}/${encodeURIComponent(run)}/${decision}`, {})).status;
    const results = arrivals('result');
    const asked = async (count: number): Promise<RunLook> => {
      say('turn the kitchen light on');
      await until(() => results.length === count);
      await settle();
      return (await runsNow()).at(-1) ?? assert.fail('there is no run');
    };
    const first = await asked(1);
    assert.equal(first.waits?.until, clock().now() + 60 * 60_000);
    assert.match(first.answer ?? '', /Shall I\?/);
    assert.deepEqual([await decide(first.run, 'dance'), await decide('nobody', 'approve')], [404, 409]);
    assert.equal(await decide(first.run, 'approve'), 202);
    await until(() => results.length === 2);
    await settle();
    const [answered, answer] = await runsNow();
    assert.deepEqual([answered?.waits, answer?.state, answer?.commands.length], [undefined, 'done', 1]);
    assert.equal(await decide(first.run, 'approve'), 409, 'it was answered');
    const second = await asked(3);
    assert.equal(await decide(second.run, 'deny'), 202);
    await until(() => results.length === 4);
    await settle();
    assert.deepEqual((await runsNow()).at(-1)?.commands, []);
    const third = await asked(5);
    await clock().advance(60 * 60_000 + 1);
    assert.equal(await decide(third.run, 'approve'), 409, 'it waited too long');
    assert.deepEqual(permissions, ['folkmoot.runs.read', 'folkmoot.runs.write']);
  });

  it('tells editors that there is something new, a few times a second, and nothing of what', async () => {
    await start(home());
    const results = arrivals('result');
    for (let i = 0; i < 20; i += 1) say('turn the kitchen light on');
    await until(() => results.length === 20);
    await settle();
    assert.deepEqual(told, []);
    await clock().advance(limits.watchedEveryMs);
    const { revision } = await adminGet<RunChanges>(path);
    assert.deepEqual(told, [{ topic: 'folkmoot/runs', data: { revision }, retain: false }]);
    await clock().advance(10_000);
    assert.equal(told.length, 1);
  });

  it('serves what changed since the last look, behind a permission', async () => {
    await start(home());
    const results = arrivals('result');
    say('turn the kitchen light on');
    await until(() => results.length === 1);
    await settle();
    const { epoch, revision, runs } = await adminGet<RunChanges>(path);
    assert.equal(runs.length, 1);
    say('mow the front lawn');
    await until(() => results.length === 2);
    await settle();
    const news = await adminGet<RunChanges>(`${path}?epoch=${epoch}&after=${revision}`);
    assert.deepEqual(
      news.runs.map(({ text }) => text),
      ['mow the front lawn'],
    );
    for (const odd of ['?after=x', '?epoch=other&after=9', '?after[]=1&epoch[]=2', `?epoch=${epoch}&after=NaN`]) {
      assert.equal((await adminGet<RunChanges>(`${path}${odd}`)).runs.length, 2, odd);
    }
    assert.deepEqual(permissions, ['folkmoot.runs.read', 'folkmoot.runs.write']);
  });

  describe('with a server that repeats the key it was given', () => {
    let server: Server;
    beforeEach(async () => {
      server = createServer((request, response) => {
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: `Wrong key: ${String(request.headers.authorization)}` } }));
      });
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    });
    afterEach(() => new Promise((resolve) => void server.close(resolve)));

    it('holds no credential', async () => {
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      const model = { id: 'm', type: 'folkmoot-model', provider: 'openai-compatible', baseUrl, modelName: 'x' };
      const flow = [
        ...config(),
        model,
        ...onTab([router(['lights'], { model: 'm' }), agent('lights', 'lights', ['category:lights']), ...ends]),
      ];
      await start(flow, { m: { apiKey: 'sk-very-secret' } });
      const fallback = nextAt('fallback', 15_000);
      say('make it nice for the evening');
      await fallback;
      await settle();
      const [run] = await runsNow();
      assert.equal(run?.state, 'failed');
      assert.match(run.reason ?? '', /Wrong key/);
      assert.doesNotMatch(JSON.stringify(await adminGet(path)), /very-secret/);
    });
  });
});
