/** Two agents of one id on one backbone would answer for each other: the second is refused, in words (contracts.md 1). */
import { folkmootError } from '../../engine/errors.ts';
import type { AgentDefinition } from '../../engine/agent/definition.ts';
import type { BackboneLease } from '../backbone/lease.ts';
import type { AgentKit } from './agent.ts';
import { agentIdOf } from './agent-definition.ts';
import { createAgentOnBus, type AgentOnBus } from './agent-on-bus.ts';

export interface AgentRegistration {
  /** Why it takes no part; nothing when it does. */
  refusal(): Error | undefined;
  /** Throws the refusal. */
  check(): void;
  leave(removed: boolean): Promise<void>;
}

/** @param member What it shows to others on the bus; nothing: it is none of those who can be asked. */
export function createAgentRegistration(
  kit: AgentKit,
  lease: BackboneLease,
  member: (() => AgentDefinition) | undefined,
): AgentRegistration {
  const agentId = agentIdOf(kit.RED, kit.node, kit.config);
  let refused: Error | undefined;
  let members: Map<string, string> | undefined;
  let onBus: AgentOnBus | undefined;
  lease.ready.then(
    (backbone) => {
      if (kit.signal.aborted) return;
      members = backbone.once('agents', () => new Map<string, string>());
      const other = members.get(agentId);
      if (other === undefined || other === kit.id) {
        members.set(agentId, kit.id);
        if (member) onBus = createAgentOnBus(kit, backbone, member);
        return;
      }
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
    async leave(removed) {
      if (members?.get(agentId) === kit.id) members.delete(agentId);
      await onBus?.close(removed);
    },
  };
}
