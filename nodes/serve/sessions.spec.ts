/** A server with memory (P24): a session's id in the place of the blackboard. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ForeignBoard } from '../../engine/http/bodies.ts';
import { callsBody, emptyBoard, planBody } from '../../test/http/pool.ts';
import { onFakeTime } from '../../test/red/fake-time.ts';
import { load, unload } from '../../test/red/red.ts';
import { anHttpServer, ask, flow, modules, pool, router, serve } from '../../test/red/serve-flow.ts';

const generate = '/folkmoot/generate_function_calls';
const session = (id: string, more: Record<string, string> = {}) => ({
  headers: { 'x-folkmoot-session': id, ...more },
});
const weather = { ...callsBody, user_prompt: 'how is the weather' };

async function begin(body: object = callsBody, more: Record<string, string> = {}): Promise<string> {
  const { status, headers } = await ask(generate, body, session('new', more));
  assert.equal(status, 200);
  return headers.get('x-folkmoot-session') ?? assert.fail('there is no session');
}

describe('a session of a serve node', () => {
  const clock = onFakeTime();
  anHttpServer();

  it('remembers the blackboard: its id gives the same answer as the board would', async () => {
    await load(modules, pool());
    const first = (await ask(generate, callsBody)).body as ForeignBoard;
    const carried = (await ask(generate, { ...weather, blackboard: first })).body;
    const id = await begin();
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual((await ask(generate, weather, session(id))).body, carried);
    const { body } = await ask(generate, weather, session(id));
    assert.equal((body as ForeignBoard).internal_previously_generated_functions.length, 5);
    // A board in the body takes its place.
    const anew = await ask(generate, { ...callsBody, blackboard: emptyBoard }, session(id));
    assert.equal((anew.body as ForeignBoard).internal_previously_generated_functions.length, 1);
  });

  it('remembers the last plan until it is carried out', async () => {
    await load(modules, pool());
    const made = await ask('/folkmoot/generate_plan', { ...planBody, user_prompt: 'weather' }, session('new'));
    const id = made.headers.get('x-folkmoot-session') ?? '';
    const going = { ...callsBody, user_prompt: 'proceed' };
    const names = async () =>
      ((await ask(generate, going, session(id))).body as ForeignBoard).internal_newly_generated_functions.map(
        (call) => call.function_name,
      );
    assert.deepEqual(await names(), ['ReportWeather', 'CleanPool']);
    // The second time there is none left, and "proceed" is planned as any prompt is.
    assert.deepEqual(await names(), ['CleanPool']);
  });

  it('ends some time after its last request, then it is not there', async () => {
    await load(modules, pool({ sessionMinutes: 10 }));
    const id = await begin();
    await clock().advance(9 * 60_000);
    assert.equal((await ask(generate, weather, session(id))).status, 200);
    await clock().advance(9 * 60_000);
    assert.equal((await ask(generate, weather, session(id))).status, 200);
    await clock().advance(10 * 60_000 + 1);
    const { status, body } = await ask(generate, weather, session(id));
    assert.deepEqual([status, body], [404, { detail: 'This session does not exist, or it has ended.' }]);
    assert.equal((await ask(generate, weather, session('made-up'))).status, 404);
  });

  it('belongs to the user who began it', async () => {
    const as = (name: string) => ({ authorization: `Basic ${Buffer.from(`${name}:secret`).toString('base64')}` });
    const credentials = { user: 'anna', password: 'secret' };
    await load(modules, flow(serve({ authentication: 'basic' }), router()), { serve: credentials });
    const id = await begin(callsBody, as('anna'));
    assert.equal((await ask(generate, weather, session(id, as('anna')))).status, 200);
    assert.equal((await ask(generate, weather, session(id))).status, 401);
  });

  it('outlives a restart', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'folkmoot-serve-'));
    const kept = [{ id: 'b', type: 'folkmoot-backbone', storePath: folder }, ...pool({ backbone: 'b' })];
    await load(modules, kept);
    const id = await begin();
    await unload();
    await load(modules, kept);
    const { body } = await ask(generate, weather, session(id));
    assert.equal((body as ForeignBoard).internal_previously_generated_functions.length, 3);
    await unload();
    await rm(folder, { recursive: true, force: true });
  });
});
