/** Speaks Ollama's chat interface (`POST /api/chat`, lines of JSON), as far as its clients need it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeOllamaAnswer {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls?: readonly { readonly name: string; readonly args: object }[];
  readonly status?: number;
}

export interface FakeOllama {
  readonly url: string;
  readonly bodies: readonly Readonly<Record<string, unknown>>[];
  close(): Promise<void>;
}

export async function startFakeOllama(answer: (index: number) => FakeOllamaAnswer): Promise<FakeOllama> {
  const bodies: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      if (request.url === '/api/tags') return response.end(JSON.stringify({ models: [{ name: 'm:latest' }] }));
      if (request.url === '/api/show')
        return response.end(JSON.stringify({ model_info: { 'owl.context_length': 4096, 'owl.block_count': 3 } }));
      bodies.push(JSON.parse(text || '{}') as Record<string, unknown>);
      const given = answer(bodies.length - 1);
      if (given.status) return response.writeHead(given.status).end(JSON.stringify({ error: 'out of owls' }));
      const line = (message: object, more: object = {}) =>
        response.write(
          `${JSON.stringify({ model: 'm', created_at: '2026-01-01T00:00:00Z', message: { role: 'assistant', content: '', ...message }, done: false, ...more })}\n`,
        );
      if (given.thinking) line({ thinking: given.thinking });
      for (const piece of (given.text ?? '').match(/[\s\S]{1,4}/g) ?? []) line({ content: piece });
      if (given.calls)
        line({ tool_calls: given.calls.map(({ name, args }) => ({ function: { name, arguments: args } })) });
      line({}, { done: true, done_reason: 'stop', prompt_eval_count: 11, eval_count: 7 });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
