/**
 * The bus port: publish, subscribe, request and reply. At least once, so consumers are idempotent; queues are bounded.
 * Topics and wildcards (`+`, `#`) are MQTT's. Every adapter passes `bus.contract.ts`.
 */

export interface BusMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
  /** MQTT 5 user properties; of a repeated name the last one. */
  readonly properties: Readonly<Record<string, string>>;
  readonly retained: boolean;
  /** The broker gives it again, because it doesn't know whether it arrived. */
  readonly redelivered?: boolean;
  readonly responseTopic?: string;
  readonly correlation?: string;
}

export interface Outgoing {
  readonly payload: string | Uint8Array;
  readonly properties?: Readonly<Record<string, string>>;
  readonly retain?: boolean;
  /** Default 1. */
  readonly qos?: 0 | 1 | 2;
  readonly responseTopic?: string;
  readonly correlation?: string;
  /**
   * Not kept while the connection is down: throws FOLKMOOT_BUS_LOST at once, and when it breaks before the broker has
   * acknowledged. For commands that must not come late. Such a message may have arrived all the same.
   */
  readonly onlyNow?: boolean;
  /**
   * Goes through the outbox, if the bus has one: repeated until it came back from the broker, over losses of it. `store`:
   * over a restart of this process too. `memory`: only then does `publish` resolve, for those who keep it themselves.
   * With `onlyNow` it is never repeated, and counted when it may be lost.
   */
  readonly keep?: 'store' | 'memory';
  /** Seconds after which the broker drops it. */
  readonly expirySeconds?: number;
}

/** `up` after connecting, `down` when lost (it tries again), `closed` for ever. */
export type BusState = 'connecting' | 'up' | 'down' | 'closed';

/** Reason of `up`: the server is a new one, or has lost its memory; others may not be back yet. */
export const connectedAnew = 'anew';

export interface SubscribeOptions {
  /**
   * All who listen to the same pattern under this name share the work: each message goes to one of them. What is
   * retained goes to nobody. Throws FOLKMOOT_BAD_SETTING where the bus can't, and for a name with `/`, `+` or `#`.
   */
  readonly share?: string;
}

/** Said at the end of a subscription: somebody comes in its place within `limits.deployLingerMs`, or nobody does. */
export interface Handover {
  /** What came before and was not worked on to its end, for who comes. */
  readonly again?: readonly BusMessage[];
  /** Gets what nobody came for, or what was too much to wait. Default: it is only counted. */
  readonly unheard?: (message: BusMessage, why: 'nobody' | 'too many') => void | Promise<void>;
}

export interface Subscription {
  /** @param handover What comes meanwhile waits; only a bus of `withHandover` can keep it. */
  close(handover?: Handover): Promise<void>;
}

export interface RequestOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** False for an answer that is none: it is passed over, and the wait goes on. Default: the first one counts. */
  readonly accept?: (answer: BusMessage) => boolean;
}

export interface Bus {
  readonly kind: 'in-process' | 'mqtt' | 'valkey-streams' | 'valkey-pubsub';
  readonly state: BusState;
  /**
   * Called on each change of state, at once with the present one; gives what ends it. The reason says why it is down, or
   * with `up` that the server has forgotten all that was before (`connectedAnew`).
   */
  onState(listener: (state: BusState, reason?: string) => void): () => void;
  /**
   * Resolves when the bus has taken responsibility (QoS 1: acknowledged). While the connection is down it waits in a
   * bounded queue. Throws FOLKMOOT_BUS_FULL, FOLKMOOT_BUS_REFUSED, FOLKMOOT_BUS_LOST (closed) or the signal's reason.
   */
  publish(topic: string, message: Outgoing, signal?: AbortSignal): Promise<void>;
  /**
   * Resolves when the subscription stands (SUBACK), or at once while the connection is down (made when it comes back).
   * A handler that throws or rejects is reported to `onProblem` and never stops the next message.
   */
  subscribe(
    pattern: string,
    handler: (message: BusMessage) => void | Promise<void>,
    options?: SubscribeOptions,
  ): Promise<Subscription>;
  /** Publishes with a response topic and correlation and waits for the answer. Throws FOLKMOOT_DEADLINE. */
  request(topic: string, message: Outgoing, options: RequestOptions): Promise<BusMessage>;
  onProblem(listener: (problem: Error) => void): () => void;
  close(): Promise<void>;
}
