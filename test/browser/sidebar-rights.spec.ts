/** Who may see runs, in a Node-RED that has users. */
import assert from 'node:assert/strict';
import { startNodeRed, type RunningNodeRed } from '../red/node-red.ts';
import { flows } from './watched-flow.ts';

describe('the list of runs in a Node-RED with users', function () {
  this.timeout(60_000);
  let nodeRed: RunningNodeRed;
  const users = {
    'token-of-admin': { username: 'admin', permissions: '*' },
    'token-of-reader': { username: 'reader', permissions: 'read' },
    'token-of-watcher': { username: 'watcher', permissions: ['folkmoot.runs.read'] },
    'token-of-guest': { username: 'guest', permissions: ['flows.read', 'settings.read', 'status.read'] },
  };

  before(async function () {
    this.timeout(90_000);
    const settings = `adminAuth: {
      type: 'credentials',
      users: async () => null,
      authenticate: async () => null,
      tokens: async (token) => (${JSON.stringify(users)})[token] || null,
    },`;
    nodeRed = await startNodeRed({ flows, settings });
  });
  after(() => nodeRed?.stop());

  const ask = (path: string, token?: string, method = 'GET'): Promise<Response> =>
    fetch(`${nodeRed.url}/${path}`, { method, ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}) });

  it('is for those who may read runs and for nobody else', async () => {
    const statuses = await Promise.all(
      [...Object.keys(users), 'token-of-nobody', undefined].map(
        async (token) => (await ask('folkmoot-admin/runs', token)).status,
      ),
    );
    assert.deepEqual(statuses, [200, 200, 200, 401, 401, 401]);
  });

  it('is answered by those only who may write runs, too', async () => {
    const statuses = await Promise.all(
      [...Object.keys(users), undefined].map(
        async (token) => (await ask('folkmoot-admin/runs/none/approve', token, 'POST')).status,
      ),
    );
    // Nothing of that name waits.
    assert.deepEqual(statuses, [409, 401, 401, 401, 401]);
  });

  it('tells others by the editor’s channel that there is something new, and not what', async () => {
    const socket = new WebSocket(`${nodeRed.url.replace('http', 'ws')}/comms`);
    const heard: string[] = [];
    const runsTold = new Promise<void>((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        heard.push(String(data));
        if (String(data).includes('folkmoot/runs')) resolve();
      });
    });
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    socket.send(JSON.stringify({ auth: 'token-of-guest' }));
    assert.equal((await ask('inject/nobody', 'token-of-admin', 'POST')).status, 200);
    await runsTold;
    socket.close();
    const { runs: list } = (await (await ask('folkmoot-admin/runs', 'token-of-watcher')).json()) as { runs: object[] };
    assert.match(JSON.stringify(list), /Lisbon/);
    const ours = heard.filter((text) => text.includes('folkmoot/runs')).join('\n');
    assert.match(ours, /"revision":\d+/);
    assert.doesNotMatch(ours, /Lisbon/);
  });
});
