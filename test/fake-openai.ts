/** An OpenAI-compatible server on real HTTP for specs: chat completions, streamed, with a log of what it was asked. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What a client asked. */
export interface FakeRequest {
  /** Counts from 0. */
  readonly index: number;
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools: readonly FakeTool[];
  /** All of the messages' text. */
  readonly text: string;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** How to answer one request; with nothing of it, an empty text. */
export interface FakeAnswer {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly args: unknown }[];
  /** Answers with this HTTP status, and these headers. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** `start`: says nothing at all; `middle`: stops after the first piece. The connection stays open. */
  readonly silence?: 'start' | 'middle';
  /** Sends this instead of a stream. */
  readonly raw?: string;
  readonly usage?: { readonly prompt: number; readonly completion: number; readonly cached?: number };
  /** Length of the pieces that text and arguments are split into. Default 7. */
  readonly piece?: number;
}

export interface FakeOpenAi {
  /** To be used as base URL: `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  readonly requests: readonly FakeRequest[];
  /** Clients that went away before their answer ended. */
  readonly aborted: () => number;
  close(): Promise<void>;
}

export interface FakeOpenAiOptions {
  /** What the list of models holds. Default: there is no list. */
  readonly models?: readonly string[];
  readonly answer: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>;
}

export async function startFakeOpenAi({ answer, models }: FakeOpenAiOptions): Promise<FakeOpenAi> {
  const requests: FakeRequest[] = [];
  let aborted = 0;
  const server = createServer((incoming, response) => {
    response.on('close', () => {
      if (!response.writableFinished) aborted += 1;
    });
    if (models && incoming.url?.endsWith('/models'))
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ object: 'list', data: models.map((id) => ({ id, object: 'model' })) }));
    void serve(incoming, response, requests, answer).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: String(error) } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    aborted: () => aborted,
    close: () => closed(server),
  };
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  requests: FakeRequest[],
  answer: FakeOpenAiOptions['answer'],
): Promise<void> {
  const body = await bodyOf(incoming);
  if (incoming.method !== 'POST' || !incoming.url?.endsWith('/chat/completions')) {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not found"}}');
    return;
  }
  const request = requestOf(body, requests.length, incoming.headers.authorization);
  requests.push(request);
  const given = await answer(request);
  if (given.silence === 'start') return;
  if (given.status !== undefined && given.status >= 400) {
    const text = JSON.stringify({ error: { message: given.text ?? 'The server had an error.', type: 'server_error' } });
    response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers }).end(text);
    return;
  }
  if (given.raw !== undefined) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(given.raw);
    return;
  }
  if (body['stream'] === true) await streamAnswer(response, request, given);
  else sendWhole(response, request, given);
}

async function bodyOf(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  return text ? (JSON.parse(text) as Record<string, unknown>) : {};
}

function requestOf(body: Record<string, unknown>, index: number, authorization: string | undefined): FakeRequest {
  const messages = (body['messages'] ?? []) as { role: string; content: string }[];
  const tools = ((body['tools'] ?? []) as { function: FakeTool }[]).map((tool) => tool.function);
  const text = messages.map(({ content }) => content).join('\n');
  return { index, model: String(body['model']), messages, tools, text, authorization, body };
}

const pieces = (text: string, length: number): string[] => text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'g')) ?? [];

async function streamAnswer(response: ServerResponse, request: FakeRequest, given: FakeAnswer): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'keep-alive' });
  const chunk = (choices: unknown[], extra: object = {}) => {
    const data = { id: `fake-${request.index}`, object: 'chat.completion.chunk', created: 0, model: request.model };
    response.write(`data: ${JSON.stringify({ ...data, choices, ...extra })}\n\n`);
    // Each piece in a packet of its own.
    return new Promise((resolve) => setImmediate(resolve));
  };
  const delta = (part: object, finish: string | null = null) =>
    chunk([{ index: 0, delta: part, finish_reason: finish }]);
  await delta({ role: 'assistant', content: '' });
  const size = given.piece ?? 7;
  for (const content of pieces(given.text ?? '', size)) {
    await delta({ content });
    if (given.silence === 'middle') return;
  }
  for (const [index, { name, args }] of (given.calls ?? []).entries()) {
    const head = { index, id: `call_${request.index}_${index}`, type: 'function', function: { name, arguments: '' } };
    await delta({ tool_calls: [head] });
    const written = typeof args === 'string' ? args : JSON.stringify(args);
    for (const part of pieces(written, size)) await delta({ tool_calls: [{ index, function: { arguments: part } }] });
  }
  await delta({}, given.calls?.length ? 'tool_calls' : 'stop');
  if (given.usage) await chunk([], { usage: usageOf(given.usage) });
  response.end('data: [DONE]\n\n');
}

function sendWhole(response: ServerResponse, request: FakeRequest, given: FakeAnswer): void {
  const calls = (given.calls ?? []).map(({ name, args }, index) => ({
    id: `call_${request.index}_${index}`,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
  const message = { role: 'assistant', content: given.text ?? null, ...(calls.length ? { tool_calls: calls } : {}) };
  const choices = [{ index: 0, message, finish_reason: calls.length ? 'tool_calls' : 'stop' }];
  const whole = { id: 'fake', object: 'chat.completion', created: 0, model: request.model, choices };
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ ...whole, ...(given.usage ? { usage: usageOf(given.usage) } : {}) }));
}

const usageOf = ({ prompt, completion, cached }: NonNullable<FakeAnswer['usage']>) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: cached ?? 0 },
});

/** A line of a table for `answerFromTable`: the first one whose `when` (any case) is in the last user message answers. */
export interface TableLine {
  readonly when: string;
  /** Answer when a plan is asked for (the tool `make_plan` is offered). */
  readonly plan?: FakeAnswer;
  /** Answer when an agent is asked. */
  readonly generate?: FakeAnswer;
}

/** Answers planner and agents from a table; what is not in it gets a text only. */
export function answerFromTable(table: readonly TableLine[]): (request: FakeRequest) => FakeAnswer {
  return (request) => {
    const last = request.messages.findLast(({ role }) => role === 'user')?.content.toLowerCase() ?? '';
    const kind = request.tools.some(({ name }) => name === 'make_plan') ? 'plan' : 'generate';
    const line = table.find((one) => last.includes(one.when.toLowerCase()) && one[kind] !== undefined);
    return line?.[kind] ?? { text: 'I can’t help with that.' };
  };
}
