/** The same ask gets the same answer again, also after a crash (asks.md 4). */
import { limits } from '../../engine/limits.ts';
import type { AskAnswer } from '../../engine/moot.ts';
import type { Backbone } from '../backbone/lease.ts';

/** Rejects as the work and the store do. @param id The ask's. */
export async function keptAnswer(
  { store }: Backbone,
  { run, id, signal }: { readonly run: string; readonly id: string; readonly signal: AbortSignal },
  work: () => Promise<AskAnswer>,
): Promise<AskAnswer> {
  const key = `folkmoot:{${run}}:answer:${id}`.slice(0, 512);
  const kept = await store.get<AskAnswer>(key);
  if (kept) return kept.value;
  const answer = await work();
  if (answer.status === 'answered' && !signal.aborted)
    await store.put(key, answer, { expiresInMs: limits.checkpointExpiryMs });
  return answer;
}
