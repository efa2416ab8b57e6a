/** Reads an agent from a document of ours, or of either dialect of gpt-multi-atomic-agents. */
import { ajv } from '../language/ajv.ts';
import type { ErrorObject } from '../language/ajv.ts';
import { limits } from '../limits.ts';
import { agentDocument, agentDocumentSchema } from './agent-document.ts';
import type { AgentDocument } from './agent-document.ts';
import { bad } from './bad-agent.ts';
import { readCamelAgent } from './camel-dialect.ts';
import { readSnakeAgent } from './snake-dialect.ts';

export interface ReadAgent {
  readonly agent: AgentDocument;
  readonly dialect: 'own' | 'snake' | 'camel';
  /** What of it can't be used, in words. */
  readonly notes: readonly string[];
}

/**
 * @param given Text or parsed JSON.
 * Throws FOLKMOOT_BAD_INPUT with what is wrong and where.
 */
export function readAgent(given: unknown): ReadAgent {
  const document = typeof given === 'string' ? parsed(given) : given;
  if (typeof document !== 'object' || document === null || Array.isArray(document)) throw bad('it is no JSON object');
  if ('agent_name' in document) return { ...readSnakeAgent(document), dialect: 'snake' };
  if ('agentName' in document) return { ...readCamelAgent(document), dialect: 'camel' };
  const validate = ajv().compile(agentDocumentSchema);
  if (!validate(document)) throw bad((validate.errors ?? []).slice(0, limits.findings).map(faultOf).join('; '));
  return { agent: agentDocument(document), dialect: 'own', notes: [] };
}

function parsed(text: string): unknown {
  if (text.length > limits.agentDocumentChars) throw bad(`it is longer than ${limits.agentDocumentChars} characters`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw bad('it is no JSON');
  }
}

/** "examples.0.prompt is missing" */
function faultOf({ instancePath, keyword, params, message = 'is not valid' }: ErrorObject): string {
  const path = instancePath.split('/').slice(1);
  const named = params as Record<string, unknown>;
  if (keyword === 'required') return `${[...path, String(named['missingProperty'])].join('.')} is missing`;
  if (keyword === 'additionalProperties')
    return `${[...path, String(named['additionalProperty'])].join('.')} is nothing that an agent has`;
  return `${path.join('.') || 'it'} ${message}`;
}
