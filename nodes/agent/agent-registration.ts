/** Two agents of one id on one backbone would answer for each other: the second is refused, in words (contracts.md 1). */
import { folkmootError } from '../../engine/errors.ts';
import type { BackboneLease } from '../backbone/lease.ts';
import type { AgentKit } from './agent.ts';
import { agentIdOf } from './agent-definition.ts';

export interface AgentRegistration {
  /** Why it takes no part; nothing when it does. */
  refusal(): Error | undefined;
  /** Throws the refusal. */
  check(): void;
  leave(): void;
}

export function createAgentRegistration(kit: AgentKit, lease: BackboneLease): AgentRegistration {
  const agentId = agentIdOf(kit.RED, kit.node, kit.config);
  let refused: Error | undefined;
  let members: Map<string, string> | undefined;
  lease.ready.then(
    (backbone) => {
      if (kit.signal.aborted) return;
      members = backbone.once('agents', () => new Map<string, string>());
      const other = members.get(agentId);
      if (other === undefined || other === kit.id) return void members.set(agentId, kit.id);
      refused = folkmootError(
        'FOLKMOOT_BAD_SETTING',
        `There is another agent with the id "${agentId}" on the same connections, so this one takes no part.`,
      );
      kit.status('failed');
      kit.error(refused);
    },
    (error: unknown) => {
      if (!kit.signal.aborted) kit.error(error);
    },
  );
  return {
    refusal: () => refused,
    check() {
      if (refused) throw refused;
    },
    leave() {
      if (members?.get(agentId) === kit.id) members.delete(agentId);
    },
  };
}
