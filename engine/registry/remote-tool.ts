/** A tool that a program elsewhere announces, as one that an agent here may use. */
import type { ToolBody } from '../bus/our-payloads.ts';
import type { AskAnswer, Moot, Risk } from '../moot.ts';
import { checkArguments } from '../tools/tool-arguments.ts';
import { toolCard, toolNameFrom, type ToolCard } from '../tools/tool-card.ts';
import { keptResult } from '../tools/tool-result.ts';
import { callTool, type DirectedAsker } from './directed-ask.ts';

export interface OwnToolWords {
  /** Node id. */
  readonly nodeId: string;
  /** Blank: the card's. */
  readonly name: string;
  readonly description: string;
  /** At least this; what the card says may only make it graver. */
  readonly risk: Risk;
  readonly effect: boolean;
  readonly timeoutMs: number;
}

const gravity: readonly Risk[] = ['read', 'reversible', 'critical'];

/** Throws FOLKMOOT_BAD_SETTING for a card that can't be used: a schema that is none, or a channel that isn't the bus. */
export function remoteToolCard(body: ToolBody, own: OwnToolWords): ToolCard {
  const { purpose, schema, synonyms, result, risk = 'read', effect = false } = body;
  return toolCard(own.nodeId, {
    name: toolNameFrom(own.name || body.name),
    description: own.description || purpose,
    parameters: [],
    schema,
    risk: gravity[Math.max(gravity.indexOf(risk), gravity.indexOf(own.risk))] ?? 'critical',
    effect: effect || own.effect,
    ...(synonyms ? { synonyms } : {}),
    ...(result ? { result } : {}),
    timeoutMs: own.timeoutMs,
  });
}

export interface RemoteCall {
  /** The ask's: the same for the same call. */
  readonly id: string;
  readonly given: unknown;
  readonly moot: Moot;
  readonly signal: AbortSignal;
}

/** Never rejects. What is asked is checked before it leaves, and what comes is kept small. */
export async function callElsewhere(
  options: Omit<DirectedAsker, 'signal'> & {
    readonly toolId: string;
    readonly card: ToolCard;
    readonly channel: string;
  },
  { id, given, moot, signal }: RemoteCall,
): Promise<AskAnswer> {
  const { card, channel, ...asker } = options;
  if (channel !== 'bus') return refused('That can’t be reached over the broker.', `Its channel is "${channel}".`);
  const checked = checkArguments(card, given);
  if (!checked.ok) return refused(checked.forPeople, checked.finding);
  const { run, conversation, user } = moot;
  const call = {
    id,
    arguments: checked.arguments,
    ...(run ? { run } : {}),
    ...(conversation ? { conversation } : {}),
    ...(user ? { user } : {}),
  };
  const { status, payload, error } = await callTool({ ...asker, call, signal });
  const mutations = [] as const;
  try {
    return { status, payload: keptResult(payload), mutations, ...(error ? { error } : {}) };
  } catch {
    return {
      status: 'failed',
      payload: null,
      mutations,
      error: { code: 'FOLKMOOT_TOOL_FAILED', message: 'Its result is no data.' },
    };
  }
}

const refused = (words: string, message: string): AskAnswer => ({
  status: 'refused',
  payload: words,
  mutations: [],
  error: { code: 'FOLKMOOT_COMMAND_INVALID', message },
});
