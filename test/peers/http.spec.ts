/** The Python server and a serve node, side by side: the same requests, the same model, answers of the same shapes (73). */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { startFakeOpenAi, type FakeOpenAi } from '../fake-openai.ts';
import { callsBody, planBody } from '../http/pool.ts';
import { startNodeRed, type RunningNodeRed } from '../red/node-red.ts';
import { sharedFiles } from '../shared-data.ts';
import { answer, cases } from './http-cases.ts';
import { handleUserPrompt } from './seed-client.ts';
import { startSeedServer, type SeedServer } from './seed-server.ts';

interface Answered {
  readonly status: number;
  readonly type: string | null;
  readonly took: boolean;
  readonly body: unknown;
}

async function post(url: string, body: unknown): Promise<Answered> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  // After an error the Python server ends the connection.
  const headers = { 'content-type': 'application/json', connection: 'close' };
  const response = await fetch(url, { method: 'POST', headers, body: text });
  const type = response.headers.get('content-type');
  return {
    ...{ status: response.status, type, took: response.headers.has('x-process-time') },
    body: type === 'application/json' ? await response.json() : await response.text(),
  };
}

/** Names of fields and kinds of values; lists by the shapes of their items. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(shapeOf(item))))].sort();
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .sort()
      .map(([name, inner]) => [name, shapeOf(inner)]),
  );
}

/** Where something is wrong, and what. */
const faultsOf = (body: unknown) =>
  (body as { detail: { loc: unknown[]; type: string; msg: string }[] }).detail
    .map(({ loc, type, msg }) => `${loc.join('.')}: ${type}: ${msg}`)
    .sort();

const serve = {
  id: 'serve',
  type: 'folkmoot-serve',
  z: 'f',
  path: '/',
  requestsPerMinute: 10_000,
  wires: [[], ['router']],
  x: 1,
  y: 1,
};
const flows = (modelUrl: string, served: object = {}) => [
  { id: 'f', type: 'tab', label: 'f' },
  { id: 'model', type: 'folkmoot-model', provider: 'openai-compatible', baseUrl: modelUrl, modelName: 'small' },
  { ...serve, ...served },
  { id: 'router', type: 'folkmoot-router', z: 'f', model: 'model', wires: [[], [], [], []], x: 1, y: 2 },
];

describe('the Python server of gpt-multi-atomic-agents and a serve node', function () {
  this.timeout(300_000);
  let model: FakeOpenAi;
  let theirs: SeedServer;
  let ours: RunningNodeRed;
  before(async () => {
    model = await startFakeOpenAi({ answer });
    [theirs, ours] = await Promise.all([startSeedServer(model.url), startNodeRed({ flows: flows(model.url) })]);
  });
  after(async () => {
    await ours?.stop();
    await theirs?.stop();
    await model?.close();
  });

  for (const { what, endpoint = 'generate_function_calls', body, status, tellsMore } of cases)
    it(`answer alike: ${endpoint}, ${what}`, async () => {
      const [their, our] = await Promise.all([theirs, ours].map(({ url }) => post(`${url}/${endpoint}`, body)));
      assert.ok(their && our);
      assert.equal(their.status, status, `${JSON.stringify(their.body)}\n${theirs.log().slice(-2_000)}`);
      assert.deepEqual([our.status, our.type], [their.status, their.type]);
      if (status === 422) assert.deepEqual(faultsOf(our.body), faultsOf(their.body));
      else if (!tellsMore) assert.deepEqual(our.body, their.body);
      else {
        const [theirBoard, ourBoard] = [their.body, our.body] as Record<string, unknown>[];
        assert.deepEqual(shapeOf(Object.keys(ourBoard ?? {})), shapeOf(Object.keys(theirBoard ?? {})));
        for (const list of ['internal_previously_generated_functions', 'internal_newly_generated_functions'])
          assert.deepEqual(ourBoard?.[list], theirBoard?.[list]);
      }
      assert.equal(our.took, true);
    });

  it('differ for a plan without agents: there the model is asked all the same, here that is an error', async () => {
    const body = { ...planBody, agent_descriptions: [], user_prompt: 'please-chat' };
    const both = await Promise.all([theirs, ours].map(({ url }) => post(`${url}/generate_plan`, body)));
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 500],
    );
  });

  it('say alike which methods and paths there are', async () => {
    for (const { url } of [theirs, ours]) {
      const response = await fetch(`${url}/generate_plan`);
      assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST']);
      assert.deepEqual(await response.json(), { detail: 'Method Not Allowed' });
      assert.equal((await post(`${url}/generate_nothing`, {})).status, 404);
    }
  });

  it('serve a client that plans, then generates with an empty prompt, and carries its board on (73)', async () => {
    const [their, our] = await Promise.all(
      [theirs, ours].map(async ({ url }) => {
        const first = await handleUserPrompt(url, 'please-both', callsBody);
        return handleUserPrompt(url, 'please-clean', callsBody, first);
      }),
    );
    assert.deepEqual(our, their);
    assert.equal(our?.internal_previously_generated_functions.length, 3);
  });

  it('outlive what is nested deeper than a program can follow', async () => {
    const deep = `{"user_prompt":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    assert.equal((await post(`${ours.url}/generate_plan`, deep)).status, 422);
    const large = JSON.stringify({ ...planBody, user_prompt: 'x'.repeat(2_000_000) });
    assert.equal((await post(`${ours.url}/generate_plan`, large)).status, 413);
    const larger = JSON.stringify({ ...planBody, user_prompt: 'x'.repeat(6_000_000) });
    assert.equal((await post(`${ours.url}/generate_plan`, larger)).status, 413);
  });

  it('are described by one file', async () => {
    const [text] = Object.values(sharedFiles('gpt-maa', 'gpt-maa-current.json'));
    const described = (await (await fetch(`${theirs.url}/openapi.json`)).json()) as { paths: object };
    if (text)
      assert.deepEqual(Object.keys(described.paths), Object.keys((JSON.parse(text) as { paths: object }).paths));
  });
});

describe('a serve node behind Node-RED’s own password', function () {
  this.timeout(60_000);
  let model: FakeOpenAi;
  let nodeRed: RunningNodeRed | undefined;
  before(async () => void (model = await startFakeOpenAi({ answer })));
  after(async () => {
    await nodeRed?.stop();
    await model.close();
  });

  it('is reached by nobody without it; its own is the same, or a token in another header', async () => {
    const bcrypt = createRequire(createRequire(import.meta.url).resolve('node-red'))('bcryptjs') as Bcrypt;
    const settings = `httpNodeAuth: { user: 'anna', pass: '${bcrypt.hashSync('secret', 4)}' },`;
    nodeRed = await startNodeRed({ settings });
    const { url } = nodeRed;
    const secrets = { user: 'anna', password: 'secret', token: 'abc' };
    const flow = [
      ...flows(model.url, { path: '/folkmoot', authentication: 'basic', credentials: secrets }),
      { ...serve, id: 'other', path: '/token', authentication: 'bearer', credentials: secrets },
    ];
    const json = { 'content-type': 'application/json' };
    const deployed = { method: 'POST', headers: json, body: JSON.stringify(flow) };
    assert.equal((await fetch(`${url}/flows`, deployed)).status, 204);
    const status = async (path: string, headers: Record<string, string>) => {
      const body = JSON.stringify({ ...planBody, user_prompt: 'please-clean' });
      const sent = { method: 'POST', body, headers: { ...json, ...headers } };
      return (await fetch(`${url}/${path}/generate_plan`, sent)).status;
    };
    const authorization = `Basic ${Buffer.from('anna:secret').toString('base64')}`;
    // The flows start after that answer.
    while ((await status('token', { authorization })) === 404) continue;
    assert.equal(await status('folkmoot', {}), 401);
    assert.equal(await status('folkmoot', { authorization }), 200);
    const token = { 'x-folkmoot-token': 'abc' };
    assert.equal(await status('token', token), 401);
    assert.equal(await status('token', { authorization }), 401);
    assert.equal(await status('token', { authorization, ...token }), 200);
  });
});

interface Bcrypt {
  hashSync(password: string, rounds: number): string;
}
