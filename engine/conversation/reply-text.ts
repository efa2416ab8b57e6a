/** What a reply consists of: its rows in the conversation, and its last part after what was streamed. */
import type { NewMessage } from './conversation.ts';

/** Of one question and its answer; the question is absent when it was taken up again after a restart. */
export function rowsOf(
  { user = 'user', text: asked }: { readonly user?: string; readonly text?: string },
  text: string,
  agentId: string,
): NewMessage[] {
  return [
    ...(asked ? [{ messageType: 'USER_MESSAGE' as const, source: user, text: asked }] : []),
    { messageType: 'AGENT_MESSAGE', source: agentId, text },
  ];
}

/** A last part that repeats what was streamed goes on from there; another one begins on a line of its own. */
export function restOf(said: string, text: string): string {
  if (said === '') return text;
  if (text.startsWith(said)) return text.slice(said.length);
  return /\s$/.test(said) ? text : `\n${text}`;
}
