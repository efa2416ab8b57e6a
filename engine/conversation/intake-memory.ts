/** Which requests came already: a repeated id gets the first one's reply again, or nothing while that one runs. */
import { limits } from '../limits.ts';

export interface KnownRequest {
  /** Absent while it runs. */
  readonly reply?: string;
  readonly conversationId: string;
}

export interface RequestMemory {
  get(requestId: string): KnownRequest | undefined;
  running(requestId: string, conversationId: string): void;
  done(requestId: string, conversationId: string, reply: string): void;
  readonly size: number;
}

/** Forgets the oldest when there are too many, or their replies together too long. */
export function createRequestMemory(
  most: number = limits.requestIdMemory,
  mostChars: number = limits.requestReplyMemoryChars,
): RequestMemory {
  const known = new Map<string, KnownRequest>();
  let chars = 0;

  const put = (requestId: string, entry: KnownRequest) => {
    chars += (entry.reply?.length ?? 0) - (known.get(requestId)?.reply?.length ?? 0);
    known.delete(requestId);
    known.set(requestId, entry);
    for (const [id, oldest] of known) {
      if (known.size <= most && (chars <= mostChars || known.size === 1)) break;
      known.delete(id);
      chars -= oldest.reply?.length ?? 0;
    }
  };

  return {
    get: (requestId) => known.get(requestId),
    running: (requestId, conversationId) => put(requestId, { conversationId }),
    done: (requestId, conversationId, reply) => put(requestId, { conversationId, reply }),
    get size() {
      return known.size;
    },
  };
}
