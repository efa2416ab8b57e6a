/**
 * An agent as others on the bus see it: its card, and its own topic on which it is asked. Such an ask is its own work, as
 * one over a wire is; what it answers acts, if at all, in the house that asked.
 */
import { askId } from '../../engine/ids.ts';
import type { AgentDefinition } from '../../engine/agent/definition.ts';
import type { AskAnswer } from '../../engine/moot.ts';
import { createAskService, type AskService, type DirectedAsk } from '../../engine/registry/ask-service.ts';
import type { Card } from '../../engine/registry/cards.ts';
import type { Backbone } from '../backbone/lease.ts';
import { membershipOf, type Membership } from '../backbone/membership.ts';
import { pausedAnswer, reportingOf } from '../backbone/reporting.ts';
import { areFlowsReady, flowsReady, isDeploying, onReady } from '../shared/flows-ready.ts';
import { processClock } from '../shared/process.ts';
import { workOn } from './agent-work.ts';
import type { AgentKit } from './agent.ts';

export interface AgentOnBus {
  close(removed: boolean): Promise<void>;
}

/** @param member What it shows of itself at the moment. */
export function createAgentOnBus(kit: AgentKit, backbone: Backbone, member: () => AgentDefinition): AgentOnBus {
  const membership = membershipOf(backbone);
  if (!membership) return { close: () => Promise.resolve() };
  let service: AskService | undefined;
  let card: Card | undefined;
  const stopReports = membership.onProblem((problem) => kit.warn(problem.message));

  const serve = (id: string) => {
    void service?.close();
    service = serviceOf(kit, backbone, membership, id);
  };
  const join = async () => {
    // What it may do is known when its language stands.
    await flowsReady(kit.RED, kit.signal);
    // It must not answer before it is known that the house is paused.
    await reportingOf(backbone)?.control.ready;
    kit.signal.throwIfAborted();
    card = membership.cards.join(member(), serve);
  };
  const look = () => {
    if (!kit.signal.aborted && areFlowsReady(kit.RED)) card?.update(member());
  };
  join().catch(() => undefined);
  const forget = onReady(kit.RED, look);
  return {
    async close(removed) {
      forget();
      stopReports();
      if (removed) card?.remove();
      else card?.close();
      await service?.close({ returns: !removed && isDeploying(kit.RED) });
    },
  };
}

function serviceOf(kit: AgentKit, backbone: Backbone, membership: Membership, id: string): AskService {
  const { registry, refusal, report } = membership;
  return createAskService({
    id,
    bus: backbone.bus,
    messages: registry.messages,
    sender: { agentId: id, house: membership.house, process: membership.process },
    refusal,
    report,
    kinds: ['step', 'debate'],
    clock: processClock,
    rest: () => pausedAnswer(backbone),
    work: (ask) => answer(kit, backbone, ask),
  });
}

async function answer(kit: AgentKit, backbone: Backbone, ask: DirectedAsk): Promise<AskAnswer> {
  const { kind, payload, moot, run, step } = ask;
  kit.status('thinking');
  const end = await workOn(kit, {
    id: askId(run, step),
    run,
    step,
    prompt: String(payload ?? ''),
    parameters: moot.parameters ?? {},
    mutations: moot.mutations ?? [],
    signal: AbortSignal.any([ask.signal, kit.signal]),
    moot,
    ...(kind === 'debate' ? { debate: { payload } } : {}),
    backbone,
  });
  // Cut off: whoever closes the service says whether another one goes on with it.
  if (kit.signal.aborted && end.status !== 'answered') await aborted(ask.signal);
  kit.status(end.status === 'answered' || end.status === 'cancelled' ? 'done' : 'failed');
  return end;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
