/** A board as the end of a team: hears of runs from the process's feed, and from the store after a restart. */
import { createGather, type Gather, type Gathered } from '../../engine/blackboard/gather.ts';
import { folkmootError } from '../../engine/errors.ts';
import type { Moot } from '../../engine/moot.ts';
import { createRunRecords } from '../../engine/plan/run-records.ts';
import { storeUp } from '../../engine/store/store-up.ts';
import type { Backbone } from '../backbone/lease.ts';
import { flowsReady } from '../shared/flows-ready.ts';
import { mootOf, plainMessage } from '../shared/message.ts';
import { processClock, runFeed } from '../shared/process.ts';
import type { RedMessage } from '../shared/red.ts';
import type { BlackboardKit } from './blackboard.ts';

export interface NodeGather {
  /** Throws FOLKMOOT_BAD_INPUT for a message of no run. */
  take(message: RedMessage, moot: Moot): Promise<void>;
  /** Rejects when what was gathered before a restart can't be read. */
  readonly resumed: Promise<void>;
  close(removed: boolean): Promise<void>;
}

export function gatherFor(kit: BlackboardKit, backbone: Promise<Backbone>): NodeGather {
  const gather = backbone.then((opened) => gatherOn(kit, opened));
  const stop = runFeed.onEnded(({ run, outcome }) => {
    gather.then((made) => made.ended(run, outcome)).catch(() => undefined);
  });
  const resumed = gather
    .then(async (made) => {
      await flowsReady(kit.RED, kit.signal);
      if (await storeUp((await backbone).store, kit.signal)) await made.resume();
    })
    .catch((error: unknown) => {
      if (!kit.signal.aborted) throw error;
    });
  return {
    resumed,
    async take(message, moot) {
      if (!moot.run)
        throw folkmootError('FOLKMOOT_BAD_INPUT', 'A message of no run can’t be gathered: moot.run is missing.');
      const { message: plain } = plainMessage(message);
      if (await (await gather).take(moot.run, moot.mutations ?? [], { ...plain, moot })) kit.status('waiting');
      else kit.node.debug('a part came after its run was over; it is left out');
    },
    async close(removed) {
      stop();
      await resumed.catch(() => undefined);
      await (await gather.catch(() => undefined))?.close(removed);
    },
  };
}

function gatherOn(kit: BlackboardKit, { store, house }: Backbone): Gather {
  const records = createRunRecords(store, { owner: kit.id, house, clock: processClock });
  const gather = createGather({
    store,
    owner: kit.id,
    clock: processClock,
    deadlineMs: kit.config.deadlineSeconds * 1000,
    outcomeOf: async (run) => (await records.read(run))?.outcome,
    emit(gathered) {
      kit.send([boardMessage(gathered)]);
      if (gather.open === 0) kit.status('done');
    },
  });
  return gather;
}

/** The last message of the run with all that was gathered. Only a run that may not act says how it ended. */
function boardMessage({ message, mutations, outcome }: Gathered): Partial<RedMessage> {
  const { agent: _agent, step: _step, parameters: _parameters, outcome: _outcome, ...moot } = mootOf(message);
  const ended = outcome && outcome !== 'done' && outcome !== 'asked' ? { outcome } : {};
  return { ...message, payload: mutations, moot: { ...moot, mutations, ...ended } };
}
