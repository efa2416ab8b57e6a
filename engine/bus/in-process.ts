/** The bus of one process: no broker, nothing on a wire. Retained messages and wildcards behave as MQTT's do. */
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { folkmootError } from '../errors.ts';
import { newId } from '../ids.ts';
import { limits } from '../limits.ts';
import type { Bus, BusMessage, Outgoing, Subscription } from './bus.ts';
import { createRequests } from './requests.ts';
import { callHandler, checkShare, createProblems, createState } from './subscribers.ts';
import type { Handler } from './subscribers.ts';
import { checkPattern, checkSize, checkTopic, ourTopics, topicMatches } from './topics.ts';

export interface InProcessOptions {
  readonly clock?: Clock;
  /** Most deliveries that wait, and most retained messages. Default `limits.busQueue`. */
  readonly queue?: number;
  /** Largest payload in bytes. Default `limits.busPayloadBytes`. */
  readonly payloadBytes?: number;
}

interface Listener {
  readonly pattern: string;
  readonly handle: Handler;
  readonly share: string | undefined;
}

/** A bus within this process. Delivery is asynchronous, in order, and each handler gets its own copy. */
export function createInProcessBus(options: InProcessOptions = {}): Bus {
  const clock = options.clock ?? systemClock;
  const most = options.queue ?? limits.busQueue;
  const payloadBytes = options.payloadBytes ?? limits.busPayloadBytes;
  const problems = createProblems();
  const state = createState('up', problems);
  const listeners = new Set<Listener>();
  const retained = new Map<string, { readonly message: BusMessage; readonly until: number }>();
  let queue: { readonly listener: Listener; readonly message: BusMessage }[] = [];
  let draining = false;

  const drain = () => {
    draining = false;
    const due = queue;
    queue = [];
    for (const { listener, message } of due) {
      if (listeners.has(listener)) void callHandler(listener.handle, message, problems);
    }
  };
  const deliver = (listener: Listener, message: BusMessage) => {
    queue.push({ listener, message: { ...message, payload: Buffer.from(message.payload) } });
    if (draining) return;
    draining = true;
    setImmediate(drain);
  };
  const checkOpen = () => {
    if (state.now === 'closed') throw folkmootError('FOLKMOOT_BUS_LOST', 'The bus of this process is closed.');
  };
  const retain = (message: BusMessage, expirySeconds: number | undefined) => {
    if (message.payload.length === 0) return void retained.delete(message.topic);
    if (!retained.has(message.topic) && retained.size >= most) {
      throw folkmootError('FOLKMOOT_BUS_FULL', `${most} retained messages are kept already.`);
    }
    const until = expirySeconds === undefined ? Infinity : clock.now() + expirySeconds * 1000;
    retained.set(message.topic, { message: { ...message, retained: true }, until });
  };

  const oneOfEach = createTurns();

  const publish: Bus['publish'] = (topic, message, signal) =>
    attempt(() => {
      signal?.throwIfAborted();
      checkOpen();
      checkTopic(topic);
      const incoming = asIncoming(topic, message, payloadBytes);
      const receivers = oneOfEach([...listeners].filter((listener) => topicMatches(listener.pattern, topic)));
      if (queue.length + receivers.length > most) {
        throw folkmootError('FOLKMOOT_BUS_FULL', `${queue.length} messages wait to be delivered in this process.`);
      }
      if (message.retain) retain(incoming, message.expirySeconds);
      for (const listener of receivers) deliver(listener, incoming);
    });

  const subscribe: Bus['subscribe'] = (pattern, handle, { share } = {}) =>
    attempt((): Subscription => {
      checkOpen();
      checkPattern(pattern);
      if (share !== undefined) checkShare(share);
      const listener = { pattern, handle, share };
      listeners.add(listener);
      for (const [topic, { message, until }] of share === undefined ? [...retained] : []) {
        if (until <= clock.now()) retained.delete(topic);
        else if (topicMatches(pattern, topic)) deliver(listener, message);
      }
      return { close: () => attempt(() => void listeners.delete(listener)) };
    });

  const requests = createRequests({
    clock,
    answerTopic: ourTopics.answers(newId()),
    most,
    publish,
    subscribe,
  });
  return {
    kind: 'in-process',
    get state() {
      return state.now;
    },
    onState: state.on,
    publish,
    subscribe,
    request: requests.request,
    onProblem: problems.add,
    close: () =>
      attempt(() => {
        state.set('closed');
        requests.close(folkmootError('FOLKMOOT_BUS_LOST', 'The bus of this process was closed.'));
        listeners.clear();
        retained.clear();
        queue = [];
        problems.clear();
      }),
  };
}

/** Chooses all listeners that share nothing, and of each group of those who share one, in turn. */
function createTurns(): (found: readonly Listener[]) => Listener[] {
  let turns = 0;
  return (found) => {
    const alone = found.filter(({ share }) => share === undefined);
    if (alone.length === found.length) return alone;
    const sharing = Map.groupBy(
      found.filter(({ share }) => share !== undefined),
      ({ share, pattern }) => `${share}/${pattern}`,
    );
    turns += 1;
    return [...alone, ...[...sharing.values()].flatMap((members) => members[turns % members.length] ?? [])];
  };
}

/** A synchronous body as a promise: what it throws rejects. */
const attempt = async <T>(body: () => T): Promise<T> => body();

function asIncoming(topic: string, message: Outgoing, payloadBytes: number): BusMessage {
  checkSize(topic, message.payload, payloadBytes);
  // Buffer.from copies bytes, which Buffer's own slice does not.
  const payload = Buffer.from(message.payload as string);
  return {
    topic,
    payload,
    properties: { ...message.properties },
    retained: false,
    ...(message.responseTopic === undefined ? {} : { responseTopic: message.responseTopic }),
    ...(message.correlation === undefined ? {} : { correlation: message.correlation }),
  };
}
