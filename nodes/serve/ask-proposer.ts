/** Asks a router or an agent, over its wire, what it would do; tells on the events output how it went. */
import type { ProposalContext } from '../../engine/http/endpoint.ts';
import type { Proposal, Proposed } from '../../engine/http/proposal.ts';
import { limits } from '../../engine/limits.ts';
import type { AskAnswer, Moot } from '../../engine/moot.ts';
import { ask } from '../shared/ask.ts';
import type { ProposingCard } from '../shared/proposals.ts';
import { reach } from '../shared/walk.ts';
import type { ServeKit } from './serve.ts';
import { tellOf } from './serve-events.ts';

/** Position of the asks output. */
export const asksPort = 1;

/** Undefined: nobody is wired who could. */
export function askProposer(
  kit: ServeKit,
  proposal: Proposal,
  context: ProposalContext,
): Promise<AskAnswer> | undefined {
  const reached = [...reach<ProposingCard>(kit.RED, kit.node, asksPort, 'request').values()];
  // A router knows how to plan for many; an agent helps out where there is none.
  const to = reached.find(({ type }) => type === 'folkmoot-router') ?? reached[0];
  if (!to) {
    kit.status('waiting');
    return undefined;
  }
  return asked(kit, to, proposal, context);
}

async function asked(
  kit: ServeKit,
  to: ProposingCard,
  proposal: Proposal,
  { run, conversation, user, signal }: ProposalContext,
): Promise<AskAnswer> {
  const moot: Moot = {
    ...{ v: 1, run, conversation, request: { id: run, via: 'http' } },
    ...(user ? { user } : {}),
  };
  const tell = tellOf(kit, run, moot);
  const text = proposal.body.user_prompt;
  kit.status('thinking');
  tell('started', { form: proposal.form, text, proposeOnly: true });
  const answer = await ask({
    ...{ RED: kit.RED, asker: kit.node, port: asksPort, id: `ask:${run}/request`, to: to.nodeId },
    ...{ kind: 'request', proposeOnly: true, payload: text, moot: { ...moot, http: proposal } },
    deadlineMs: limits.runDeadlineMs,
    signal: AbortSignal.any([signal, kit.signal]),
    onNotTaken: () => kit.warn('What was asked over HTTP did not arrive: a node on the “may ask” wire dropped it.'),
  });
  kit.status(answer.status === 'answered' ? 'done' : 'failed');
  tell('ended', endOf(answer));
  return answer;
}

function endOf({ status, payload, error }: AskAnswer) {
  if (status !== 'answered') return { outcome: status === 'refused' ? 'failed' : status, reason: error?.message };
  const { body, failedSteps } = payload as Proposed;
  return { outcome: 'done', proposed: body, failedSteps };
}
