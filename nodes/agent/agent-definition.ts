/** What an agent node shows of itself, made from its settings at the moment it is asked for. */
import type { AgentDefinition } from '../../engine/agent/definition.ts';
import { examplesIn } from '../../engine/agent/examples.ts';
import { partOfSchemas } from '../../engine/graphql/part-of-schema.ts';
import { agentIdFrom } from '../../engine/ids.ts';
import { functionsWithFollowing } from '../../engine/language/following.ts';
import { languageOf } from '../language/language.ts';
import type { ConfigOf } from '../shared/fields.ts';
import type { Red, RedNode } from '../shared/red.ts';
import type { agentFields } from './agent.fields.ts';
import { toolSpecs } from './agent-tools.ts';

/** Within a subflow the instance's name or id stands in front, so that two instances are two agents (contracts.md 1). */
export function agentIdOf(RED: Red, node: RedNode, config: ConfigOf<typeof agentFields>): string {
  const own = config.agentId || agentIdFrom(config.name || node.id);
  const instance = instanceOf(RED, node);
  return instance === undefined ? own : agentIdFrom(`${instance}-${own}`);
}

/** Its subflow instance's name or id; nothing outside of subflows. */
const instanceOf = (RED: Red, node: RedNode): string | undefined =>
  node._alias && node.z ? nameOfInstance(RED, node.z) : undefined;

function nameOfInstance(RED: Red, id: string): string {
  let name = '';
  // Definitions hold the instance under the last part of a nested id.
  RED.nodes.eachNode((config) => {
    if (
      config['id'] === id ||
      (id.endsWith(`-${String(config['id'])}`) && String(config['type']).startsWith('subflow:'))
    ) {
      name = String(config['name'] ?? '') || name;
    }
  });
  return name || id;
}

/** People and planners tell two instances apart by where they stand. */
const nameOf = (name: string, instance: string | undefined): string =>
  instance === undefined ? name : `${name} (${instance})`;

function languageFor(RED: Red, id: string, faults: 'strict' | 'lenient') {
  try {
    return languageOf(RED, id);
  } catch (error) {
    if (faults === 'strict') throw error;
    return undefined;
  }
}

/**
 * Throws FOLKMOOT_MISSING_CONFIG when the language that it chose is missing. `lenient`: then it has no functions, so that
 * one agent's fault doesn't hide the team; the agent itself tells it when it is asked.
 */
export function agentDefinition(
  RED: Red,
  node: RedNode,
  config: ConfigOf<typeof agentFields>,
  faults: 'strict' | 'lenient' = 'strict',
): AgentDefinition {
  const language = languageFor(RED, config.language, faults);
  const accepts = language?.resolve(config.accepts) ?? [];
  const generates = language?.resolve(config.generates) ?? [];
  const functions = language ? functionsWithFollowing([...accepts, ...generates], language) : [];
  const names = functions.map(({ name }) => name);
  const graphql = language?.graphql && partOfSchemas(language.graphql, names);
  const agentId = agentIdOf(RED, node, config);
  return {
    agentId,
    name: nameOf(config.name || agentId, instanceOf(RED, node)),
    description: config.description,
    topics: config.topics,
    parameters: config.parameters,
    accepts,
    generates,
    instructions: config.instructions,
    ...(config.steps.length ? { steps: config.steps } : {}),
    ...(config.examples.length ? { examples: examplesIn(config.examples) } : {}),
    ...(config.fallback ? { fallback: true } : {}),
    functions,
    ...(graphql ? { graphql } : {}),
    tools: toolSpecs(RED, node, config.language),
  };
}
