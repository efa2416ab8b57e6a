/**
 * Replies to one request in order, one buffer for each responder (seed-contracts.md A5). Several agents answer one
 * request on one topic, each with numbers of its own; Java agents don't say who they are and may begin at 0.
 */
import type { Clock, Timer } from '../clock.ts';
import { limits } from '../limits.ts';

/** A part as it came. */
export interface ReplyArrival {
  /** MESSAGE_ID of the part: what the broker delivers twice has it twice. */
  readonly messageId: string;
  /** Who answers, as far as its properties tell; absent for agents that don't say, such as the shipped Java one. */
  readonly responder?: string;
  readonly agentId?: string;
  readonly house?: string;
  readonly sequence: number;
  readonly isComplete: boolean;
  readonly text: string;
}

export interface OrderedPart extends ReplyArrival {
  /** Counts the replies to this request from 1, in the order in which they began. */
  readonly reply: number;
}

export interface ReplyOrderOptions {
  readonly clock: Clock;
  readonly deliver: (part: OrderedPart) => void;
  /** So long what follows a gap waits for what is missing, since the last delivery. Default `limits.replyGapMs`. */
  readonly gapMs?: number;
  /** So many parts of one reply wait at most. Default `limits.replyGapParts`. */
  readonly most?: number;
  /** So many replies to one request. Default `limits.repliesPerRequest`. */
  readonly replies?: number;
}

export interface ReplyOrder {
  add(part: ReplyArrival): void;
  /** Replies that began and have no end yet, and those that were delivered to their end. */
  readonly counts: { readonly open: number; readonly complete: number; readonly dropped: number };
  /** Delivers what waits behind gaps, and takes nothing more. */
  close(): void;
}

/** No sender numbers below this but the first; 0 and 1 both begin a reply. */
const isStart = (sequence: number): boolean => sequence <= 1;

export function createReplyOrder(options: ReplyOrderOptions): ReplyOrder {
  const { replies: mostReplies = limits.repliesPerRequest } = options;
  const replies: Reply[] = [];
  const seen = new Set<string>();
  let dropped = 0;
  let isClosed = false;

  const begin = (responder: string | undefined, isDoubtful = false): Reply | undefined => {
    if (replies.length >= mostReplies) return undefined;
    const reply = createReply({ reply: replies.length + 1, responder, isDoubtful, ...options });
    replies.push(reply);
    return reply;
  };

  /** Only a first number begins one more reply of somebody who says no name; other numbers wait for theirs. */
  const replyOfNobody = (known: readonly Reply[], part: ReplyArrival): Reply | undefined => {
    const own = bestOf(known, part);
    if (own || known.some((reply) => reply.awaits(part.sequence))) return own;
    return begin(undefined, !isStart(part.sequence) && known.length > 0);
  };

  const replyOf = (part: ReplyArrival): Reply | undefined => {
    const { responder } = part;
    const known = replies.filter((reply) => reply.responder === responder);
    if (responder === undefined) return replyOfNobody(known, part);
    const last = known.at(-1);
    if (!last) return begin(responder);
    // A responder that was restarted in the middle begins anew. One that is done only repeats itself.
    const isAnew = !last.isOver && isStart(part.sequence) && part.sequence === last.first && last.has(part.sequence);
    if (!isAnew) return last;
    last.abandon();
    return begin(responder);
  };

  return {
    add(part) {
      if (isClosed) return;
      const isRepeat = seen.has(part.messageId);
      remember(seen, part.messageId);
      const reply = isRepeat ? undefined : replyOf(part);
      if (!reply?.add(part)) dropped += 1;
    },
    get counts() {
      const complete = replies.filter((reply) => reply.isOver).length;
      const open = replies.filter((reply) => reply.isOpen).length;
      return { open, complete, dropped };
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      for (const reply of replies) reply.flush();
    },
  };
}

/** Where a part belongs when nobody says who sent it; nothing: it begins a reply of its own. */
function bestOf(replies: readonly Reply[], { sequence, isComplete }: ReplyArrival): Reply | undefined {
  const open = replies.filter((reply) => !reply.isOver && !reply.has(sequence) && !reply.endsBefore(sequence));
  // A lone answer of number 0, as the shipped Java agent gives, is whole by itself.
  if (sequence <= 0) return isComplete ? undefined : open.find((reply) => reply.next === undefined);
  const awaits = open.find((reply) => reply.next === sequence);
  if (awaits || sequence === 1) return awaits ?? open.find((reply) => reply.next === undefined);
  const nearest = [...open].sort((a, b) => (b.next ?? -1) - (a.next ?? -1))[0];
  return nearest ?? replies.find((reply) => reply.skipped(sequence));
}

interface Reply {
  readonly responder: string | undefined;
  /** The lowest number that was delivered. */
  readonly first: number | undefined;
  /** What is delivered next; nothing before the first. */
  readonly next: number | undefined;
  /** Delivered to its end. */
  readonly isOver: boolean;
  /** Its end is still awaited. */
  readonly isOpen: boolean;
  /** It came already, or is too late. */
  has(sequence: number): boolean;
  /** It came already, and was not delivered yet. */
  awaits(sequence: number): boolean;
  /** Its last number is known, and lower. */
  endsBefore(sequence: number): boolean;
  /** It was given up as lost. */
  skipped(sequence: number): boolean;
  /** False when it was dropped. */
  add(part: ReplyArrival): boolean;
  flush(): void;
  /** Its responder began anew. */
  abandon(): void;
}

interface ReplyOptions extends Omit<ReplyOrderOptions, 'replies'> {
  readonly reply: number;
  readonly responder: string | undefined;
  /** It is one only when its first number comes: until then it may be what came after the end of another one. */
  readonly isDoubtful: boolean;
}

function createReply(options: ReplyOptions): Reply {
  const { reply, responder, isDoubtful, clock, gapMs = limits.replyGapMs, most = limits.replyGapParts } = options;
  const waiting = new Map<number, ReplyArrival>();
  const gaps: { readonly from: number; readonly to: number }[] = [];
  let first: number | undefined;
  let next: number | undefined;
  let last = Infinity;
  let isOver = false;
  let isAbandoned = false;
  let timer: Timer | undefined;

  const deliver = (part: ReplyArrival) => {
    waiting.delete(part.sequence);
    if (next !== undefined && part.sequence > next) gaps.push({ from: next, to: part.sequence - 1 });
    first ??= part.sequence;
    next = part.sequence + 1;
    if (part.isComplete) {
      isOver = true;
      waiting.clear();
    }
    options.deliver({ ...part, reply });
  };
  const isReal = () => !isDoubtful || next !== undefined;
  const lowest = () => [...waiting.values()].sort((a, b) => a.sequence - b.sequence)[0];
  const drain = () => {
    for (let due = waiting.get(next ?? NaN); due; due = waiting.get(next ?? NaN)) deliver(due);
  };
  const skip = () => {
    const part = lowest();
    if (part) deliver(part);
    drain();
  };
  /** The wait for a gap ends by itself, and begins anew with each delivery. */
  const settle = () => {
    while (waiting.size > most) skip();
    clock.clearTimer(timer);
    timer = waiting.size > 0 && isReal() ? clock.setTimer(onGap, gapMs) : undefined;
  };
  const onGap = () => {
    skip();
    settle();
  };
  const has = (sequence: number) => waiting.has(sequence) || (next !== undefined && sequence < next);

  return {
    responder,
    get first() {
      return first;
    },
    get next() {
      return next;
    },
    get isOver() {
      return isOver;
    },
    get isOpen() {
      return !isOver && !isAbandoned && isReal();
    },
    has,
    awaits: (sequence) => waiting.has(sequence),
    endsBefore: (sequence) => sequence > last,
    skipped: (sequence) => gaps.some(({ from, to }) => sequence >= from && sequence <= to),
    add(part) {
      if (isOver || isAbandoned || has(part.sequence)) return false;
      waiting.set(part.sequence, part);
      if (part.isComplete) last = Math.min(last, part.sequence);
      const wasNext = next;
      if (next === undefined && isStart(part.sequence)) deliver(part);
      drain();
      if (next !== wasNext || timer === undefined) settle();
      else if (waiting.size > most) settle();
      return true;
    },
    flush() {
      while (waiting.size > 0 && isReal()) skip();
      clock.clearTimer(timer);
    },
    abandon() {
      this.flush();
      isAbandoned = !isOver;
    },
  };
}

function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  const oldest = ids.values().next().value;
  if (ids.size > limits.replyParts && oldest !== undefined) ids.delete(oldest);
}
