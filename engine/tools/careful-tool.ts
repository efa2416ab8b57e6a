/** A tool with what its settings promise for reading: an answer that is kept for a while, and a few more tries (P6, P10). */
import { sleep, type Clock } from '../clock.ts';
import { canonical, hash } from '../ids.ts';
import type { AskAnswer } from '../moot.ts';
import { keyPart, tagged } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import { readVersioned } from '../store/versioned.ts';
import type { AgentTool, ToolArguments } from './agent-tool.ts';

export interface CarefulOptions {
  readonly clock: Clock;
  /** How often it is asked again when it failed or was silent. */
  readonly retries: number;
  /** Milliseconds that an answer is good for; 0: none is kept. */
  readonly keptMs: number;
  /** Where answers are kept, for all who ask this tool. Absent: none is. */
  readonly store?: Store | undefined;
  /** Of the tool: its node's id. */
  readonly owner: string;
  /** Told of a store that fails; the tool is asked all the same. */
  readonly problem?: (error: unknown) => void;
}

interface Kept {
  readonly v: 1;
  readonly payload: unknown;
  readonly at: number;
}

/** Longest pause before another try; milliseconds. The first is half a second. */
const longestPauseMs = 5_000;

/** What acts stays as it is: doing it twice, or not at all, is worse than telling that it failed. */
export function carefulTool(tool: AgentTool, options: CarefulOptions): AgentTool {
  if (tool.spec.risk !== 'read' || tool.spec.effect) return tool;
  const { store, keptMs } = options;
  const patient = options.retries > 0 ? withRetries(tool, options) : tool;
  return store && keptMs > 0 ? withKept(patient, store, options) : patient;
}

function withRetries(tool: AgentTool, { clock, retries }: CarefulOptions): AgentTool {
  return {
    ...tool,
    async ask(id, given, signal) {
      for (let n = 0; ; n += 1) {
        const answer = await tool.ask(n === 0 ? id : `${id}~${n}`, given, signal);
        const mayHelp = answer.status === 'failed' || answer.status === 'timeout';
        if (!mayHelp || n >= retries || signal?.aborted) return answer;
        try {
          await sleep(clock, Math.min(longestPauseMs, 500 * 2 ** n), signal);
        } catch {
          return answer;
        }
      }
    },
  };
}

function withKept(tool: AgentTool, store: Store, { clock, keptMs, owner, problem }: CarefulOptions): AgentTool {
  const keyOf = (given: ToolArguments) =>
    tagged(owner, 'tool-results', keyPart(tool.spec.name), hash(canonical(given)));
  const read = async (key: string): Promise<AskAnswer | undefined> => {
    const record = await store.get<Kept>(key);
    const kept = record && readVersioned(record, 1);
    return kept && clock.now() - kept.at < keptMs
      ? { status: 'answered', payload: kept.payload, mutations: [] }
      : undefined;
  };
  return {
    ...tool,
    async ask(id, given, signal) {
      const key = keyOf(given);
      const known = await read(key).catch((error: unknown) => void problem?.(error));
      if (known) return known;
      const answer = await tool.ask(id, given, signal);
      if (answer.status === 'answered' && answer.payload !== null)
        await store
          .put(key, { v: 1, payload: answer.payload, at: clock.now() }, { expiresInMs: keptMs })
          .catch((error: unknown) => problem?.(error));
      return answer;
    },
  };
}
