/** An agent or a tool elsewhere: asked over a wire like any other here, and over the broker there. */
import { folkmootError } from '../../engine/errors.ts';
import { partsOfAskId } from '../../engine/ids.ts';
import type { AskAnswer, Moot, PlanStep } from '../../engine/moot.ts';
import type { AskContext } from '../../engine/plan/run-ports.ts';
import { passOn } from '../../engine/router/pass-on.ts';
import { plannerOf } from '../../engine/router/plan.ts';
import { leaseBackbone } from '../backbone/lease.ts';
import { modelOf } from '../model/model.ts';
import type { TakenAsk } from '../shared/ask-registry.ts';
import { defineNode, type InputContext, type NodeKit } from '../shared/define-node.ts';
import { teamRuns } from '../shared/make-runner.ts';
import { askRegistry } from '../shared/process.ts';
import type { Red, RedMessage } from '../shared/red.ts';
import { createRunOwner } from '../shared/run-owner.ts';
import { createContact, type Contact } from './contact.ts';
import { remoteAgentFields } from './remote-agent.fields.ts';
import { serveRegistry } from './registry-list.ts';

export type RemoteKit = NodeKit<typeof remoteAgentFields>;

export default function remoteAgent(RED: Red): void {
  serveRegistry(RED);
  defineNode(RED, {
    type: 'folkmoot-remote-agent',
    fields: remoteAgentFields,
    start(kit) {
      const { config } = kit;
      const lease = leaseBackbone(RED, config.backbone);
      const contact = createContact(kit, lease);
      const isTool = config.kind === 'tool';
      const owner = createRunOwner(kit, {
        lease,
        // The ask itself ends first, in words.
        deadlineMs: config.deadlineSeconds * 1000 + 1000,
        overlap: config.overlap,
        runs: teamRuns({
          team: () => Promise.resolve([{ ...contact.member(), nodeId: kit.id }]),
          call: passOn(contact.member().agentId, (call) => plannerOf(modelOf(RED, ''))(call)),
          ask: (step, context) => askSelf(kit, contact, step, context),
        }),
      });
      return {
        role: isTool
          ? { kinds: ['tool'], card: () => contact.toolCard() }
          : {
              kinds: config.mode === 'amica' ? ['step'] : ['step', 'debate'],
              card: () => ({ ...contact.member(), nodeId: kit.id }),
            },
        async input(message, context) {
          const taken = askRegistry.take(message, kit.id);
          if (taken.kind === 'pass') return context.passOver();
          if (taken.kind === 'ask') return answer(kit, contact, taken.ask, message, context);
          if (!isTool) return owner.take(message, context);
          const what = 'A tool does nothing by itself: it is asked over a wire from an agent’s “may ask” output.';
          throw folkmootError('FOLKMOOT_BAD_INPUT', what);
        },
        async close(removed) {
          askRegistry.endTakenBy(kit.id, removed ? nothing('cancelled') : { status: 'restarted' });
          contact.close();
          await owner.close(removed);
        },
      };
    },
  });
}

const nothing = (status: 'cancelled'): AskAnswer => ({ status, payload: null, mutations: [] });

function askSelf(kit: RemoteKit, contact: Contact, step: PlanStep, context: AskContext): Promise<AskAnswer> {
  const { run, id, request, mutations } = context;
  const { conversation, user, depth = 0, tainted = false, event } = request;
  return contact.ask({
    id,
    run,
    step: step.id,
    kind: 'step',
    payload: step.prompt,
    moot: {
      ...{ v: 1, depth, tainted, mutations, parameters: step.parameters },
      ...(conversation ? { conversation } : {}),
      ...(user ? { user } : {}),
      ...(event ? { event } : {}),
    },
    signal: AbortSignal.any([context.signal, kit.signal]),
  });
}

async function answer(
  kit: RemoteKit,
  contact: Contact,
  ask: TakenAsk,
  message: RedMessage,
  context: InputContext,
): Promise<void> {
  const { ask: _ask, ...moot }: Moot = message.moot ?? { v: 1 };
  const { id, kind } = ask.info;
  const signal = AbortSignal.any([ask.signal, kit.signal]);
  const work = { id, ...partsOfAskId(id), payload: message.payload, moot, signal, touch: () => ask.touch() };
  const end = kind === 'tool' ? await contact.call(work) : await contact.ask({ ...work, kind: kind as 'step' });
  if (kit.signal.aborted) return;
  const wasCancelled = ask.signal.aborted;
  ask.end(end);
  if (wasCancelled || kind === 'tool') return;
  const { agentId } = contact.member();
  const sent = { ...message, _msgid: kit.RED.util.generateId(), payload: end.payload };
  const reason = end.error ? { reason: `${end.error.code}: ${end.error.message}` } : {};
  const ended = { ...sent, moot: { ...moot, agent: agentId, mutations: end.mutations, ...reason } };
  context.send(end.status === 'answered' || end.status === 'refused' ? [ended] : [null, ended]);
}
