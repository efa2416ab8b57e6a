/** An agent whose work is to take minutes of conversations that ended. */
import { createMinutesRuns, endedConversation } from '../../engine/conversation/minutes-runs.ts';
import { minutesFileName } from '../../engine/conversation/minutes.ts';
import type { Backbone } from '../backbone/lease.ts';
import { modelOf } from '../model/model.ts';
import { conversationsOf } from '../shared/conversations.ts';
import { recordsOf } from '../shared/make-runner.ts';
import { processClock } from '../shared/process.ts';
import type { RedMessage } from '../shared/red.ts';
import type { CommonOptions } from '../shared/run-owner.ts';
import type { AgentKit } from './agent.ts';
import { agentIdOf } from './agent-definition.ts';

export const minutesRuns = (kit: AgentKit) => (backbone: Backbone, common: CommonOptions) =>
  createMinutesRuns({
    ...common,
    clock: processClock,
    records: recordsOf(backbone, kit.id),
    conversations: conversationsOf(backbone),
    model: () => modelOf(kit.RED, kit.config.model),
    agentId: agentIdOf(kit.RED, kit.node, kit.config),
    instructions: kit.config.instructions,
  });

/** A safe name for a file node behind it, whatever the conversation's id holds. Throws FOLKMOOT_BAD_INPUT. */
export function nameFile(message: RedMessage): void {
  message['filename'] = minutesFileName(endedConversation(message.moot?.event));
}
