/** What the asks output reaches at this moment, as programs that speak MCP see it. */
import type { McpAnswer, McpCall, McpOffer } from '../../engine/http/mcp/mcp-offer.ts';
import { newId } from '../../engine/ids.ts';
import { toJsonSchema } from '../../engine/language/json-schema.ts';
import type { AskAnswer } from '../../engine/moot.ts';
import type { AgentTool } from '../../engine/tools/agent-tool.ts';
import { carefulTool } from '../../engine/tools/careful-tool.ts';
import { specOfTool, toolNameFrom, type ToolCard } from '../../engine/tools/tool-card.ts';
import { resultText } from '../../engine/tools/tool-result.ts';
import type { Backbone } from '../backbone/lease.ts';
import { ask } from '../shared/ask.ts';
import { processClock } from '../shared/process.ts';
import type { ProposingCard } from '../shared/proposals.ts';
import { reach } from '../shared/walk.ts';
import { asksPort } from './ask-proposer.ts';
import { askRequest } from './ask-request.ts';
import type { ServeKit } from './serve.ts';
import { tellOf } from './serve-events.ts';

/** The first of a name counts, as for agents. */
export function mcpOffers(kit: ServeKit, backbone: () => Promise<Backbone>): readonly McpOffer[] {
  const { RED, node } = kit;
  const cards = [...reach<ToolCard | readonly ToolCard[]>(RED, node, asksPort, 'tool').values()].flat();
  const people = [...reach<ProposingCard>(RED, node, asksPort, 'request').values()];
  const all = [
    ...people.map((card) => requestOffer(kit, card)),
    ...cards.map((card) => toolOffer(kit, card, backbone)),
  ];
  return all.filter(({ name }, at) => all.findIndex((one) => one.name.toLowerCase() === name.toLowerCase()) === at);
}

const requestSchema = {
  type: 'object',
  properties: {
    text: { type: 'string', minLength: 1, description: 'What is wanted, in plain words, as a person would say it.' },
    conversation: {
      type: 'string',
      description: 'To answer a question or to lean on what was said before: the one that an earlier answer gave.',
    },
  },
  required: ['text'],
  additionalProperties: false,
};

function requestOffer(kit: ServeKit, card: ProposingCard): McpOffer {
  const name = toolNameFrom(`ask ${card.name || 'the house'}`);
  const about = card.description ? ` ${card.description}` : '';
  return {
    ...{ name, schema: requestSchema, onlyReads: false, isCritical: false },
    description: `Asks or tells this house something in plain words; it answers, acts, or asks back.${about}`,
    call: (call) => askRequest(kit, { card, name }, call),
  };
}

const onlyReads = ({ risk, effect }: ToolCard): boolean => risk === 'read' && !effect;

function toolOffer(kit: ServeKit, card: ToolCard, backbone: () => Promise<Backbone>): McpOffer {
  return {
    name: card.name,
    description: card.result ? `${card.description} Gives ${card.result}.` : card.description,
    schema: card.schema ?? toJsonSchema(specOfTool(card)),
    onlyReads: onlyReads(card),
    isCritical: card.risk === 'critical',
    call: (call) => callTool(kit, card, backbone, call),
  };
}

const noConsent: McpAnswer = {
  text: 'This tool is critical, and nobody could be asked whether it may be used. It was not used.',
  isError: true,
};

async function callTool(
  kit: ServeKit,
  card: ToolCard,
  backbone: () => Promise<Backbone>,
  { given, user, signal }: McpCall,
): Promise<McpAnswer> {
  if (card.risk === 'critical' && !card.runWithoutAsking) return noConsent;
  const run = newId();
  const tell = tellOf(kit, run);
  const wired: AgentTool = {
    ...{ spec: specOfTool(card), mark: 't', said: () => undefined },
    ask: (id, payload, stop) =>
      ask({
        ...{ RED: kit.RED, asker: kit.node, port: asksPort, id, to: card.nodeId, kind: 'tool', name: card.name },
        ...{ payload, deadlineMs: card.timeoutMs, moot: { v: 1, run, ...(user ? { user } : {}) } },
        signal: AbortSignal.any([kit.signal, ...(stop ? [stop] : [])]),
        onNotTaken: () => kit.warn(`"${card.name}" did not get what it was asked: a node on the wire dropped it.`),
      }),
  };
  const { store } = await backbone();
  const tool = carefulTool(wired, {
    ...{ clock: processClock, owner: card.nodeId, retries: card.retries ?? 0, keptMs: card.keptMs ?? 0, store },
    problem: (error) => kit.warn(String(error)),
  });
  tell('started', { form: 'mcp', tool: card.name, given });
  const answer = answerOf(card, await tool.ask(`ask:${run}/0/t1`, given, signal));
  tell('ended', { outcome: answer.isError ? 'failed' : 'done', text: answer.text });
  return answer;
}

function answerOf(card: ToolCard, { status, payload, error }: AskAnswer): McpAnswer {
  if (status === 'answered') return { text: resultText(payload ?? 'done'), isError: false };
  const why = error?.message ?? `It ended as ${status}.`;
  const isUnsure = status !== 'refused' && !onlyReads(card);
  return { text: isUnsure ? `${why} Nobody knows how far it came: look before you do it again.` : why, isError: true };
}
