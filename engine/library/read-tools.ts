/**
 * Functions that only read are tools of the agents that may generate them: an agent stops, gets its answer from the handler
 * and goes on (seed-contracts.md D, P14). They never become commands, so they are not executed again.
 */
import type { AgentDefinition } from '../agent/definition.ts';
import { isRead } from '../agent/prompt.ts';
import type { Clock } from '../clock.ts';
import { asError, isFolkmootError } from '../errors.ts';
import { checkCall } from '../language/check-call.ts';
import type { FunctionSpec } from '../language/function-spec.ts';
import type { Language } from '../language/language.ts';
import type { AskAnswer, Mutation } from '../moot.ts';
import type { AgentTool } from '../tools/agent-tool.ts';
import { keptResult, resultSentence } from '../tools/tool-result.ts';
import type { Handler, Registry } from './registry.ts';
import { runHandler } from './run-handler.ts';

export interface ReadTools {
  readonly registry: Registry;
  readonly language: Language;
  readonly clock: Clock;
}

/** What reads and has a handler at this moment: its own, its category's or the default one. */
export function readTools(of: ReadTools, { agentId, functions, generates }: AgentDefinition): AgentTool[] {
  return functions
    .filter((spec) => isRead(spec) && generates.includes(spec.name))
    .flatMap((spec) => {
      const handler = of.registry.handlerIfAny(spec.name);
      return handler ? [readTool(of, spec, handler, agentId)] : [];
    });
}

const readTool = ({ language, clock }: ReadTools, spec: FunctionSpec, handler: Handler, agent: string): AgentTool => ({
  spec,
  mark: 't',
  said: (given, result) => resultSentence({ parameters: spec.parameters }, given, result),
  async ask(id, given, signal) {
    const checked = checkCall(language, { function: spec.name, parameters: given });
    if (!checked.ok) return refused(checked.forPeople, checked.finding);
    const call: Mutation = { id, agent, function: spec.name, parameters: checked.parameters, risk: spec.risk };
    try {
      const result = keptResult(await runHandler(handler, call, { clock, signal }));
      return { status: 'answered', payload: result, mutations: [] };
    } catch (thrown) {
      return unanswered(thrown, signal);
    }
  },
});

const refused = (payload: string, message: string): AskAnswer => ({
  status: 'refused',
  payload,
  mutations: [],
  error: { code: 'FOLKMOOT_COMMAND_INVALID', message },
});

/** What a handler throws is for its program and the model; people are told in the words of tools. */
function unanswered(thrown: unknown, signal: AbortSignal | undefined): AskAnswer {
  const { message } = asError(thrown);
  const isLate = isFolkmootError(thrown, 'FOLKMOOT_DEADLINE');
  const status = signal?.aborted ? 'cancelled' : isLate ? 'timeout' : 'failed';
  const code = isLate ? 'FOLKMOOT_DEADLINE' : 'FOLKMOOT_TOOL_FAILED';
  return { status, payload: null, mutations: [], error: { code, message } };
}
