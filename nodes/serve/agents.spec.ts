/** Agents that are kept by a serve node (P26): submitted with a token, listed, used, removed, kept over restarts. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ForeignBoard, ForeignPlan } from '../../engine/http/bodies.ts';
import { callsBody, planBody, poolKeeper, weatherman } from '../../test/http/pool.ts';
import { onFakeTime } from '../../test/red/fake-time.ts';
import { load, unload } from '../../test/red/red.ts';
import { anHttpServer, ask, flow, good, modules, router, serve } from '../../test/red/serve-flow.ts';

const agents = '/folkmoot/agents';
const generate = '/folkmoot/generate_function_calls';
const trusted = { headers: { authorization: 'Bearer trusted' } };
const names = async () =>
  ((await ask(agents, undefined, { method: 'GET' })).body as { agents: { agent: { name: string } }[] }).agents.map(
    ({ agent }) => agent.name,
  );
const using = (which: string) => ({ headers: { 'x-folkmoot-agents': which } });

describe('agents that are kept by a serve node', () => {
  onFakeTime();
  anHttpServer();
  const credentials = { serve: { submitToken: 'trusted' } };
  const start = (given: object = credentials) => {
    const own = { id: 'b', type: 'folkmoot-backbone', storePath: ':memory:', house: randomUUID() };
    return load(modules, [own, ...flow(serve({ backbone: 'b' }), router())], given);
  };

  it('come from somebody with the token only, and are listed for all who may ask', async () => {
    await start();
    assert.equal((await ask(agents, poolKeeper)).status, 403);
    assert.equal((await ask(agents, poolKeeper, { headers: { authorization: 'Bearer else' } })).status, 403);
    const { status, body } = await ask(agents, poolKeeper, trusted);
    assert.equal(status, 201);
    assert.deepEqual((body as { notes: unknown }).notes, []);
    assert.equal((await ask(agents, poolKeeper, trusted)).status, 200);
    assert.deepEqual(await names(), ['Pool Keeper']);
    const one = await ask(`${agents}/pool-keeper`, undefined, { method: 'GET' });
    assert.equal((one.body as { agent: { description: string } }).agent.description, poolKeeper.description);
    assert.equal((await ask(`${agents}/nobody`, undefined, { method: 'GET' })).status, 404);
  });

  it('come from nobody when no token is set', async () => {
    await start({});
    const { status, body } = await ask(agents, poolKeeper, trusted);
    assert.deepEqual(
      [status, body],
      [403, { detail: 'No token for submitting agents is set, so nobody may do that.' }],
    );
  });

  it('may be written in each of the three forms; one that is wrong is refused with the place', async () => {
    await start();
    const own = { v: 1, name: 'Talker', instructions: 'Be kind.' };
    const camel = {
      ...{ agentName: 'Waste Disposer', description: '', acceptedFunctionCategories: [], topics: [] },
      ...{ functionCategoriesAllowedToGenerate: ['waste'], agentParameters: [] },
    };
    for (const agent of [own, camel, weatherman]) assert.equal((await ask(agents, agent, trusted)).status, 201);
    assert.deepEqual(await names(), ['Talker', 'Waste Disposer', 'Weather Man']);
    const { status, body } = await ask(agents, { ...poolKeeper, wings: 2 }, trusted);
    assert.equal(status, 422);
    assert.match((body as { detail: { msg: string }[] }).detail[0]?.msg ?? '', /wings/);
    assert.equal((await ask(agents, '[', trusted)).status, 422);
  });

  it('work beside those of a request that names them, and alone', async () => {
    await start();
    await ask(agents, poolKeeper, trusted);
    const alone = { ...callsBody, agent_definitions: [] };
    const board = await good<ForeignBoard>(generate, alone, using('all'));
    assert.deepEqual(
      board.internal_newly_generated_functions.map(({ agent_name: name }) => name),
      ['Pool Keeper'],
    );
    const beside = { ...callsBody, agent_definitions: [weatherman], user_prompt: 'the weather, and clean' };
    const both = await good<ForeignBoard>(generate, beside, using('Pool Keeper'));
    assert.deepEqual(
      both.internal_newly_generated_functions.map(({ agent_name: name }) => name),
      ['Weather Man', 'Pool Keeper'],
    );
    const plan = await good<ForeignPlan>(
      '/folkmoot/generate_plan',
      { ...planBody, agent_descriptions: [] },
      using('pool-keeper'),
    );
    assert.equal(plan.recommended_agents[0]?.agent_name, 'Pool Keeper');
    // Who doesn't name them has only those of the request.
    assert.equal((await ask(generate, alone)).status, 500);
    assert.equal((await ask(generate, alone, using('nobody'))).status, 422);
  });

  it('are removed with the token only', async () => {
    await start();
    await ask(agents, poolKeeper, trusted);
    const remove = async (sent: object) =>
      (await ask(`${agents}/pool-keeper`, undefined, { method: 'DELETE', ...sent })).status;
    assert.equal(await remove({}), 403);
    assert.equal(await remove(trusted), 204);
    assert.equal(await remove(trusted), 404);
    assert.deepEqual(await names(), []);
  });

  it('are kept over restarts', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'folkmoot-serve-'));
    const kept = [
      { id: 'b', type: 'folkmoot-backbone', storePath: folder },
      ...flow(serve({ backbone: 'b' }), router()),
    ];
    await load(modules, kept, credentials);
    await ask(agents, poolKeeper, trusted);
    await unload();
    await load(modules, kept, credentials);
    assert.deepEqual(await names(), ['Pool Keeper']);
    assert.equal((await ask(generate, { ...callsBody, agent_definitions: [] }, using('all'))).status, 200);
    await unload();
    await rm(folder, { recursive: true, force: true });
  });
});
