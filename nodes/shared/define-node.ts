/**
 * How every node of ours is made: settings parsed, errors caught and handed to Catch, `done` called once, work aborted
 * and awaited at close. A node only says what it does with a message.
 */
import { asError, folkmootError } from '../../engine/errors.ts';
import { limits } from '../../engine/limits.ts';
import { sleep } from '../../engine/clock.ts';
import { readConfig, type ConfigOf, type Fields } from './fields.ts';
import { areFlowsReady, isDeploying, watchFlows } from './flows-ready.ts';
import { receiveWhenReady, sendWhenReady } from './when-ready.ts';
import { watchLateSends } from './late-sends.ts';
import { sendsNow, watchSending } from './on-the-way.ts';
import { processClock } from './process.ts';
import type { Red, RedMessage, RedNode, Sent } from './red.ts';
import { statusOf, type NodeState } from './status.ts';
import { markOurs, type Role } from './walk.ts';

export interface NodeKit<F extends Fields> {
  readonly RED: Red;
  /** Node-RED's own node object. */
  readonly node: RedNode;
  readonly id: string;
  readonly config: ConfigOf<F>;
  readonly credentials: Readonly<Record<string, string>>;
  /** What is wrong with the saved settings, in words. With faults every input ends in FOLKMOOT_BAD_SETTING. */
  readonly faults: readonly string[];
  /** Aborts at close; what comes back after that is dropped. */
  readonly signal: AbortSignal;
  status(state: NodeState, text?: string): void;
  /**
   * For messages that begin here; answers to an input go through its own `send`. Silent after close. While a deploy makes
   * other nodes anew it leaves when they stand.
   */
  send(message: Sent): void;
  /** Once per change, not for each retry. */
  warn(text: string): void;
  error(error: unknown): void;
}

export interface InputContext {
  send(message: Sent): void;
  /** Aborts at close. */
  readonly signal: AbortSignal;
  /** Ends this input without `done`: the ask was meant for another (asks.md rule 5). */
  passOver(): void;
}

export interface NodeParts {
  /** What the node answers when it is asked over a wire. */
  readonly role?: Role;
  /** Rejecting ends in Catch, with the error's code. */
  readonly input?: (message: RedMessage, context: InputContext) => Promise<void> | void;
  /** After the abort. `removed`: deleted or disabled, not just restarted. */
  readonly close?: (removed: boolean) => Promise<void> | void;
}

export interface NodeDefinition<F extends Fields> {
  readonly type: string;
  readonly fields: F;
  readonly credentials?: Readonly<Record<string, { readonly type: 'text' | 'password' }>>;
  /** What it sends although a deploy closed it meanwhile leaves through the one that is made in its place. */
  readonly outlivesDeploys?: boolean;
  /** Must not throw for bad settings and do no slow work. */
  readonly start: (kit: NodeKit<F>) => NodeParts;
}

export function defineNode<F extends Fields>(RED: Red, definition: NodeDefinition<F>): void {
  watchFlows(RED);
  watchSending(RED);
  watchLateSends(RED);
  function construct(this: RedNode, saved: Record<string, unknown>): void {
    RED.nodes.createNode(this, saved);
    setUp(RED, this, saved, definition);
  }
  const options = definition.credentials ? { credentials: definition.credentials } : {};
  RED.nodes.registerType(definition.type, construct, options);
}

function setUp<F extends Fields>(
  RED: Red,
  node: RedNode,
  saved: Record<string, unknown>,
  definition: NodeDefinition<F>,
): void {
  const { config, faults } = readConfig(definition.fields, saved);
  const abort = new AbortController();
  const working = new Set<Promise<void>>();
  const sendBy = (send: (message: Sent) => void) => (message: Sent) => {
    if (!abort.signal.aborted && areFlowsReady(RED)) {
      sendsNow(RED, node, message);
      send(message);
    } else if (!abort.signal.aborted) sendWhenReady(RED, node.id, message);
    else if (definition.outlivesDeploys && isDeploying(RED)) sendWhenReady(RED, node.id, message);
  };
  const kit: NodeKit<F> = {
    RED,
    node,
    id: node.id,
    config,
    credentials: node.credentials ?? {},
    faults,
    signal: abort.signal,
    status: (state, text) => {
      if (!abort.signal.aborted) node.status(statusOf(definition.type, state, text));
    },
    send: sendBy((message) => node.send(message)),
    warn: (text) => node.warn(text),
    error: (error) => node.error(error),
  };
  const parts = startSafely(kit, definition);
  markOurs(node, parts.role);
  if (faults.length > 0) kit.status('failed');
  node.on('input', (message: RedMessage, send: (m: Sent) => void, done: (error?: Error) => void) => {
    // Nothing of it was begun, and half of what it needs is closed: the one in this one's place takes it.
    if (abort.signal.aborted && isDeploying(RED)) return receiveWhenReady(RED, node.id, message);
    const work = takeInput(kit, parts, message, sendBy(send), done).finally(() => working.delete(work));
    working.add(work);
  });
  node.on('close', (removed: boolean, done: () => void) => {
    abort.abort(new DOMException('the node was closed', 'AbortError'));
    // An input that waits for what never comes must not keep the node from giving back what it holds.
    const settled = delivered(RED)
      .then(() => atMost(limits.closeWaitMs / 2, Promise.allSettled([...working])))
      .then(() => parts.close?.(removed));
    void atMost(limits.closeWaitMs, settled)
      .catch((error: unknown) => node.error(error))
      .finally(done);
  });
}

/** Resolves with the work or when that time is up. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const waited = new AbortController();
  await Promise.race([work, sleep(processClock, ms, waited.signal)]).finally(() => waited.abort());
}

/** What was sent before a deploy arrives in the next turn: a node that listens no more would lose it. */
async function delivered(RED: Red): Promise<void> {
  if (isDeploying(RED)) await new Promise((resolve) => setImmediate(resolve));
}

function startSafely<F extends Fields>(kit: NodeKit<F>, definition: NodeDefinition<F>): NodeParts {
  try {
    return definition.start(kit);
  } catch (thrown) {
    const error = asError(thrown);
    kit.error(error);
    kit.status('failed');
    return {
      input: () => {
        throw error;
      },
    };
  }
}

async function takeInput<F extends Fields>(
  kit: NodeKit<F>,
  parts: NodeParts,
  message: RedMessage,
  send: (m: Sent) => void,
  done: (error?: Error) => void,
): Promise<void> {
  let passed = false;
  const context: InputContext = {
    signal: kit.signal,
    send,
    passOver: () => {
      passed = true;
    },
  };
  try {
    if (kit.faults.length > 0) {
      const name = kit.node.name ?? kit.node.type;
      throw folkmootError('FOLKMOOT_BAD_SETTING', `The settings of "${name}" are not right: ${kit.faults.join('; ')}.`);
    }
    await parts.input?.(message, context);
    if (!passed) done();
  } catch (thrown) {
    // Closing is no failure of the message.
    if (kit.signal.aborted) return done();
    kit.status('failed');
    done(asError(thrown));
  }
}
