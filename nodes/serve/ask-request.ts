/** A program's request in plain words: whoever is wired takes it as if a person had asked, and its outputs act. */
import type { McpAnswer, McpCall } from '../../engine/http/mcp/mcp-offer.ts';
import { newId } from '../../engine/ids.ts';
import { limits } from '../../engine/limits.ts';
import type { Moot } from '../../engine/moot.ts';
import { ask } from '../shared/ask.ts';
import type { ProposingCard } from '../shared/proposals.ts';
import { asksPort } from './ask-proposer.ts';
import { awaitReply } from './await-reply.ts';
import type { ServeKit } from './serve.ts';
import { tellOf } from './serve-events.ts';

interface Asked {
  readonly card: ProposingCard;
  /** As the program knows it. */
  readonly name: string;
}

const failed = (text: string): McpAnswer => ({ text, isError: true });

export async function askRequest(kit: ServeKit, { card, name }: Asked, { given, user }: McpCall): Promise<McpAnswer> {
  const text = typeof given['text'] === 'string' ? given['text'].trim() : '';
  if (text === '') return failed('There is nothing to do: "text" holds no words.');
  if (text.length > limits.requestChars) return failed(`The text is longer than ${limits.requestChars} characters.`);
  const id = newId();
  const conversation = typeof given['conversation'] === 'string' && given['conversation'].trim();
  const moot: Moot = {
    ...{ v: 1, conversation: conversation || newId(), request: { id, via: 'http' } },
    ...(user ? { user } : {}),
  };
  const tell = tellOf(kit, id, moot);
  kit.status('thinking');
  tell('started', { form: 'mcp', tool: name, text });
  const reply = awaitReply(id, kit.signal);
  const taken = await ask({
    ...{ RED: kit.RED, asker: kit.node, port: asksPort, id: `ask:${id}/request`, to: card.nodeId, kind: 'request' },
    ...{ payload: text, moot, deadlineMs: limits.stepDeadlineMs, signal: kit.signal },
    onNotTaken: () => kit.warn('What was asked by MCP did not arrive: a node on the “may ask” wire dropped it.'),
  });
  if (taken.status !== 'answered') reply.stop();
  const answer =
    taken.status === 'answered'
      ? withTalk(await reply.reply, moot.conversation ?? '')
      : failed(taken.error?.message ?? `It ended as ${taken.status}.`);
  kit.status(answer.isError ? 'failed' : 'done');
  tell('ended', { outcome: answer.data?.['outcome'] ?? 'failed', text: answer.text });
  return answer;
}

/** What a program needs for going on. */
const withTalk = ({ text, isError, data }: McpAnswer, conversation: string): McpAnswer => ({
  ...{ text: data?.['outcome'] === 'asked' ? `${text}\n(conversation: ${conversation})` : text, isError },
  data: { ...data, conversation },
});
