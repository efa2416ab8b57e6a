import assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { changed, pathsOf } from '../../test/http/changed.ts';
import { callsBody, emptyBoard, planBody } from '../../test/http/pool.ts';
import { sharedFiles } from '../../test/shared-data.ts';
import { callsBodySchema, planBodySchema } from './body-schemas.ts';
import { detailOf } from './validation.ts';

const calls = (change: object) => detailOf(callsBodySchema, { ...callsBody, ...change });
const one = (change: object) => {
  const [detail, ...more] = calls(change) ?? [];
  assert.deepEqual(more, []);
  return [detail?.loc.join('.'), detail?.type, detail?.msg];
};

describe('a request body', () => {
  it('of the documented form passes; what may be left out may be null', () => {
    assert.equal(calls({}), undefined);
    assert.equal(calls({ blackboard: null, execution_plan: null, user_prompt: '' }), undefined);
    assert.equal(calls({ blackboard: emptyBoard }), undefined);
    assert.equal(calls({ blackboard: {} }), undefined);
    assert.equal(detailOf(planBodySchema, { ...planBody, previous_plan: null, messages: null }), undefined);
  });

  it('that lacks something or holds too much is told where and why', () => {
    assert.deepEqual(one({ user_prompt: undefined }), ['body.user_prompt', 'missing', 'Field required']);
    const extra = 'Extra inputs are not permitted';
    assert.deepEqual(one({ colour: 1 }), ['body.colour', 'extra_forbidden', extra]);
    assert.deepEqual(one({ blackboard: { more: 1 } }), ['body.blackboard.more', 'extra_forbidden', extra]);
    const agents = [{ ...callsBody.agent_definitions[0], wings: 2 }];
    assert.deepEqual(one({ agent_definitions: agents }), ['body.agent_definitions.0.wings', 'extra_forbidden', extra]);
  });

  it('with something of a wrong type is told what it should be', () => {
    const type = (change: object) => one(change).slice(1);
    assert.deepEqual(type({ user_prompt: 7 }), ['string_type', 'Input should be a valid string']);
    assert.deepEqual(type({ agent_definitions: {} }), ['list_type', 'Input should be a valid list']);
    const fields = 'Input should be a valid dictionary or object to extract fields from';
    assert.deepEqual(type({ blackboard: [] }), ['model_attributes_type', fields]);
    const agents = [{ ...callsBody.agent_definitions[0], agent_parameters: [] }];
    assert.deepEqual(type({ agent_definitions: agents }), ['dict_type', 'Input should be a valid dictionary']);
    const board = { internal_previous_messages: [{ role: 'system', message: '' }] };
    assert.deepEqual(type({ blackboard: board }), ['enum', "Input should be 'user' or 'assistant'"]);
    assert.deepEqual(detailOf(callsBodySchema, 'text')?.[0]?.loc, ['body']);
  });

  it('may hold more in plans, functions, calls, parameters and messages', () => {
    const plan = { chat_message: '', recommended_agents: [], more: 1 };
    assert.equal(calls({ execution_plan: plan }), undefined);
    assert.equal(
      calls({ blackboard: { internal_previous_messages: [{ role: 'user', message: '', at: 1 }] } }),
      undefined,
    );
  });
});

const [openApi] = Object.values(sharedFiles('gpt-maa', 'gpt-maa-current.json')).map(
  (text) => JSON.parse(text) as object,
);

if (openApi)
  describe('our schemas and the published description of that API', () => {
    const text = JSON.stringify(openApi).replaceAll('{"nullable":true}', '{"type":"null"}');
    const ajv = new Ajv({ strict: false, allErrors: true });
    ajv.addSchema(JSON.parse(text) as object, 'api');

    /** JSON whose names and values are those of the bodies, so that it is nearly right. */
    const names = [...new Set(text.match(/"[a-z_]{4,}"/g))].map((name) => name.slice(1, -1));
    const nearly = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom('user', 'int', 'function_call', 'graphql', '', 'x', 1, null, true),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    })).value;

    for (const [name, ours, body] of [
      ['GeneratePlanRequest', planBodySchema, planBody],
      ['FunctionCallGenerateRequest', callsBodySchema, callsBody],
    ] as const)
      it(`let the same bodies pass as ${name}`, () => {
        const theirs = ajv.getSchema(`api#/components/schemas/${name}`);
        assert.ok(theirs);
        const same = (given: unknown) => assert.equal(detailOf(ours, given) === undefined, theirs(given));
        same(body);
        for (const format of ['function_call', 'graphql', 'other', null]) same({ ...body, blackboard: { format } });
        const paths = pathsOf(body);
        fc.assert(fc.property(nearly, same));
        fc.assert(
          fc.property(fc.constantFrom(...paths), nearly, fc.constantFrom('put', 'drop', 'add'), (path, value, how) =>
            same(changed(body, path, how, value)),
          ),
          { numRuns: 1_000 },
        );
      });
  });
