/**
 * Agents that are data: their steps are carried out here, by a model, without a wire. Whoever asks them (a runner, a server,
 * a program) sees a team like any other.
 */
import type { AgentDefinition } from '../agent/definition.ts';
import { failure, runAgent } from '../agent/run-agent.ts';
import type { Clock } from '../clock.ts';
import { folkmootError } from '../errors.ts';
import { askId } from '../ids.ts';
import { limits } from '../limits.ts';
import type { Model } from '../model/model.ts';
import type { PlanStep } from '../moot.ts';
import type { AskStep } from '../plan/run-ports.ts';
import type { TeamMember } from '../router/team.ts';
import type { AgentTool } from '../tools/agent-tool.ts';

export interface LocalTeamOptions {
  /** Of two with one id the first is asked (row 61). */
  readonly agents: readonly AgentDefinition[];
  /** Who works for an agent; may throw, then the step fails in words. */
  readonly model: (agent: AgentDefinition) => Model;
  /** Longest silence of the model in a step, in milliseconds. Default `limits.stepDeadlineMs`. */
  readonly stepDeadlineMs?: number;
  readonly clock?: Clock;
  /** Application data for agents that work with GraphQL. */
  readonly data?: string;
  /** What an agent may use while it works, at this moment. Default: nothing. */
  readonly tools?: (agent: AgentDefinition) => readonly AgentTool[];
  /** Words as they come. */
  readonly onText?: (words: string, step: PlanStep) => void;
}

export interface LocalTeam {
  readonly members: readonly TeamMember[];
  /** Never rejects: an agent that is not there, fails or is too slow answers so. */
  readonly ask: AskStep;
}

const local = 'local:';

/** Whether a member with this node id is data, and no node. */
export const isLocal = (nodeId: string | undefined): boolean => nodeId?.startsWith(local) === true;

export function createLocalTeam(options: LocalTeamOptions): LocalTeam {
  const { agents, model, clock, stepDeadlineMs = limits.stepDeadlineMs, onText, data, tools } = options;
  const memberOf = (agent: AgentDefinition): TeamMember => ({
    ...agent,
    ...(tools ? { tools: tools(agent).map(({ spec }) => spec) } : {}),
    nodeId: `${local}${agent.agentId}`,
  });
  const lasting = tools ? undefined : agents.map(memberOf);
  return {
    get members() {
      return lasting ?? agents.map(memberOf);
    },
    async ask(step, { run, mutations, signal, finding }) {
      const agent = agents.find(({ agentId }) => agentId === step.agent);
      try {
        if (!agent) throw folkmootError('FOLKMOOT_NO_AGENTS', `Nobody in this team is called "${step.agent}".`);
        return await runAgent({
          agent,
          model: model(agent),
          prompt: step.prompt,
          parameters: step.parameters,
          board: mutations,
          run,
          step: step.id,
          finding,
          signal,
          timeoutMs: stepDeadlineMs,
          ...(data === undefined ? {} : { data }),
          ...(clock ? { clock } : {}),
          ...(tools ? { tools: { ...askOf(run, step), reached: () => tools(agent) } } : {}),
          ...(onText ? { onText: (words) => onText(words, step) } : {}),
        });
      } catch (thrown) {
        return failure(thrown, signal);
      }
    },
  };
}

const askOf = (run: string, { id, agent }: PlanStep) => ({ askId: askId(run, id), owner: agent });
