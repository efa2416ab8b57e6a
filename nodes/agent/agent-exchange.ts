/** `POST folkmoot-admin/agents/read` and `…/write`: agents from files and into files, for the dialog of an agent node. */
import { agentDocument, type AgentDocument } from '../../engine/agent-documents/agent-document.ts';
import { agentOfDocument } from '../../engine/agent-documents/agent-of-document.ts';
import { reasonOf } from '../../engine/agent-documents/bad-agent.ts';
import { readAgent, type ReadAgent } from '../../engine/agent-documents/read-agent.ts';
import { lossesOf, writeAgent } from '../../engine/agent-documents/write-agent.ts';
import type { FunctionSpec } from '../../engine/language/function-spec.ts';
import { createLanguage, type Language } from '../../engine/language/language.ts';
import { languageOf } from '../language/language.ts';
import type { Red } from '../shared/red.ts';
import type { Exchange, ExchangeRequest } from './exchange.ts';

interface Response {
  status(code: number): Response;
  json(body: unknown): unknown;
}

type Handler = (request: { readonly body?: unknown }, response: Response, next: () => void) => unknown;

interface AdminRed {
  readonly httpAdmin?: { post(path: string, ...handlers: readonly Handler[]): unknown };
  readonly auth?: { needsPermission(permission: string): Handler };
}

/** Behind the editor's permission; without an editor they are left out. Nothing is kept. */
export function serveExchange(RED: Red): void {
  const { httpAdmin, auth } = RED as Red & AdminRed;
  if (!httpAdmin || !auth) return;
  const serve = (path: string, answer: (asked: ExchangeRequest, language: Language) => Exchange) =>
    httpAdmin.post(path, auth.needsPermission('folkmoot.agents.read'), ({ body }, response) => {
      try {
        const asked = (body ?? {}) as ExchangeRequest;
        response.json(answer(asked, languageFor(RED, asked)));
      } catch (thrown) {
        response.status(422).json({ error: reasonOf(thrown) });
      }
    });
  serve('/folkmoot-admin/agents/read', ({ text }, language) => {
    const { agent, notes } = readAgent(text);
    return { agent: shown(agent), notes: [...notes, ...notesOf(agent, language)] };
  });
  serve('/folkmoot-admin/agents/write', ({ agent, form }, language) => {
    const { agent: checked } = readAgent({ ...agent, v: 1 });
    const dialect: ReadAgent['dialect'] = form === 'snake' || form === 'camel' ? form : 'own';
    return { text: writeAgent(checked, dialect, language), notes: lossesOf(checked, dialect, language) };
  });
}

/** As the editor shows it, which may not be deployed yet; else as it is deployed. */
function languageFor(RED: Red, { language, functions }: ExchangeRequest): Language {
  if (Array.isArray(functions)) return createLanguage(functions as readonly FunctionSpec[]);
  return languageOf(RED, String(language ?? '')) ?? createLanguage([]);
}

/** All that a dialog has a place for. */
const shown = ({ functions: _, parameterValues: __, ...agent }: AgentDocument): AgentDocument => agentDocument(agent);

function notesOf(agent: AgentDocument, language: Language): string[] {
  const { notes } = agentOfDocument(agent, language);
  const own = (agent.functions ?? []).filter(({ name }) => !language.find(name));
  if (!own.length) return [...notes];
  return [
    ...notes,
    `The file describes functions that the house does not have: ${own.map(({ name }) => name).join(', ')}.`,
  ];
}
