/** All that is served, with bodies made from its description: right ones, nearly right ones, and garbage. */
import assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import fc from 'fast-check';
import {
  boardSchema,
  callsBodySchema,
  graphqlBodySchema,
  planBodySchema,
  planSchema,
} from '../../engine/http/body-schemas.ts';
import { changed, pathsOf } from '../../test/http/changed.ts';
import { ofSchema } from '../../test/http/of-schema.ts';
import { callsBody, planBody } from '../../test/http/pool.ts';
import { load, startServer, stopServer, unload } from '../../test/red/red.ts';
import { anHttpServer, ask, flow, model, modules, origin, pool, router, serve } from '../../test/red/serve-flow.ts';
import { repeats, seed } from '../../test/red/tier.ts';
import { sharedFiles } from '../../test/shared-data.ts';

interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const endpoints = [
  {
    name: 'generate_plan',
    request: 'GeneratePlanRequest',
    answer: 'AgentExecutionPlanSchema-Output',
    body: planBody,
    agents: 'agent_descriptions',
  },
  {
    name: 'generate_function_calls',
    request: 'FunctionCallGenerateRequest',
    answer: 'FunctionCallBlackboard-Output',
    body: callsBody,
    agents: 'agent_definitions',
  },
] as const;

const entry = { type: 'object', required: ['loc', 'msg', 'type'], properties: { loc: { type: 'array' } } };
/** Where the published description is not there: what we take ourselves, which is the same (validation.spec). */
const ours: OpenApi['components']['schemas'] = {
  GeneratePlanRequest: planBodySchema,
  FunctionCallGenerateRequest: callsBodySchema,
  AgentExecutionPlanSchema: planSchema,
  FunctionCallBlackboard: boardSchema,
  HTTPValidationError: {
    type: 'object',
    required: ['detail'],
    properties: { detail: { type: 'array', items: entry } },
  },
};
const [text] = Object.values(sharedFiles('gpt-maa', 'gpt-maa-current.json'));
const nulls = /\{\s*"nullable":\s*true\s*\}/g;
const api: OpenApi = text
  ? (JSON.parse(text.replaceAll(nulls, '{"type":"null"}')) as OpenApi)
  : { components: { schemas: ours } };
const { schemas } = api.components;
const ajv = new Ajv({ strict: false });
ajv.addSchema(api, 'api');
const checkOf = (name: string): ValidateFunction =>
  ajv.getSchema(`api#/components/schemas/${name}`) ??
  ajv.getSchema(`api#/components/schemas/${name.replace(/-Output$/, '')}`) ??
  assert.fail(`${name} is not described`);
const isDetail = checkOf('HTTPValidationError');

describe('bodies of any kind', function () {
  this.timeout(120_000);
  before(startServer);
  after(stopServer);
  afterEach(unload);
  anHttpServer();
  const options = { seed: seed(), numRuns: repeats(400) };

  for (const { name, request, answer, body, agents } of endpoints) {
    const [isRequest, isAnswer] = [checkOf(request), checkOf(answer)];
    /** 200 and 422 as that description says; 500 without agents. */
    const isServed = async (given: unknown): Promise<void> => {
      const isRight = isRequest(given);
      const { status, body: told } = await ask(`/folkmoot/${name}`, JSON.stringify(given));
      const isEmpty = isRight && (given as Record<string, unknown[]>)[agents]?.length === 0;
      assert.equal(status, isEmpty ? 500 : isRight ? 200 : 422, JSON.stringify(told));
      if (status === 200) assert.ok(isAnswer(told), JSON.stringify(told));
      if (status === 422) assert.ok(isDetail(told), JSON.stringify(told));
    };

    it(`that are right are served by ${name}`, async () => {
      await load(modules, pool());
      await fc.assert(fc.asyncProperty(ofSchema({ $ref: `/${request}` }, schemas as never), isServed), options);
    });

    it(`that are nearly right are served or refused by ${name}`, async () => {
      await load(modules, pool());
      const places = fc.constantFrom(...pathsOf(body));
      const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('user', 'int', '', 7, null, [], {}));
      const how = fc.constantFrom('put', 'drop', 'add');
      const one = fc.asyncProperty(places, how, value, (at, change, put) => isServed(changed(body, at, change, put)));
      await fc.assert(one, options);
    });

    it(`that are garbage are refused by ${name}`, async () => {
      await load(modules, pool());
      const bytes = fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.json().map((one) => Buffer.from(one)),
        cutOff(body),
      );
      const types = fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/plain', 'x', '');
      const one = fc.asyncProperty(bytes, types, async (garbage, type) => {
        const response = await fetch(new URL(`/folkmoot/${name}`, origin()), {
          method: 'POST',
          body: garbage as Uint8Array<ArrayBuffer>,
          ...(type ? { headers: { 'content-type': type } } : {}),
        });
        assert.equal(response.status, 422);
        assert.ok(isDetail(await response.json()));
      });
      await fc.assert(one, options);
    });
  }

  it('that are right are served without an AI model', async () => {
    await load(modules, [model({ provider: 'rules' }), ...flow(serve(), router()).slice(1)]);
    const { numRuns } = options;
    for (const { name, request, agents } of endpoints) {
      const one = fc.asyncProperty(ofSchema({ $ref: `/${request}` }, schemas as never), async (given) => {
        const { status, body } = await ask(`/folkmoot/${name}`, JSON.stringify(given));
        const isEmpty = (given as Record<string, unknown[]>)[agents]?.length === 0;
        assert.equal(status, isEmpty ? 500 : 200, JSON.stringify(body));
      });
      await fc.assert(one, { ...options, numRuns: Math.ceil(numRuns / 2) });
    }
  });

  it('are served or refused by generate_graphql, and nothing else', async () => {
    await load(modules, pool());
    const one = fc.asyncProperty(ofSchema(graphqlBodySchema, {}), async (given) => {
      const { status, body } = await ask('/folkmoot/generate_graphql', JSON.stringify(given));
      const isEmpty = (given as { agent_definitions: unknown[] }).agent_definitions.length === 0;
      if (status === 422) assert.ok(isDetail(body), JSON.stringify(body));
      else assert.equal(status, isEmpty ? 500 : 200, JSON.stringify(body));
    });
    await fc.assert(one, options);
  });
});

/** A body that ends too soon. */
const cutOff = (body: unknown): fc.Arbitrary<Uint8Array> => {
  const whole = Buffer.from(JSON.stringify(body));
  return fc.integer({ min: 0, max: whole.length - 1 }).map((end) => whole.subarray(0, end));
};
