/** The slice of Node-RED's API that our nodes use, typed. `RED` is always a parameter, never a global. */
import type { EventEmitter } from 'node:events';
import type { Moot } from '../../engine/moot.ts';

export interface RedMessage {
  _msgid: string;
  payload?: unknown;
  topic?: unknown;
  parts?: unknown;
  moot?: Moot;
  error?: unknown;
  [property: string]: unknown;
}

/** What goes to `send`: one message, or one entry (message, list or null) for each output. */
export type Sent =
  Partial<RedMessage> | null | readonly (Partial<RedMessage> | readonly Partial<RedMessage>[] | null)[];

export interface RedStatus {
  readonly fill?: 'red' | 'green' | 'yellow' | 'blue' | 'grey';
  readonly shape?: 'dot' | 'ring';
  readonly text?: string;
}

export interface RedNode extends EventEmitter {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
  readonly z?: string;
  /** Present only on instances within a subflow. */
  readonly _alias?: string;
  /** Live: changes under the node when it is rewired. */
  readonly wires?: readonly (readonly string[])[];
  readonly credentials?: Readonly<Record<string, string>>;
  /** Config nodes: who uses them; errors and status reach Catch and Status nodes on the users' tabs. */
  users?: Record<string, RedNode>;
  send(message: Sent): void;
  receive(message: Partial<RedMessage>): void;
  status(status: RedStatus): void;
  log(text: string): void;
  warn(text: string): void;
  error(error: unknown, message?: RedMessage): void;
  debug(text: string): void;
}

export interface Red {
  readonly nodes: {
    createNode(node: RedNode, config: object): void;
    registerType(type: string, constructor: unknown, options?: object): void;
    getNode(id: string): (RedNode & Record<string, unknown>) | null | undefined;
    eachNode(visit: (config: Record<string, unknown>) => void): void;
  };
  readonly events: EventEmitter;
  readonly util: {
    cloneMessage<T>(message: T): T;
    generateId(): string;
    prepareJSONataExpression(expression: string, node: RedNode): unknown;
    evaluateJSONataExpression(
      expression: unknown,
      message: unknown,
      callback: (error: Error | null, value: unknown) => void,
    ): void;
  };
  readonly settings: { readonly userDir?: string; readonly [name: string]: unknown };
  readonly log: { info(text: string): void; warn(text: string): void; error(text: string): void };
  _(id: string, values?: Record<string, string>): string;
}
