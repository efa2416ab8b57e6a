/** Remembers, recalls and forgets for each person apart: for messages, and for agents whose asks output is wired here. */
import { folkmootError, isFolkmootError } from '../../engine/errors.ts';
import { askedIn, isOperation, memoryTrouble, operateMemory, requestIn } from '../../engine/memory/operate.ts';
import {
  memoryOperations,
  personsRequest,
  subjectOf,
  type MemoryRequest,
  type MemoryResult,
} from '../../engine/memory/operate.ts';
import type { Moot } from '../../engine/moot.ts';
import { leaseMemory, type MemoryLease } from '../memory-store/lease-memory.ts';
import type { TakenAsk } from '../shared/ask-registry.ts';
import { defineNode, type InputContext, type NodeKit } from '../shared/define-node.ts';
import { mootOf, requestText } from '../shared/message.ts';
import { askRegistry } from '../shared/process.ts';
import type { Red, RedMessage } from '../shared/red.ts';
import { memoryFields } from './memory.fields.ts';

export type MemoryKit = NodeKit<typeof memoryFields>;

/** What an agent sees of a memory that it reaches. */
export interface MemoryCard {
  readonly nodeId: string;
  readonly name: string;
}

export default function memory(RED: Red): void {
  defineNode(RED, {
    type: 'folkmoot-memory',
    fields: memoryFields,
    start(kit) {
      const lease = leaseMemory(RED, kit.config.memoryStore);
      const card: MemoryCard = { nodeId: kit.id, name: kit.config.name || 'memory' };
      return {
        role: { kinds: ['memory'], card: () => (kit.faults.length ? undefined : card) },
        async input(message, context) {
          const taken = askRegistry.take(message, kit.id);
          if (taken.kind === 'pass') return context.passOver();
          if (taken.kind === 'ask') return answer(kit, lease, taken.ask, message, context);
          const moot = mootOf(message);
          const result = await operateMemory(await lease.ready, personsRequest(requestOf(kit, message, moot)));
          context.send(resultMessage(kit, message, moot, result));
          kit.status('done');
        },
        async close(removed) {
          const end = removed ? 'cancelled' : 'restarted';
          askRegistry.endTakenBy(kit.id, end === 'restarted' ? { status: end } : { status: end, ...nothing });
          await lease.release();
        },
      };
    },
  });
}

const nothing = { payload: null, mutations: [] } as const;

async function answer(
  kit: MemoryKit,
  lease: MemoryLease,
  ask: TakenAsk,
  message: RedMessage,
  context: InputContext,
): Promise<void> {
  const { ask: _ask, ...moot }: Moot = mootOf(message);
  try {
    const request = { ...requestOf(kit, message, moot), ...askedIn(message.payload) };
    const result = await operateMemory(await lease.ready, request);
    if (kit.signal.aborted) return;
    const back = result.asksBack ? { asked: true, asksYes: true as const } : {};
    if (!ask.end({ status: 'answered', payload: result.words, mutations: [], ...back })) return;
    context.send({ ...resultMessage(kit, message, moot, result), _msgid: kit.RED.util.generateId() });
    kit.status('done');
  } catch (error) {
    if (kit.signal.aborted) return;
    const code = isFolkmootError(error) ? error.code : 'FOLKMOOT_STORE_FAILED';
    const isRefused = code === 'FOLKMOOT_LIMIT' || code === 'FOLKMOOT_BAD_INPUT';
    const told = { code, message: String((error as Error).message) };
    const status = isRefused ? 'refused' : 'failed';
    ask.end({ status, payload: memoryTrouble(error), mutations: [], error: told });
    if (!isRefused) throw error;
  }
}

function requestOf({ config }: MemoryKit, message: RedMessage, moot: Moot): MemoryRequest {
  const said: unknown = message['operation'] ?? 'recall';
  const operation = config.operation === 'message' ? said : config.operation;
  if (!isOperation(operation))
    throw folkmootError(
      'FOLKMOOT_BAD_INPUT',
      `msg.operation "${String(said)}" is none of ${memoryOperations.join(', ')}.`,
    );
  const { text, ...more } = requestIn(message.payload);
  const source = moot.conversation ?? (typeof message.topic === 'string' ? message.topic : '');
  return {
    k: config.most,
    threshold: config.threshold,
    ...more,
    operation,
    subject: subjectOf(moot.user),
    text: requestText(text ?? message.payload),
    ...(moot.conversation ? { conversation: moot.conversation } : {}),
    ...(source ? { source } : {}),
    ...(moot.tainted ? { tainted: true } : {}),
  };
}

function resultMessage(kit: MemoryKit, message: RedMessage, moot: Moot, result: MemoryResult): Partial<RedMessage> {
  const payload = kit.config.result === 'words' ? result.words : result.memories;
  const { asksBack, tainted } = result;
  return {
    ...message,
    payload,
    moot: { ...moot, ...(asksBack ? { reason: 'asked' } : {}), ...(tainted ? { tainted } : {}) },
  };
}
