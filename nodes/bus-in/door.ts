/** The one door for people's requests of each backbone, shared by its bus-in and bus-out nodes. */
import { createAmicaDoor, type AmicaDoor } from '../../engine/conversation/amica-door.ts';
import { createConversations } from '../../engine/conversation/conversation.ts';
import { createRequestMemory } from '../../engine/conversation/intake-memory.ts';
import { agentIdFrom } from '../../engine/ids.ts';
import type { Backbone } from '../backbone/lease.ts';
import { processClock, runFeed } from '../shared/process.ts';
import type { Red } from '../shared/red.ts';

/** Outlives every deploy: a request that was answered before it is not acted on again. */
const memory = createRequestMemory();

export function doorOf(RED: Red, backbone: Backbone): AmicaDoor {
  return backbone.once('amica', () => {
    const { bus, store, house } = backbone;
    const conversations = createConversations(store, processClock);
    const door = createAmicaDoor({
      bus,
      clock: processClock,
      agentId: agentIdFrom(`folkmoot ${house}`),
      memory,
      record: (conversation, rows) => conversations.append(conversation, rows),
      report: (problem) => RED.log.warn(`[folkmoot] ${problem.message}`),
    });
    const stops = [
      runFeed.onStarted(({ request, deadlineMs }) => {
        if (request?.via === 'amica') door.desk.extend(request.id, deadlineMs);
      }),
      runFeed.onEnded(({ request, outcome }) => {
        if (request?.via === 'amica') door.desk.runEnded(request.id, outcome);
      }),
    ];
    backbone.onClose(async () => {
      for (const stop of stops) stop();
      await door.close();
    });
    return door;
  });
}
