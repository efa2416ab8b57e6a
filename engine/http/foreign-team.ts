/** Agents of a request as a team of ours, and the way back to the names that the client gave them. */
import type { AgentDefinition } from '../agent/definition.ts';
import { faultOfForeign, specOfForeign } from '../foreign/foreign-function.ts';
import type { ForeignFunction } from '../foreign/foreign-function.ts';
import { agentIdFrom } from '../ids.ts';
import type { FunctionSpec } from '../language/function-spec.ts';
import type { CallsBody, ForeignAgent, PlanBody } from './bodies.ts';

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
  const notes = new Set<string>();
  const usable = (functions: readonly ForeignFunction[]) =>
    functions.filter((one) => {
      const fault = faultOfForeign(one);
      if (fault) notes.add(fault);
      return !fault;
    });
  return teamOf(
    agents.map((agent) => definition(agent, usable)),
    further,
    notes,
  );
}

export type NamedAgent = Omit<AgentDefinition, 'agentId' | 'instructions'>;

function definition(
  agent: ForeignAgent,
  usable: (functions: readonly ForeignFunction[]) => ForeignFunction[],
): NamedAgent {
  const accepted = usable(agent.accepted_functions);
  const allowed = usable(agent.functions_allowed_to_generate);
  const specs = new Map<string, FunctionSpec>();
  // Where one function is described twice, what the agent may generate is what it was meant to know.
  for (const one of [...allowed, ...accepted])
    if (!specs.has(one.function_name.toLowerCase())) specs.set(one.function_name.toLowerCase(), specOfForeign(one));
  const namesOf = (list: readonly ForeignFunction[]) => [...new Set(list.map((one) => one.function_name))];
  return {
    name: agent.agent_name,
    description: agent.description,
    topics: agent.topics,
    parameters: Object.keys(agent.agent_parameters ?? {}),
    accepts: namesOf(accepted),
    generates: namesOf(allowed),
    functions: [...specs.values()],
  };
}

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
