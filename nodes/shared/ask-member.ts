/** How a router or a judge asks one of its team: the same moot, and the same words when an ask gets lost on its way. */
import type { AskAnswer, AskKind, Moot } from '../../engine/moot.ts';
import type { RunRequest } from '../../engine/plan/run-request.ts';
import { ask } from './ask.ts';
import type { NodeKit } from './define-node.ts';
import type { Fields } from './fields.ts';

export interface MemberAsk extends Pick<Moot, 'event' | 'mutations' | 'confirmed' | 'finding'> {
  readonly kind: AskKind;
  readonly port: number;
  readonly id: string;
  /** Whom, by name. */
  readonly agent: string;
  /** Its node; absent: it is not in the team any more. */
  readonly nodeId?: string | undefined;
  readonly run: string;
  readonly step: string;
  readonly request: RunRequest;
  readonly payload: unknown;
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  readonly index: number;
  readonly count: number;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

export function askMember<F extends Fields>(kit: NodeKit<F>, one: MemberAsk): Promise<AskAnswer> {
  const { request, run } = one;
  return ask({
    RED: kit.RED,
    asker: kit.node,
    port: one.port,
    id: one.id,
    to: one.nodeId ?? '',
    kind: one.kind,
    payload: one.payload,
    topic: request.topic ?? '',
    parts: { id: run, index: one.index, count: one.count },
    moot: mootOf(one),
    deadlineMs: one.deadlineMs,
    signal: AbortSignal.any([one.signal, kit.signal]),
    onNotTaken: () => {
      kit.status('waiting');
      kit.warn(`"${one.agent}" did not get what it was asked: a node on its “may ask” wire dropped or delays it.`);
    },
  });
}

const mootOf = ({ request, run, step, parameters, event, mutations = [], confirmed, finding }: MemberAsk): Moot => ({
  v: 1,
  run,
  ...(request.conversation ? { conversation: request.conversation } : {}),
  ...(request.user ? { user: request.user } : {}),
  depth: request.depth ?? 0,
  step,
  parameters,
  ...(confirmed ? { confirmed } : {}),
  ...(finding ? { finding } : {}),
  ...(event ? { event } : {}),
  ...(request.data === undefined ? {} : { data: request.data }),
  ...(request.tainted ? { tainted: true } : {}),
  mutations,
});
