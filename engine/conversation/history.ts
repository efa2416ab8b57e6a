/** What was said before in a conversation, for whoever plans the next request. */
import type { RunRequest, RunResult } from '../plan/run-request.ts';
import type { HistoryLine } from '../router/plan-prompt.ts';
import { decisionOf } from '../language/decision.ts';
import { limits } from '../limits.ts';
import { isAmicaRequest } from '../moot.ts';
import { saidIn } from './conversation.ts';
import type { Conversations } from './conversation.ts';
import { rowsOfSaid } from './turns.ts';
import type { Turns } from './turns.ts';

export interface History {
  /** The newest `limits.planHistory` lines of people and agents, oldest first, without the request's own. */
  lines(request: RunRequest): Promise<readonly HistoryLine[]>;
  /** Before anybody is asked in a run: what its person said is kept. @param startedAt When the run began. */
  begin(run: string, request: RunRequest, startedAt?: () => Promise<number | undefined>): Promise<void>;
  /** Keeps what was answered; A.M.I.C.A.'s answers are kept by the reply desk. */
  keep(result: RunResult, agentId: string): Promise<void>;
}

export function createHistory(conversations: Pick<Conversations, 'readLast'>, turns: Turns): History {
  return {
    async lines(request) {
      if (!request.conversation) return [];
      const rows = await conversations.readLast(request.conversation, limits.planHistory);
      const own = rowsOfSaid(rows, request).at(-1);
      // Whoever starts over wants nothing of it again.
      const over = rows.findLastIndex((row) => row.messageType === 'USER_MESSAGE' && startsOver(saidIn(row)));
      return rows.flatMap((row, at): HistoryLine[] => {
        if (at <= over) return [];
        const text = saidIn(row);
        if (!text || at === own || row.messageType === 'TOOL_EXECUTION') return [];
        return [{ role: row.messageType === 'USER_MESSAGE' ? 'user' : 'assistant', text }];
      });
    },
    async begin(run, request, startedAt) {
      const said = saidBy(request);
      const { request: asked } = request;
      if (said) await turns.begin(isAmicaRequest(asked) ? asked.id : run, run, said, startedAt);
    },
    async keep({ run, request, payload }, agentId) {
      const said = saidBy(request);
      if (said && !isAmicaRequest(request.request)) await turns.answer(run, said, agentId, payload);
    },
  };
}

const startsOver = (text: string | undefined): boolean => decisionOf(text ?? '')?.decision === 'restart';

/** Of an event nobody said anything. */
function saidBy({ conversation, user, text, event }: RunRequest) {
  if (!conversation || event || !text.trim()) return undefined;
  return { conversation, text, ...(user ? { user } : {}) };
}
