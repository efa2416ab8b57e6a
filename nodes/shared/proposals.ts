/** What a router or an agent answers to a serve node: it plans and generates with its own model and limits, and nothing acts. */
import { asError, folkmootError, isFolkmootError } from '../../engine/errors.ts';
import { propose } from '../../engine/http/proposal.ts';
import type { Proposal } from '../../engine/http/proposal.ts';
import { plannerOf } from '../../engine/router/plan.ts';
import { limits } from '../../engine/limits.ts';
import { languageOf } from '../language/language.ts';
import { modelOf } from '../model/model.ts';
import type { TakenAsk } from './ask-registry.ts';
import type { NodeKit } from './define-node.ts';
import type { Fields } from './fields.ts';
import { processClock } from './process.ts';
import type { RedMessage } from './red.ts';

/** What a serve node sees of who proposes, or takes its requests. */
export interface ProposingCard {
  readonly nodeId: string;
  readonly type: string;
  /** Blank: it has none. */
  readonly name: string;
  readonly description: string;
}

export const proposingCard = ({ node, config }: NodeKit<Fields>): ProposingCard => ({
  ...{ nodeId: node.id, type: node.type, name: node.name ?? '' },
  description: String((config as { readonly description?: unknown }).description ?? ''),
});

export interface Proposing {
  /** Ids of config nodes; blank as everywhere. */
  readonly model: string;
  /** Who plans. Blank: the same. */
  readonly planModel?: string;
  readonly language: string;
  /** Longest silence in a step. Default `limits.stepDeadlineMs`. */
  readonly stepSeconds?: number;
  readonly deadlineSeconds: number;
}

/** Ends the ask; rejects with what failed, for Catch. */
export async function answerProposal<F extends Fields>(
  kit: NodeKit<F>,
  ask: TakenAsk,
  message: RedMessage,
  proposing: Proposing,
): Promise<void> {
  kit.status('thinking');
  try {
    const payload = await proposed(kit, ask, message, proposing);
    if (kit.signal.aborted) return;
    ask.end({ status: 'answered', payload, mutations: [] });
    kit.status('done');
  } catch (thrown) {
    // Closing: whether it is restarted or removed is known at close, and is said there.
    if (kit.signal.aborted) return;
    const wasCancelled = ask.signal.aborted;
    const error = asError(thrown);
    const code = isFolkmootError(thrown) ? thrown.code : 'FOLKMOOT_RUN_FAILED';
    ask.end({ status: 'failed', payload: null, mutations: [], error: { code, message: error.message } });
    if (!wasCancelled) throw error;
  }
}

function proposed<F extends Fields>(kit: NodeKit<F>, ask: TakenAsk, message: RedMessage, proposing: Proposing) {
  const http = message.moot?.http;
  if (!ask.info.proposeOnly || !http)
    throw folkmootError('FOLKMOOT_BAD_INPUT', 'What was asked over HTTP got lost on the way to this node.');
  const { RED } = kit;
  const { model, planModel, language, stepSeconds, deadlineSeconds } = proposing;
  return propose(
    withPrompt(http, message.payload),
    {
      plansByRules: modelOf(RED, planModel || model).settings.provider === 'rules',
      call: (call) => {
        ask.touch();
        return plannerOf(modelOf(RED, planModel || model))(call);
      },
      model: () => {
        ask.touch();
        return modelOf(RED, model);
      },
      clock: processClock,
      stepDeadlineMs: stepSeconds === undefined ? limits.stepDeadlineMs : stepSeconds * 1000,
      deadlineMs: deadlineSeconds * 1000,
      signal: AbortSignal.any([ask.signal, kit.signal]),
    },
    languageOf(RED, language),
  );
}

/** A node on the wire may have changed the words. */
const withPrompt = ({ body, ...rest }: Proposal, payload: unknown): Proposal => ({
  ...rest,
  body: typeof payload === 'string' ? { ...body, user_prompt: payload } : body,
});
