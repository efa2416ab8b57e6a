/** Which requests came already: a repeated id gets the first one's reply again, or nothing while that one runs. */
import { limits } from '../limits.ts';

export interface KnownRequest {
  /** Absent while it runs. */
  readonly reply?: string;
  /** The reply is out. */
  readonly isTold?: boolean;
  /** Absent when it could not be read. */
  readonly conversationId?: string;
}

export interface RequestMemory {
  get(requestId: string): KnownRequest | undefined;
  /** Remembers it, or what is new of it. Gives the ids that are forgotten for it. */
  put(requestId: string, known: KnownRequest): readonly string[];
  forget(requestId: string): void;
  readonly size: number;
}

/**
 * Forgets the oldest when there are too many, or their replies together too long. Those that still run are passed over
 * as long as there are less than twice `most`: forgetting one means that it can act twice.
 */
export function createRequestMemory(
  most: number = limits.requestIdMemory,
  mostChars: number = limits.requestReplyMemoryChars,
): RequestMemory {
  const known = new Map<string, KnownRequest>();
  let chars = 0;

  const forget = (requestId: string) => {
    chars -= known.get(requestId)?.reply?.length ?? 0;
    known.delete(requestId);
  };
  const makeRoom = (newest: string): string[] => {
    const forgotten: string[] = [];
    for (const [id, { reply }] of known) {
      if ((known.size <= most && chars <= mostChars) || id === newest) break;
      if (reply === undefined && known.size <= 2 * most) continue;
      forget(id);
      forgotten.push(id);
    }
    return forgotten;
  };

  return {
    get: (requestId) => known.get(requestId),
    put(requestId, entry) {
      forget(requestId);
      known.set(requestId, entry);
      chars += entry.reply?.length ?? 0;
      return makeRoom(requestId);
    },
    forget,
    get size() {
      return known.size;
    },
  };
}
