/** One piece of an agent's work: the same for an ask over a wire and for a run of its own. */
import { runAgent } from '../../engine/agent/run-agent.ts';
import { asError, isFolkmootError } from '../../engine/errors.ts';
import { limits } from '../../engine/limits.ts';
import type { AskAnswer, Mutation } from '../../engine/moot.ts';
import type { Store } from '../../engine/store/store.ts';
import { modelOf } from '../model/model.ts';
import { processClock } from '../shared/process.ts';
import { agentDefinition } from './agent-definition.ts';
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
  /** With a store the same ask gets the same answer again, also after a crash (asks.md 4). */
  readonly store?: Store;
}

/** Never rejects. */
export async function workOn(kit: AgentKit, work: Work): Promise<AskAnswer> {
  const key = `folkmoot:{${work.run}}:answer:${work.id}`.slice(0, 512);
  try {
    const kept = await work.store?.get<AskAnswer>(key);
    if (kept) return kept.value;
    const answer = await runAgent({
      agent: agentDefinition(kit.RED, kit.node, kit.config),
      model: modelOf(kit.RED, kit.config.model),
      prompt: work.prompt,
      parameters: work.parameters,
      board: work.mutations,
      run: work.run,
      step: work.step,
      signal: work.signal,
      clock: processClock,
      onText: (words) => work.touch?.(words),
      onProgress: () => work.touch?.(),
    });
    if (answer.status === 'answered' && !work.signal.aborted) {
      await work.store?.put(key, answer, { expiresInMs: limits.checkpointExpiryMs });
    }
    return answer;
  } catch (thrown) {
    const error = asError(thrown);
    const code = isFolkmootError(thrown) ? thrown.code : 'FOLKMOOT_MODEL_FAILED';
    const status = work.signal.aborted ? 'cancelled' : 'failed';
    return { status, payload: null, mutations: [], error: { code, message: error.message } };
  }
}
