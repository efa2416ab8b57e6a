/** Agents of a request as a team of ours, and the way back to the names that the client gave them. */
import type { AgentDefinition } from '../agent/definition.ts';
import { rightsOfForeign } from '../foreign/foreign-rights.ts';
import { agentIdFrom } from '../ids.ts';
import type { CallsBody, PlanBody } from './bodies.ts';

export interface ForeignTeam {
  readonly agents: readonly AgentDefinition[];
  /** As the client calls it; an id that is none of the team is given back. */
  nameOf(agentId: string): string;
  /** The first one of this name (row 61). */
  idOf(name: string): string | undefined;
  /** What could not be used of the definitions, in words. */
  readonly notes: readonly string[];
}

/** For planning alone: nobody needs functions. @param further Agents beside those of the request. */
export const describedTeam = (
  descriptions: PlanBody['agent_descriptions'],
  further: readonly AgentDefinition[] = [],
): ForeignTeam =>
  teamOf(
    descriptions.map(({ agent_name: name, description, topics, agent_parameter_names: parameters }) => ({
      ...{ name, description, topics, parameters },
      accepts: [],
      generates: [],
      functions: [],
    })),
    further,
    [],
  );

/**
 * Functions that break our rules are left out, with a note: nothing could act by them.
 * @param further Agents beside those of the request.
 */
export function definedTeam(
  agents: CallsBody['agent_definitions'],
  further: readonly AgentDefinition[] = [],
): ForeignTeam {
  const read = agents.map((agent) => ({
    agent,
    ...rightsOfForeign(agent.accepted_functions, agent.functions_allowed_to_generate),
  }));
  return teamOf(
    read.map(({ agent, notes: _, ...rights }) => ({
      name: agent.agent_name,
      description: agent.description,
      topics: agent.topics,
      parameters: Object.keys(agent.agent_parameters ?? {}),
      ...rights,
    })),
    further,
    new Set(read.flatMap(({ notes }) => notes)),
  );
}

export type NamedAgent = Omit<AgentDefinition, 'agentId' | 'instructions'>;

/** Each with an id of its own. @param notes Of the definitions, in words. */
export function teamOf(
  named: readonly NamedAgent[],
  further: readonly AgentDefinition[],
  notes: Iterable<string>,
): ForeignTeam {
  const taken = new Set<string>();
  const agents = [...named, ...further].map((agent): AgentDefinition => {
    const base = agentIdFrom(agent.name);
    let agentId = base;
    for (let n = 2; taken.has(agentId); n += 1) agentId = `${base}-${n}`;
    taken.add(agentId);
    return { instructions: '', ...agent, agentId };
  });
  return {
    agents,
    nameOf: (agentId) => agents.find((one) => one.agentId === agentId)?.name ?? agentId,
    idOf: (name) => agents.find((one) => one.name === name)?.agentId,
    notes: [...notes, ...twins(agents)],
  };
}

/** Names that more than one has: the others are never asked. */
function twins(agents: readonly AgentDefinition[]): string[] {
  const names = agents.map(({ name }) => name);
  const twice = names.filter((name, at) => names.indexOf(name) < at);
  return [...new Set(twice)].map((name) => `More than one agent is called "${name}"; the first one is asked.`);
}
