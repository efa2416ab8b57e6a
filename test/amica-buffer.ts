/**
 * The buffer of A.M.I.C.A.'s Java requester, as its command line has it: the four rules of seed-contracts.md A5 and
 * nothing else. It has no timer: what it does, it does when something arrives.
 */
export interface JavaResponse {
  readonly sequence: number;
  readonly isComplete: boolean;
  readonly message: string;
}

export interface JavaBuffer {
  /** A response arrives, so many milliseconds after the request was sent. */
  arrive(response: JavaResponse, atMs: number): void;
  /** What its command line showed. */
  readonly delivered: readonly JavaResponse[];
  /** Numbers that wait, lowest first. */
  readonly waiting: readonly number[];
  /** A complete one was delivered: its handler is gone, and whatever comes later is dropped. */
  readonly isDone: boolean;
}

const firstExpected = 1;
const mostBuffered = 50;
const longestWaitMs = 1500;

export function createJavaBuffer(): JavaBuffer {
  const buffered = new Map<number, JavaResponse>();
  const delivered: JavaResponse[] = [];
  let expected = firstExpected;
  let lastEmit = 0;
  let isDone = false;
  const sorted = () => [...buffered.keys()].sort((a, b) => a - b);
  const deliver = (response: JavaResponse) => {
    buffered.delete(response.sequence);
    delivered.push(response);
    expected = response.sequence + 1;
    return response.isComplete;
  };
  return {
    arrive(response, atMs) {
      if (isDone) return;
      let wasComplete = false;
      if (!buffered.has(response.sequence)) buffered.set(response.sequence, response);
      for (let next = buffered.get(expected); next; next = buffered.get(expected)) {
        wasComplete = deliver(next) || wasComplete;
        lastEmit = atMs;
      }
      const lowest = sorted()[0];
      if (lowest !== undefined && (buffered.size > mostBuffered || atMs - lastEmit > longestWaitMs)) {
        wasComplete = deliver(buffered.get(lowest) as JavaResponse) || wasComplete;
      }
      if (wasComplete) isDone = true;
    },
    delivered,
    get waiting() {
      return sorted();
    },
    get isDone() {
      return isDone;
    },
  };
}
