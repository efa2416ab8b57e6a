/**
 * What both buses over Valkey are made of: one connection that sends, a second one that listens, the queue to the first,
 * the bus's state, requests and replies.
 */
import type { Redis } from 'ioredis';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { asError, folkmootError } from '../errors.ts';
import { newId } from '../ids.ts';
import { limits } from '../limits.ts';
import { connectValkey, valkeyAddress } from '../valkey/connection.ts';
import type { ValkeyConnection, ValkeyServerAddress } from '../valkey/connection.ts';
import type { Bus, Outgoing } from './bus.ts';
import type { BusMetrics } from './metrics.ts';
import { createRequests } from './requests.ts';
import { createProblems, createState } from './subscribers.ts';
import type { Problems, StateOfBus } from './subscribers.ts';
import { ourTopics } from './topics.ts';
import { createValkeyOutbox } from './valkey-outbox.ts';

export interface ValkeyBusOptions extends ValkeyServerAddress {
  /** Names this process; default: one of its own for each bus. */
  readonly clientId?: string;
  readonly clock?: Clock;
  readonly metrics?: BusMetrics | undefined;
  /** Defaults: `limits.busQueue`, `.busPayloadBytes`. */
  readonly queue?: number;
  readonly payloadBytes?: number;
}

export interface ValkeyBaseParts {
  /** Throws for a message that can't be sent at all. */
  readonly check?: (topic: string, message: Outgoing) => void;
  /** What is to keep its order is sent off before anything is awaited. */
  readonly send: (client: Redis, topic: string, message: Outgoing) => Promise<void>;
  /** The connection that listens. */
  readonly second: {
    readonly connected: (client: Redis) => Promise<void>;
    /** Both are there: what has to stand before the bus is up. @param client The one that sends. */
    readonly standing?: (client: Redis) => Promise<void>;
    readonly bothUp: () => Promise<void>;
    readonly disconnected: () => void;
  };
}

export interface ValkeyBase {
  readonly clientId: string;
  /** The connection that sends; it may be down. */
  readonly client: Redis | undefined;
  readonly state: StateOfBus;
  readonly problems: Problems;
  /** Puts the port together. `patterns.close` may take its leave of the server while `client` still works. */
  bus(
    kind: Bus['kind'],
    patterns: { readonly subscribe: Bus['subscribe']; readonly close: (reason: Error) => Promise<void> | void },
  ): Bus;
}

/** Throws FOLKMOOT_BAD_SETTING for an address that is none. */
export function createValkeyBase(options: ValkeyBusOptions, parts: ValkeyBaseParts): ValkeyBase {
  const address = valkeyAddress(options.url);
  const problems = createProblems();
  const state = createState('connecting', problems);
  const clientId = options.clientId ?? newId();
  const clock = options.clock ?? systemClock;
  const most = options.queue ?? limits.busQueue;
  let sender: ValkeyConnection | undefined;
  const outbox = createValkeyOutbox({
    most,
    payloadBytes: options.payloadBytes ?? limits.busPayloadBytes,
    ...(parts.check ? { check: parts.check } : {}),
    send: (topic, message) => {
      if (!sender) return Promise.reject(new Error('There is no connection.'));
      return parts.send(sender.client, topic, message);
    },
  });
  const starting = connectBoth(options, parts.second, {
    state,
    problems,
    made: (first) => (sender = first),
    up: () => outbox.connected(),
    down: () => outbox.disconnected(),
  });

  const bus: ValkeyBase['bus'] = (kind, patterns) => {
    const { subscribe } = patterns;
    const { publish } = outbox;
    const requests = createRequests({ clock, answerTopic: ourTopics.answers(clientId), most, publish, subscribe });
    const close = async () => {
      const reason = folkmootError('FOLKMOOT_BUS_LOST', `The connection to ${address} was closed on purpose.`);
      state.set('closed');
      requests.close(reason);
      outbox.close(reason);
      await patterns.close(reason);
      problems.clear();
      for (const connection of await starting.catch(() => [])) connection.close();
    };
    let closing: Promise<void> | undefined;
    return {
      kind,
      get state() {
        return state.now;
      },
      onState: state.on,
      publish,
      subscribe,
      request: requests.request,
      onProblem: problems.add,
      close: () => (closing ??= close()),
    };
  };
  return {
    clientId,
    get client() {
      return sender?.client;
    },
    state,
    problems,
    bus,
  };
}

interface BothEvents {
  readonly state: StateOfBus;
  readonly problems: Problems;
  readonly made: (sender: ValkeyConnection) => void;
  readonly up: () => void;
  readonly down: () => void;
}

/** Up is what has both. */
function connectBoth(
  options: ValkeyBusOptions,
  second: ValkeyBaseParts['second'],
  { state, problems, made, up, down }: BothEvents,
): Promise<readonly [ValkeyConnection, ValkeyConnection]> {
  const isUp = { sender: false, second: false };
  const report = (error: unknown) => {
    if (state.now !== 'closed') problems.report(error);
  };
  const areUp = () => isUp.sender && isUp.second && state.now !== 'closed';
  const changed = async () => {
    const [first] = await starting;
    if (!areUp()) return;
    made(first);
    await second.standing?.(first.client);
    if (!areUp()) return;
    up();
    state.set('up');
    await second.bothUp();
  };
  const lost = (reason: string) => {
    down();
    state.set('down', reason);
  };
  const starting = Promise.all([
    connectValkey(options, {
      up: () => {
        isUp.sender = true;
        void changed().catch(report);
      },
      down: (reason) => {
        isUp.sender = false;
        lost(reason);
      },
    }),
    connectValkey(options, {
      up: () => {
        void starting
          .then(([, { client }]) => second.connected(client))
          .then(() => {
            isUp.second = true;
            return changed();
          })
          .catch(report);
      },
      down: (reason) => {
        isUp.second = false;
        second.disconnected();
        lost(reason);
      },
    }),
  ]);
  starting.catch((error: unknown) => {
    state.set('down', asError(error).message);
    report(error);
  });
  return starting;
}
