/** What programs ask while flows are deployed. */
import assert from 'node:assert/strict';
import { startFakeOpenAi, type FakeOpenAi } from '../../test/fake-openai.ts';
import { planBody } from '../../test/http/pool.ts';
import { deploy, load, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import { anHttpServer, ask, flow, model, modules, pool, router, serve } from '../../test/red/serve-flow.ts';

const path = '/folkmoot/generate_plan';

describe('what is asked over HTTP while flows are deployed', function () {
  this.timeout(20_000);
  let server: FakeOpenAi;
  let release: () => void;
  before(startServer);
  after(stopServer);
  beforeEach(async () => {
    const held = new Promise<void>((resolve) => (release = resolve));
    const plan = { message: 'Hello!', steps: [] };
    server = await startFakeOpenAi({
      answer: async () => held.then(() => ({ calls: [{ name: 'make_plan', args: plan }] })),
    });
  });
  afterEach(async () => {
    await unload();
    await server.close();
  });
  anHttpServer();

  const slow = (served: object = {}, asked: object = {}) => [
    model({ provider: 'openai-compatible', baseUrl: server.url, modelName: 'small' }),
    ...flow(serve(served), router(asked)).slice(1),
  ];

  it('is asked again when the router was made anew', async () => {
    await load(modules, slow());
    const asking = ask(path, planBody);
    await until(() => server.requests.length === 1);
    await deploy(slow({}, { name: 'another' }), 'nodes');
    await until(() => server.requests.length === 2);
    release();
    const { status, body } = await asking;
    assert.deepEqual([status, body], [200, { chat_message: 'Hello!', recommended_agents: [] }]);
  });

  it('fails with the router that was taken away, as a plan that could not be made', async () => {
    await load(modules, slow());
    const asking = ask(path, planBody);
    await until(() => server.requests.length === 1);
    await deploy([...slow().filter(({ id }) => id !== 'router')], 'nodes');
    assert.equal((await asking).status, 500);
  });

  it('may be asked again by the program when the serve node itself was made anew', async () => {
    await load(modules, slow());
    const asking = ask(path, planBody);
    await until(() => server.requests.length === 1);
    const deployed = deploy(slow({ name: 'another' }), 'nodes');
    const { status, headers } = await asking;
    assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
    await deployed;
    await until(() => server.aborted() === 1);
    release();
    assert.equal((await ask(path, planBody)).status, 200);
  });

  it('waits for a node that is being made anew', async () => {
    await load(modules, pool());
    let n = 0;
    for (const kind of ['full', 'nodes', 'flows'] as const) {
      const deployed = deploy(pool({ name: `after ${kind}` }), kind);
      let isDone = false;
      void deployed.then(() => (isDone = true));
      while (!isDone) {
        assert.ok([200, 503].includes((await ask(path, planBody)).status));
        n += 1;
      }
      assert.equal((await ask(path, planBody)).status, 200);
    }
    assert.ok(n >= 3);
  });

  it('is not worked on any more when the program has gone', async () => {
    await load(modules, slow());
    const gone = new AbortController();
    const asking = ask(path, planBody, { signal: gone.signal });
    await until(() => server.requests.length === 1);
    gone.abort();
    await assert.rejects(asking);
    await until(() => server.aborted() === 1);
  });
});
