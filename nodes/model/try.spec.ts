/** What the button *Try it* of the model's dialog asks, in real Node-RED. */
import assert from 'node:assert/strict';
import { startFakeOpenAi, type FakeOpenAi } from '../../test/fake-openai.ts';
import { adminPost, load, startServer, stopServer, unload } from '../../test/red/red.ts';
import model from './model.ts';

interface Tried {
  readonly findings?: readonly { readonly what: string; readonly isOk: boolean; readonly text: string }[];
  readonly fault?: string;
}

describe('trying a model in its dialog', function () {
  this.timeout(20_000);
  let server: FakeOpenAi;
  before(startServer);
  after(stopServer);
  beforeEach(async () => {
    server = await startFakeOpenAi({ answer: () => ({ text: 'I am an owl.' }), models: ['owl'] });
  });
  afterEach(async () => {
    await unload();
    await server.close();
  });
  const tried = async (sent: object): Promise<Tried> =>
    (await adminPost<Tried>('/folkmoot-admin/model/try', sent)).body;
  const entered = (more: object = {}) => ({
    ...{ provider: 'openai-compatible', baseUrl: server.url, modelName: 'owl', timeoutSeconds: '5', concurrency: '2' },
    ...more,
  });
  const saved = (more: object = {}) => ({
    ...{ id: 'm', type: 'folkmoot-model', provider: 'openai-compatible', baseUrl: server.url, modelName: 'owl' },
    ...more,
  });

  it('tries what the dialog holds, saved or not', async () => {
    await load([model] as never[], []);
    const { findings = [] } = await tried({ settings: entered() });
    assert.deepEqual(
      findings.map(({ what, isOk }) => [what, isOk]),
      [
        ['answer', true],
        ['list', true],
        ['tools', false],
        ['form', false],
        ['thinking', true],
      ],
    );
    const { findings: none = [] } = await tried({ settings: entered({ modelName: '' }) });
    assert.match(none[0]?.text ?? '', /no name/);
  });

  it('sends a key that was saved only to where it was saved for', async () => {
    await load([model] as never[], [saved()], { m: { apiKey: 'secret' } });
    const keys = () => new Set(server.requests.map(({ authorization }) => authorization));
    await tried({ id: 'm', settings: entered(), apiKey: '__PWRD__' });
    assert.deepEqual([...keys()], ['Bearer secret']);
    const other = await startFakeOpenAi({ answer: () => ({ text: 'Hu.' }) });
    await tried({ id: 'm', settings: entered({ baseUrl: other.url }), apiKey: '__PWRD__' });
    assert.ok(other.requests.length > 0);
    assert.ok(other.requests.every(({ authorization }) => authorization !== 'Bearer secret'));
    await other.close();
  });

  it('says what is wrong with what it is sent', async () => {
    await load([model] as never[], []);
    const { findings: odd = [] } = await tried({ settings: 7 });
    assert.match(odd[0]?.text ?? '', /inside Node-RED/);
    const { findings = [] } = await tried({ settings: entered({ baseUrl: 'nowhere' }) });
    assert.equal(findings[0]?.isOk, false);
  });
});
