/** The home's own answers on a shared bus: boards, and who is in its team. One for each backbone at which runs begin. */
import { createHomeService, type TeamList } from '../../engine/registry/home-service.ts';
import type { FolderState } from '../../engine/agent-documents/agents-folder.ts';
import { membershipOf, type Membership } from '../backbone/membership.ts';
import type { Backbone } from '../backbone/lease.ts';
import { languageInUse } from '../language/language-in-use.ts';
import { agentFoldersOf, reloadAgents } from './agent-folders.ts';
import type { Red } from './red.ts';

/** Stays until the backbone closes. Nothing where the bus stays within the process: nobody could ask. */
export function serveHome(RED: Red, backbone: Backbone): void {
  const membership = membershipOf(backbone);
  if (membership) backbone.once('home', () => begin(RED, backbone, membership));
}

function begin(RED: Red, backbone: Backbone, membership: Membership): true {
  const { bus, store, house } = backbone;
  const { registry, refusal, report, process } = membership;
  const service = createHomeService({
    ...{ bus, store, house, refusal, report, messages: registry.messages, sender: { house, process } },
    language: () => languageInUse(RED, ''),
    list: () => teamOf(backbone, membership, standing(backbone)),
    reload: async () => teamOf(backbone, membership, await reloadAgents(backbone)),
  });
  backbone.onClose(() => service.close());
  return true;
}

function standing(backbone: Backbone): FolderState {
  const states = [...agentFoldersOf(backbone)].map(({ state }) => state);
  return {
    agents: states.flatMap(({ agents }) => agents),
    problems: states.flatMap(({ problems }) => problems),
  };
}

/** Those on wires show a card, those of folders don't. Words of gpt-multi-atomic-agents: hard-coded and custom. */
function teamOf({ processId }: Backbone, { registry }: Membership, { agents, problems }: FolderState): TeamList {
  const wired = registry
    .agents()
    .flatMap(({ card }) => (card?.process === processId ? [card] : []))
    .map(({ agentId, name, description = '' }) => ({ agentId, name, description, source: 'hard-coded' as const }));
  const custom = agents.map(({ definition: { agentId, name, description } }) => ({
    ...{ agentId, name, description },
    source: 'custom' as const,
  }));
  return { agents: [...wired, ...custom], problems };
}
