/** What was said before in a conversation, for whoever plans the next request. */
import type { RunRequest, RunResult } from '../plan/run-request.ts';
import type { HistoryLine } from '../router/plan-prompt.ts';
import { limits } from '../limits.ts';
import { isAmicaRequest } from '../moot.ts';
import type { Conversations } from './conversation.ts';

export interface History {
  /** The newest `limits.planHistory` lines of people and agents, oldest first. */
  lines(request: RunRequest): Promise<readonly HistoryLine[]>;
  /** Keeps what was asked and answered; A.M.I.C.A.'s conversations are kept by the reply desk. */
  keep(result: RunResult, agentId: string): Promise<void>;
}

export function createHistory(conversations: Conversations): History {
  return {
    async lines({ conversation }) {
      if (!conversation) return [];
      const rows = await conversations.readLast(conversation, limits.planHistory);
      return rows.flatMap(({ messageType, text }): HistoryLine[] => {
        if (!text || messageType === 'TOOL_EXECUTION') return [];
        return [{ role: messageType === 'USER_MESSAGE' ? 'user' : 'assistant', text }];
      });
    },
    async keep({ request, payload }, agentId) {
      const { conversation, user, text } = request;
      if (!conversation || request.event || isAmicaRequest(request.request) || !text.trim()) return;
      await conversations.append(conversation, [
        { messageType: 'USER_MESSAGE', source: user ?? 'user', text },
        ...(payload.trim() ? [{ messageType: 'AGENT_MESSAGE' as const, source: agentId, text: payload }] : []),
      ]);
    },
  };
}
