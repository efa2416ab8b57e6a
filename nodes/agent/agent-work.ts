/** One piece of an agent's work: the same for an ask over a wire and for a run of its own. */
import { runAgent } from '../../engine/agent/run-agent.ts';
import { asError, isFolkmootError } from '../../engine/errors.ts';
import type { AskAnswer, Moot, Mutation, PlanStep } from '../../engine/moot.ts';
import type { AskContext } from '../../engine/plan/run-ports.ts';
import type { Backbone, BackboneLease } from '../backbone/lease.ts';
import { modelOf } from '../model/model.ts';
import { applicationData } from '../shared/application-data.ts';
import { usageLimitsOf } from '../shared/limit-fields.ts';
import { keptAnswer } from '../shared/kept-answer.ts';
import { processClock } from '../shared/process.ts';
import { stateOn } from './agent-debate.ts';
import { agentDefinition } from './agent-definition.ts';
import { toolUse } from './agent-tools.ts';
import type { AgentKit } from './agent.ts';

export interface Work {
  /** The ask's id. */
  readonly id: string;
  readonly run: string;
  readonly step: string;
  readonly prompt: string;
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  readonly mutations: readonly Mutation[];
  readonly signal: AbortSignal;
  /** Sign of life, with words as they come. */
  readonly touch?: (words?: string) => void;
  /** Who asks in which conversation: for tools and memories. */
  readonly moot: Moot;
  readonly topic?: unknown;
  /** A judge asks for a statement. */
  readonly debate?: { readonly payload: unknown };
  /** Its store gives the same ask the same answer again, also after a crash (asks.md 4). */
  readonly backbone: Backbone;
}

/** Never rejects. */
export async function workOn(kit: AgentKit, work: Work): Promise<AskAnswer> {
  try {
    return await keptAnswer(work.backbone, work, () => answerTo(kit, work));
  } catch (thrown) {
    const error = asError(thrown);
    const code = isFolkmootError(thrown) ? thrown.code : 'FOLKMOOT_MODEL_FAILED';
    const status = work.signal.aborted ? 'cancelled' : 'failed';
    return { status, payload: null, mutations: [], error: { code, message: error.message } };
  }
}

async function answerTo(kit: AgentKit, work: Work): Promise<AskAnswer> {
  const definition = agentDefinition(kit.RED, kit.node, kit.config);
  if (work.debate) return stateOn(kit, work, definition, work.debate.payload);
  return runAgent({
    agent: definition,
    model: modelOf(kit.RED, kit.config.model),
    prompt: work.prompt,
    parameters: work.parameters,
    board: work.mutations,
    data: definition.graphql ? await applicationData(work.backbone, work.moot) : work.moot.data,
    run: work.run,
    step: work.step,
    finding: work.moot.finding,
    signal: work.signal,
    clock: processClock,
    onText: (words) => work.touch?.(words),
    onProgress: () => work.touch?.(),
    limits: usageLimitsOf(kit.config),
    tools: toolUse(kit, work, definition.agentId),
  });
}

/** Its own run asks itself directly: there is no wire to go over. */
export async function askSelf(
  kit: AgentKit,
  step: PlanStep,
  context: AskContext,
  lease: BackboneLease,
): Promise<AskAnswer> {
  const { run, id, request, mutations } = context;
  const { conversation, user, data, depth = 0, tainted = false, topic } = request;
  return workOn(kit, {
    id,
    run,
    step: step.id,
    prompt: step.prompt,
    parameters: step.parameters,
    mutations,
    moot: {
      ...{ v: 1, depth, tainted },
      ...(conversation ? { conversation } : {}),
      ...(user ? { user } : {}),
      ...(data === undefined ? {} : { data }),
      ...(step.confirmed ? { confirmed: true } : {}),
      ...(context.finding ? { finding: context.finding } : {}),
    },
    topic,
    backbone: await lease.ready,
    signal: AbortSignal.any([context.signal, kit.signal]),
  });
}
