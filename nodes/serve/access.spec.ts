/** Who may ask a serve node in a real Node-RED, and how much (P25). */
import assert from 'node:assert/strict';
import { callsBody, planBody } from '../../test/http/pool.ts';
import { onFakeTime } from '../../test/red/fake-time.ts';
import { load } from '../../test/red/red.ts';
import {
  anHttpServer,
  ask,
  catching,
  flow,
  modules,
  origin,
  router,
  saidBy,
  serve,
} from '../../test/red/serve-flow.ts';

const path = '/folkmoot/generate_plan';
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

describe('access to a serve node', () => {
  const clock = onFakeTime();
  const nodeRed = anHttpServer();
  const start = (more: object, credentials: object = {}) =>
    load(modules, flow(serve(more), router(), catching), { serve: credentials });
  const status = async (headers: Record<string, string> = {}) => (await ask(path, planBody, { headers })).status;

  it('is refused to everybody when nothing is set and other computers reach Node-RED', async () => {
    nodeRed.as('0.0.0.0');
    await start({});
    assert.equal(await status(), 404);
    assert.match(saidBy('serve'), /Nothing is served over HTTP\. Other computers reach this Node-RED/);
  });

  it('is taken back when Node-RED turns out to be reached by other computers', async () => {
    await start({});
    assert.equal(await status(), 200);
    nodeRed.as('0.0.0.0');
    assert.equal(await status(), 403);
  });

  it('needs user and password where they are set: 401 without, 200 with', async () => {
    nodeRed.as('0.0.0.0');
    await start({ authentication: 'basic' }, { user: 'anna', password: 'secret' });
    const { status: without, headers, body } = await ask(path, planBody);
    assert.deepEqual([without, body], [401, { detail: 'Not authenticated' }]);
    assert.equal(headers.get('www-authenticate'), 'Basic realm="Folkmoot"');
    assert.equal(await status(basic('anna:secret')), 200);
    assert.equal(await status(basic('anna:Secret')), 401);
  });

  it('needs the token where one is set: 401 without, 200 with', async () => {
    nodeRed.as('0.0.0.0');
    await start({ authentication: 'bearer' }, { token: 'abc' });
    assert.equal(await status(), 401);
    assert.equal(await status({ authorization: 'Bearer abc' }), 200);
    assert.equal(await status({ 'x-folkmoot-token': 'abc' }), 200);
  });

  it('passes what stands before all that flows serve', async () => {
    const seen: string[] = [];
    const before = (request: { url: string; headers: { secret?: string } }, response: Ending, next: () => void) => {
      seen.push(request.url);
      if (request.headers.secret) next();
      else Object.assign(response, { statusCode: 418 }).end('');
    };
    nodeRed.as('127.0.0.1', { httpNodeMiddleware: before });
    await start({});
    assert.equal(await status(), 418);
    assert.equal(await status({ secret: 'yes' }), 200);
    assert.equal(seen.length, 2);
  });

  it('is limited in how often, and says when to try again', async () => {
    await start({ requestsPerMinute: 3 });
    for (let i = 0; i < 3; i += 1) assert.equal(await status(), 200);
    const refused = await ask(path, planBody);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '20']);
    await clock().advance(20_000);
    assert.equal(await status(), 200);
  });

  it('is limited in size, told or not told in front, and takes the next request', async () => {
    await start({ bodyKilobytes: 2 });
    const large = JSON.stringify({ ...callsBody, user_prompt: 'x'.repeat(4_000) });
    assert.equal((await ask(path, large)).status, 413);
    const untold = await fetch(new URL(path, origin()), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit);
    assert.equal(untold.status, 413);
    assert.equal(await status(), 200);
  });

  it('is for one node only at each path: the second one says so', async () => {
    const second = serve({ id: 'second', path: 'folkmoot/' });
    await load(modules, flow(serve(), second, router(), catching));
    assert.equal(await status(), 200);
    assert.match(saidBy('second'), /Another serve node has the path "\/folkmoot"/);
  });
});

interface Ending {
  end(text: string): void;
}
