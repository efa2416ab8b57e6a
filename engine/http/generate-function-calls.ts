/** `POST generate_function_calls` (seed-contracts.md B3 and B5, rows 54, 57, 59 to 61 and 71). It proposes only. */
import type { AgentDefinition } from '../agent/definition.ts';
import { dataOf } from '../blackboard/board.ts';
import { foreignOfCall } from '../foreign/foreign-call.ts';
import { uniqueFunctions } from '../language/unique-functions.ts';
import { createLanguage } from '../language/language.ts';
import type { CallsBody, ForeignBoard, ForeignMessage } from './bodies.ts';
import { definedTeam } from './foreign-team.ts';
import type { ForeignTeam } from './foreign-team.ts';
import { failedOn, generateOn, talkOf } from './generate-on-board.ts';
import type { GeneratedBoard, OpenBoard } from './generate-on-board.ts';
import type { Proposer } from './proposer.ts';

/**
 * @param further Agents beside those of the body.
 * Throws FOLKMOOT_NO_AGENTS (status 500, as there); everything else that fails is told on the board.
 */
export function generateFunctionCalls(
  body: CallsBody,
  proposer: Proposer,
  further: readonly AgentDefinition[] = [],
): Promise<GeneratedBoard<ForeignBoard>> {
  const team = definedTeam(body.agent_definitions, further);
  return generateOn(beginBoard(body, team), body, team, proposer);
}

/** The board of a request that nobody could work on, with words about it. */
export const failedBoard = (body: Pick<CallsBody, 'blackboard' | 'user_prompt'>): ForeignBoard =>
  failedOn(beginBoard(body));

/** What was new counts as previous, and the prompt is said, even when it is empty. */
function beginBoard(
  { blackboard, user_prompt: prompt }: Pick<CallsBody, 'blackboard' | 'user_prompt'>,
  team?: ForeignTeam,
): OpenBoard<ForeignBoard> {
  const before = blackboard?.internal_previous_messages ?? [];
  const calls = blackboard?.internal_previously_generated_functions ?? [];
  const said: ForeignMessage[] = [];
  const added: (typeof calls)[number][] = [];
  const data = calls.map((call) => ({ function: call.function_name, parameters: call.parameters }));
  return {
    before,
    known: team ? dataOf(data, createLanguage(uniqueFunctions(team.agents.flatMap(({ functions }) => functions)))) : [],
    say: (message) => void said.push({ role: 'assistant', message }),
    add: (mutations, agentName) => void added.push(...mutations.map((one) => foreignOfCall(one, agentName))),
    end: () => ({
      format: 'function_call',
      internal_previously_generated_functions: [...calls, ...added],
      ...talkOf(before, prompt, said),
      internal_newly_generated_functions: added,
    }),
  };
}
