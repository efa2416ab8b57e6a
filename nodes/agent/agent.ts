/** A member of a team: answers what it is asked over a wire; a message without an ask begins a run of its own. */
import type { Moot } from '../../engine/moot.ts';
import { partsOfAskId } from '../../engine/ids.ts';
import { plannerForOne } from '../../engine/router/plan-alone.ts';
import { leaseBackbone, type BackboneLease } from '../backbone/lease.ts';
import { modelOf } from '../model/model.ts';
import { endAtClose, type TakenAsk } from '../shared/ask-registry.ts';
import { defineNode, type InputContext, type NodeKit } from '../shared/define-node.ts';
import { askRegistry } from '../shared/process.ts';
import type { Red, RedMessage } from '../shared/red.ts';
import { teamRuns } from '../shared/make-runner.ts';
import { answerProposal, proposingCard } from '../shared/proposals.ts';
import { createRunOwner } from '../shared/run-owner.ts';
import { takeRequest } from '../shared/take-request.ts';
import { spoken } from './agent-debate.ts';
import { agentDefinition, agentIdOf } from './agent-definition.ts';
import { checkAtStart } from './agent-check.ts';
import { agentFields } from './agent.fields.ts';
import { minutesRuns, nameFile } from './agent-minutes.ts';
import { serveExchange } from './agent-exchange.ts';
import { createAgentRegistration } from './agent-registration.ts';
import { askSelf, workOn } from './agent-work.ts';
import { createListening } from './listening.ts';

export type AgentKit = NodeKit<typeof agentFields>;

export default function agent(RED: Red): void {
  serveExchange(RED);
  defineNode(RED, {
    type: 'folkmoot-agent',
    fields: agentFields,
    start(kit) {
      const { config } = kit;
      const lease = leaseBackbone(RED, config.backbone);
      const takesMinutes = config.work === 'minutes';
      const member = () => ({ ...agentDefinition(RED, kit.node, config, 'lenient'), nodeId: kit.id });
      const registration = createAgentRegistration(kit, lease, takesMinutes ? undefined : member);
      const listening = createListening(kit, lease, registration);
      void checkAtStart(kit);
      const owner = createRunOwner(kit, {
        lease,
        deadlineMs: config.deadlineSeconds * 1000,
        overlap: config.overlap,
        runs: takesMinutes
          ? minutesRuns(kit)
          : teamRuns({
              team: () => Promise.resolve([member()]),
              call: (call) => plannerForOne(modelOf(RED, config.model), member().agentId)(call),
              ask: (step, context) => askSelf(kit, step, context, lease),
              routerDescription: config.description,
            }),
      });
      return {
        role: {
          kinds: ['step', 'debate', 'request'],
          card: () => (takesMinutes || registration.refusal() ? undefined : { ...proposingCard(kit), ...member() }),
        },
        async input(message, context) {
          const taken = askRegistry.take(message, kit.id);
          if (taken.kind === 'pass') return context.passOver();
          registration.check();
          if (taken.kind === 'ordinary') {
            if (takesMinutes) nameFile(message);
            return owner.take(message, context);
          }
          if (taken.ask.info.proposeOnly) return answerProposal(kit, taken.ask, message, config);
          if (taken.ask.info.kind === 'request') return takeRequest(owner, taken.ask, message, context);
          await answer(kit, taken.ask, message, context, lease);
        },
        async close(removed) {
          askRegistry.endTakenBy(kit.id, endAtClose(removed));
          await registration.leave(removed);
          await listening.close();
          await owner.close(removed);
        },
      };
    },
  });
}

async function answer(
  kit: AgentKit,
  ask: TakenAsk,
  message: RedMessage,
  context: InputContext,
  lease: BackboneLease,
): Promise<void> {
  const { ask: _ask, ...moot }: Moot = message.moot ?? { v: 1 };
  kit.status('thinking');
  const end = await workOn(kit, {
    id: ask.info.id,
    // Of the registry's id, not of the message's words: they become the keys of what acts.
    ...partsOfAskId(ask.info.id),
    prompt: String(message.payload ?? ''),
    parameters: moot.parameters ?? {},
    mutations: moot.mutations ?? [],
    signal: AbortSignal.any([ask.signal, kit.signal]),
    touch: (words) => ask.touch(words),
    moot,
    topic: message.topic,
    ...(ask.info.kind === 'debate' ? { debate: { payload: message.payload } } : {}),
    backbone: await lease.ready,
  });
  // Closing: whether it is restarted or removed is known at close, and is said there.
  if (kit.signal.aborted) return;
  // Read before the end, which aborts the ask's own signal.
  const wasCancelled = ask.signal.aborted;
  ask.end(end);
  kit.status(end.status === 'answered' || wasCancelled ? 'done' : 'failed');
  if (wasCancelled) return;
  if (end.status === 'failed' && end.error) {
    throw Object.assign(new Error(end.error.message), { code: end.error.code, name: 'FolkmootError' });
  }
  context.send({
    ...message,
    _msgid: kit.RED.util.generateId(),
    payload: spoken(end).payload,
    moot: { ...moot, agent: agentIdOf(kit.RED, kit.node, kit.config), mutations: end.mutations, ...spoken(end).moot },
  });
}
