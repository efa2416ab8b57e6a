import assert from 'node:assert/strict';
import { onFakeTime } from '../../test/red/fake-time.ts';
import {
  core,
  load,
  nextAt,
  node,
  onTab,
  startServer,
  stopServer,
  unload,
  until,
  type FlowNode,
} from '../../test/red/red.ts';
import { startFakeOpenAi, type FakeOpenAi } from '../../test/fake-openai.ts';
import { callModel } from '../../engine/model/call.ts';
import { defineNode } from '../shared/define-node.ts';
import { config, text } from '../shared/fields.ts';
import { processClock } from '../shared/process.ts';
import type { Red } from '../shared/red.ts';
import modelNode, { modelOf } from './model.ts';

const data = { task: 'generate', request: 'hello', agents: [], functions: [], board: [] } as const;

/** Answers with what its model says. */
function talker(RED: Red): void {
  defineNode(RED, {
    type: 'test-talker',
    fields: { name: text(), model: config('folkmoot-model') },
    start: (kit) => ({
      input: async (message, { send, signal }) => {
        const reply = await callModel(modelOf(RED, kit.config.model), {
          data,
          messages: [{ role: 'user', text: 'hello' }],
          signal,
          clock: processClock,
        });
        send({ ...message, payload: reply.text || reply.calls.map(({ name }) => name) });
      },
    }),
  });
}

const modules = [modelNode, talker, ...core('catch')] as never[];
const flow = (models: FlowNode[], model: string): FlowNode[] => [
  ...models,
  ...onTab([
    { id: 't', type: 'test-talker', model, wires: [['end']] },
    { id: 'c', type: 'catch', scope: ['t'], uncaught: false, wires: [['caught']] },
    { id: 'end', type: 'helper', wires: [] },
    { id: 'caught', type: 'helper', wires: [] },
  ]),
];
const hosted = (id: string, baseUrl: string, more: object = {}): FlowNode => ({
  id,
  type: 'folkmoot-model',
  provider: 'openai-compatible',
  baseUrl,
  modelName: 'small',
  ...more,
});

const answer = async (): Promise<unknown> => {
  const end = nextAt('end', 15_000);
  node('t').receive({ payload: null });
  return (await end).payload;
};

describe('the model node', function () {
  this.timeout(20_000);
  let server: FakeOpenAi;
  before(async () => {
    await startServer();
    server = await startFakeOpenAi({ answer: () => ({ text: 'hello from the server' }) });
  });
  after(async () => {
    await server.close();
    await stopServer();
  });
  afterEach(unload);

  it('is words and rules where none is chosen', async () => {
    await load(modules, flow([], ''));
    assert.deepEqual(await answer(), ['generate']);
  });

  it('calls the server of its address, with the key that is kept apart from the flow', async () => {
    await load(modules, flow([hosted('m', server.url)], 'm'), { m: { apiKey: 'secret-key' } });
    assert.equal(await answer(), 'hello from the server');
    assert.equal(server.requests.at(-1)?.authorization, 'Bearer secret-key');
  });

  it('lets the model answer that it falls back to when its server is not there', async () => {
    await load(
      modules,
      flow([hosted('m', 'http://127.0.0.1:9/v1', { fallbackModel: 'n' }), hosted('n', server.url)], 'm'),
    );
    assert.equal(await answer(), 'hello from the server');
  });

  it('that is missing is an error in words', async () => {
    await load(modules, flow([], 'elsewhere'));
    const caught = nextAt('caught');
    node('t').receive({ payload: null });
    const error = (await caught).error as { code: string; message: string };
    assert.equal(error.code, 'FOLKMOOT_MISSING_CONFIG');
    assert.match(error.message, /model is missing or disabled/);
  });
});

describe('a model node with a pause', () => {
  const clock = onFakeTime();
  let server: FakeOpenAi;
  before(async () => {
    server = await startFakeOpenAi({ answer: () => ({ text: 'hello from the server' }) });
  });
  after(() => server.close());

  it('keeps that many seconds between two questions to its server', async () => {
    await load(modules, flow([hosted('m', server.url, { pauseSeconds: 20, timeoutSeconds: 5 })], 'm'));
    await answer();
    const before = server.requests.length;
    const later = answer();
    await until(() => clock().waiting > 0);
    await clock().advance(19_999);
    assert.equal(server.requests.length, before);
    await clock().advance(1);
    assert.equal(await later, 'hello from the server');
  });
});
