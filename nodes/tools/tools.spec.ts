/** A toolbox on a wire: asked by agents without a model, and shown to one with a model. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { startFakeOpenAi } from '../../test/fake-openai.ts';
import { load, nextAt, node, onTab, until, type FlowNode } from '../../test/red/red.ts';
import { agent, aTeamOnWires, config, ends, modules as teamModules, router } from '../../test/red/team-flow.ts';
import toolbox from '../toolbox/toolbox.ts';
import tools from './tools.ts';

const modules = [...teamModules, tools, toolbox] as never[];
const server = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);

describe('tools node', function () {
  this.timeout(40_000);
  aTeamOnWires();
  let asked = 0;
  const flow = (box: object, more: object = {}, keeper: object = {}): FlowNode[] => [
    ...config(),
    { id: 'box', type: 'folkmoot-toolbox', ...box },
    ...onTab([
      router(['keeper']),
      agent('keeper', 'keeper', [], { wires: [[], [], [], ['tools']], ...keeper }),
      { id: 'tools', type: 'folkmoot-tools', toolbox: 'box', wires: [], ...more },
      ...ends,
    ]),
  ];
  const ask = async (text: string) => {
    const result = nextAt('result', 20_000);
    node('router').receive({ payload: text, moot: { v: 1, conversation: `t${(asked += 1)}`, user: 'anna' } });
    return result;
  };

  it('answers a question by the tool that fits, without a model', async () => {
    await load(modules, flow({ kind: 'time' }));
    const { payload, moot } = await ask('what time is it?');
    assert.match(String(payload), /^It is \d\d:\d\d on \w+day, \d{4}-\d\d-\d\d\.$/);
    assert.equal(moot?.usage?.toolCalls, 1);
  });

  it('offers only what is named, and nothing of a toolbox that is gone', async () => {
    await load(modules, flow({ kind: 'time' }, { only: ['SunTimes'] }));
    assert.match(String((await ask('what time is it?')).payload), /no answer|can’t help/i);
  });

  it('lets a model use an MCP server’s tools: with their schemas, checked, and the result goes back to it', async () => {
    const seen: string[] = [];
    const fake = await startFakeOpenAi({
      answer: ({ tools: offered, messages }) => {
        const told = messages.find(({ role }) => role === 'tool');
        if (told) {
          seen.push(told.content);
          return { text: 'It said tea.' };
        }
        assert.ok(offered.some(({ name }) => name === 'echo'));
        return { calls: [{ name: 'echo', args: { message: 'tea' } }] };
      },
    });
    try {
      const model = {
        id: 'm',
        type: 'folkmoot-model',
        provider: 'openai-compatible',
        baseUrl: fake.url,
        modelName: 'x',
      };
      const box = { kind: 'mcp-program', command: process.execPath, args: [server, 'stdio'], trust: 'looks' };
      await load(modules, [model, ...flow(box, {}, { model: 'm' })]);
      const shown = () => (node('tools') as unknown as { status: { lastCall?: { args: [{ text?: string }] } } }).status;
      await until(() => shown().lastCall?.args[0].text?.includes('connected') === true, 20_000);
      node('keeper').receive({ payload: 'say tea', moot: { v: 1, conversation: 'm1' } });
      await until(() => seen.length > 0, 20_000);
      assert.match(seen[0] ?? '', /tea/);
    } finally {
      await fake.close();
    }
  });

  it('says so on an ordinary message', async () => {
    await load(modules, flow({ kind: 'time' }));
    const failed = new Promise<string>((resolve) => {
      const target = node('tools') as unknown as { error: (what: unknown) => void };
      const error = target.error.bind(target);
      target.error = (what) => {
        resolve(String((what as Error).message ?? what));
        error(what);
      };
    });
    node('tools').receive({ payload: 'x' });
    assert.match(await failed, /do nothing by themselves/);
  });
});
