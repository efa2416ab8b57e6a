/** The one door for people's requests of each backbone, shared by its bus-in and bus-out nodes. */
import { createAmicaDoor, type AmicaDoor } from '../../engine/conversation/amica-door.ts';
import { createForeignResponders } from '../../engine/conversation/foreign-responders.ts';
import { createRequestMemory, type RequestMemory } from '../../engine/conversation/intake-memory.ts';
import { createRequestLedger } from '../../engine/conversation/request-ledger.ts';
import { agentIdFrom } from '../../engine/ids.ts';
import { readSenders } from '../../engine/people/senders.ts';
import { isAmicaRequest } from '../../engine/moot.ts';
import { openRequests } from '../../engine/plan/run-records.ts';
import type { Backbone } from '../backbone/lease.ts';
import { questionsOf, turnsOf } from '../shared/conversations.ts';
import { processClock, runFeed } from '../shared/process.ts';
import { afterDeploy, areFlowsReady, onStopping } from '../shared/flows-ready.ts';
import type { Red } from '../shared/red.ts';

interface Memories {
  readonly requests: RequestMemory;
  readonly refused: RequestMemory;
}

/** By house. They outlive every deploy: a request that was answered before it is not acted on again. */
const memories = new Map<string, Memories>();

function memoriesOf(house: string): Memories {
  const found = memories.get(house) ?? { requests: createRequestMemory(), refused: createRequestMemory() };
  memories.set(house, found);
  return found;
}

export function doorOf(RED: Red, backbone: Backbone): AmicaDoor {
  return backbone.once('amica', () => {
    const { bus, store, house, metrics, processId, settings, report } = backbone;
    const { requests: memory, refused } = memoriesOf(house);
    const agentId = agentIdFrom(`folkmoot ${house}`);
    const sender = { house, process: processId };
    const door = createAmicaDoor({
      bus,
      clock: processClock,
      store,
      agentId,
      sender,
      others: createForeignResponders({
        ...{ bus, store, house, clock: processClock, own: { agentId, ...sender }, report },
        mode: settings.foreignResponders ?? 'auto',
      }),
      requests: createRequestLedger({ store, house, clock: processClock, memory, onProblem: report }),
      refused,
      openRequests: () => openRequests(store, house),
      turns: turnsOf(backbone),
      unsaid: (id, conversation) => questionsOf(backbone).withdraw(conversation, id),
      metrics,
      senders: readSenders(settings.allowedSenders),
      report,
    });
    const proceed = (all: boolean) => {
      // At a stop in place of the start there is nobody to go on.
      if (areFlowsReady(RED)) door.proceed({ all });
    };
    const pause = (all: boolean) => {
      door.pause();
      afterDeploy(RED, () => proceed(all));
    };
    if (!areFlowsReady(RED)) pause(false);
    const stops = [
      onStopping(RED, ({ isDeploy, all }) => {
        if (isDeploy) pause(all);
      }),
      runFeed.onStarted(({ request, deadlineMs }) => {
        if (isAmicaRequest(request)) door.desk.extend(request.id, deadlineMs);
      }),
      runFeed.onEnded(({ request, outcome }) => {
        if (isAmicaRequest(request)) door.desk.runEnded(request.id, outcome);
      }),
      runFeed.onWorking(({ request, withinMs }) => {
        if (isAmicaRequest(request)) door.desk.working(request.id, withinMs);
      }),
    ];
    backbone.onClose(async () => {
      for (const stop of stops) stop();
      await door.close();
    });
    return door;
  });
}
