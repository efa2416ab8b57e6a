/** An agent's part in a debate: one statement for each ask of a judge. */
import type { AgentDefinition } from '../../engine/agent/definition.ts';
import { runStatement } from '../../engine/agent/run-statement.ts';
import { debateOf } from '../../engine/agent/statement-prompt.ts';
import type { AskAnswer, Moot, Statement } from '../../engine/moot.ts';
import { modelOf } from '../model/model.ts';
import { processClock } from '../shared/process.ts';
import type { AgentKit } from './agent.ts';
import type { Work } from './agent-work.ts';

/** Never rejects, but when its model is missing. @param payload Of the judge's ask. */
export const stateOn = (kit: AgentKit, work: Work, agent: AgentDefinition, payload: unknown): Promise<AskAnswer> =>
  runStatement({
    agent,
    model: modelOf(kit.RED, kit.config.model),
    debate: debateOf(payload),
    event: work.moot.event,
    board: work.mutations,
    run: work.run,
    step: work.step,
    signal: work.signal,
    clock: processClock,
    onProgress: () => work.touch?.(),
  });

/** What leaves by *result* after an answer: words, and a statement as such. */
export function spoken(end: AskAnswer): { readonly payload: unknown; readonly moot: Pick<Moot, 'statement'> } {
  const { payload } = end;
  if (typeof payload !== 'object' || payload === null || !('claim' in payload)) return { payload, moot: {} };
  const statement = payload as Statement;
  return { payload: statement.claim, moot: { statement } };
}
