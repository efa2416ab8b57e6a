/** A house as an MCP server, used with the official client (MCP specification, "Streamable HTTP"). */
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { onFakeTime } from '../../test/red/fake-time.ts';
import { arrivals, deploy, load, onTab, until, type FlowNode } from '../../test/red/red.ts';
import { anHttpServer, ask, modules as serveModules, origin, serve } from '../../test/red/serve-flow.ts';
import { agent, config, ends, router } from '../../test/red/team-flow.ts';
import toolNode from '../tool/tool.ts';
import toolResultNode from '../tool-result/tool-result.ts';

const modules = [...serveModules, toolNode, toolResultNode] as never[];
const room = { name: 'room', type: 'string', required: true, allowedValues: ['kitchen', 'hall'] };
const tool = (more: object = {}): FlowNode => ({
  ...{ id: 'warmth', type: 'folkmoot-tool', name: 'room warmth', description: 'Tells how warm a room is' },
  ...{ parameters: [room], result: 'degrees Celsius', wires: [['work']] },
  ...more,
});
const work = (func: string): FlowNode => ({
  id: 'work',
  type: 'function',
  func,
  outputs: 1,
  libs: [],
  wires: [['end']],
});
const apply: FlowNode = {
  ...{ id: 'apply', type: 'folkmoot-apply', language: 'lang', rows: [{ kind: 'category', target: 'lights' }] },
  ...{ outputs: 2, wires: [['report'], ['row']] },
};

interface House {
  readonly serve?: object;
  readonly tool?: object;
  readonly code?: string;
  readonly result?: readonly string[];
  readonly more?: readonly FlowNode[];
}
const house = ({
  serve: served = {},
  tool: tooled = {},
  code,
  result = ['result', 'apply'],
  more = [],
}: House = {}) => [
  ...config(),
  ...onTab([
    serve({ mcp: true, ...served }, ['router', 'warmth']),
    router(['lights'], {
      ...{ name: 'kitchen', description: 'Lights of the flat.' },
      wires: [result, ['fallback'], ['told'], ['lights']],
    }),
    agent('lights', 'lights', ['category:lights']),
    apply,
    tool(tooled),
    work(code ?? 'msg.payload = { kitchen: 21, hall: 17 }[msg.payload.room]; return msg;'),
    { id: 'end', type: 'folkmoot-tool-result', wires: [] },
    ...['report', 'row', 'told'].map((id) => ({ id, type: 'helper', wires: [] })),
    ...ends,
    ...more,
  ]),
];

describe('a house that programs use by MCP', function () {
  this.timeout(20_000);
  const clock = onFakeTime();
  const nodeRed = anHttpServer();
  const clients: Client[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });

  async function connected(headers: Record<string, string> = {}): Promise<Client> {
    const client = new Client({ name: 'a program', version: '1' });
    clients.push(client);
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/folkmoot/mcp', origin()), { requestInit: { headers } }),
    );
    return client;
  }
  const call = async (client: Client, name: string, given: object): Promise<CallToolResult> =>
    (await client.callTool({ name, arguments: { ...given } })) as CallToolResult;
  const textOf = ({ content }: CallToolResult) => content.map((part) => (part.type === 'text' ? part.text : '')).join();

  /** Nobody tells that nothing more will come: only time does. */
  async function inTime(wanted: Promise<CallToolResult>): Promise<CallToolResult> {
    let found: CallToolResult | undefined;
    void wanted.then((result) => (found = result));
    await until(() => {
      if (!found) void clock().advance(50);
      return found !== undefined;
    });
    return wanted;
  }

  it('lists what is wired to it at that moment: requests in plain words and tools', async () => {
    await load(modules, house());
    const client = await connected();
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
      [
        ['AskKitchen', false],
        ['RoomWarmth', true],
      ],
    );
    assert.match(tools[0]?.description ?? '', /plain words.*Lights of the flat\.$/);
    assert.match(tools[1]?.description ?? '', /^Tells how warm a room is.*degrees Celsius/);
    const [, warmth] = tools;
    assert.deepEqual((warmth?.inputSchema.properties as { room: { enum: string[] } }).room.enum, ['kitchen', 'hall']);
    assert.match(client.getInstructions() ?? '', /plain words/);
    await deploy(
      house().map((one) => (one.id === 'serve' ? { ...one, wires: [['events'], ['warmth']] } : one)),
      'nodes',
    );
    assert.deepEqual(
      (await client.listTools()).tools.map(({ name }) => name),
      ['RoomWarmth'],
    );
  });

  it('gives what a tool gives, and says what is wrong with arguments', async () => {
    await load(modules, house());
    const client = await connected();
    assert.equal(textOf(await call(client, 'RoomWarmth', { room: 'kitchen' })), '21');
    const wrong = await call(client, 'RoomWarmth', { room: 'cellar' });
    assert.equal(wrong.isError, true);
    assert.match(textOf(wrong), /kitchen/);
    const unknown = await call(client, 'RoomWarmths', {});
    assert.equal(unknown.isError, true);
    assert.match(textOf(unknown), /no tool "RoomWarmths".*AskKitchen, RoomWarmth/);
  });

  it('does what is asked in plain words, by the router’s own wires, and tells what came of it', async () => {
    await load(modules, house());
    const rows = arrivals('row');
    const events = arrivals('events');
    const client = await connected();
    const done = await inTime(call(client, 'AskKitchen', { text: 'turn the kitchen light on' }));
    assert.equal(done.isError, undefined);
    assert.match(textOf(done), /kitchen light on/i);
    assert.deepEqual(
      rows.map(({ payload }) => payload),
      [{ room: 'kitchen', state: 'on' }],
    );
    const { outcome, commands } = done.structuredContent as { outcome: string; commands: unknown };
    assert.equal(outcome, 'done');
    assert.deepEqual(commands, [{ function: 'SetLight', parameters: { room: 'kitchen', state: 'on' } }]);
    await until(() => events.length >= 2);
    assert.deepEqual(
      events
        .filter(({ moot }) => moot?.request?.via === 'http')
        .map(({ topic }) => topic)
        .slice(-2),
      ['started', 'ended'],
    );
  });

  it('asks back, and takes the answer in the same conversation', async () => {
    await load(modules, house({ result: ['result'] }));
    const client = await connected();
    const asked = await inTime(call(client, 'AskKitchen', { text: 'turn on the light' }));
    assert.equal((asked.structuredContent as { outcome: string }).outcome, 'asked');
    const { conversation } = asked.structuredContent as { conversation: string };
    assert.ok(textOf(asked).endsWith(`(conversation: ${conversation})`));
    const next = await inTime(call(client, 'AskKitchen', { text: 'the kitchen', conversation }));
    const { commands } = next.structuredContent as { commands: unknown };
    assert.deepEqual(commands, [{ function: 'SetLight', parameters: { room: 'kitchen', state: 'on' } }]);
  });

  it('says as an error what did not work: nobody knows it, nobody is wired, no words', async () => {
    await load(modules, house());
    const client = await connected();
    const blank = await call(client, 'AskKitchen', { text: ' ' });
    assert.equal(blank.isError, true);
    await deploy(
      house().map((one) => (one.id === 'router' ? { ...one, wires: [['result'], ['fallback'], ['told'], []] } : one)),
      'nodes',
    );
    const nobody = await inTime(call(client, 'AskKitchen', { text: 'turn the kitchen light on' }));
    assert.equal(nobody.isError, true);
    assert.equal((nobody.structuredContent as { outcome: string }).outcome, 'failed');
  });

  it('does nothing critical that a person would be asked about', async () => {
    await load(modules, house({ tool: { risk: 'critical' } }));
    const refused = await call(await connected(), 'RoomWarmth', { room: 'hall' });
    assert.equal(refused.isError, true);
    assert.match(textOf(refused), /critical/);
  });

  it('says how far nobody knows it came when an acting tool fails', async () => {
    await load(
      modules,
      house({ tool: { risk: 'reversible', effect: true, timeLimitSeconds: 1 }, code: 'return null;' }),
    );
    const silent = await inTime(call(await connected(), 'RoomWarmth', { room: 'hall' }));
    assert.equal(silent.isError, true);
    assert.match(textOf(silent), /Nobody knows how far it came/);
  });

  it('is there only where that is ticked', async () => {
    await load(modules, house({ serve: { mcp: false } }));
    assert.equal((await ask('/folkmoot/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).status, 403);
  });

  it('takes the token of the node', async () => {
    nodeRed.as('0.0.0.0');
    await load(modules, house({ serve: { authentication: 'bearer' } }), { serve: { token: 'abc' } });
    await assert.rejects(connected(), /401|Not authenticated/i);
    const client = await connected({ authorization: 'Bearer abc' });
    assert.equal((await client.listTools()).tools.length, 2);
  });

  it('answers what is no message of the protocol with an error, and streams nothing by itself', async () => {
    await load(modules, house());
    const accept = { headers: { accept: 'application/json, text/event-stream' } };
    assert.deepEqual((await ask('/folkmoot/mcp', '{', accept)).status, 400);
    assert.equal((await ask('/folkmoot/mcp', { hello: 1 }, accept)).status, 400);
    const { status, headers } = await ask('/folkmoot/mcp', undefined, { method: 'GET' });
    assert.deepEqual([status, headers.get('allow')], [405, 'POST']);
  });
});
