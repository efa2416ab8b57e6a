/**
 * What a node of any kind sends after a deploy has closed it: a change node that was still working an expression out, a
 * request that was answered. Node-RED looks for the next node among those that are gone, and drops the message without a
 * word. Here it goes to the nodes in their place. Only while a deploy goes on and shortly after, and only for messages of
 * ours (`msg.moot`): all else stays as it is.
 */
import { isDeploying, onStopping } from './flows-ready.ts';
import type { Red, RedMessage, RedNode } from './red.ts';
import { receiveWhenReady } from './when-ready.ts';

/** Node-RED's "preRoute" hook: one message on one wire, before the node at its end is looked up. */
interface SendEvent {
  readonly msg: Partial<RedMessage>;
  readonly source: { readonly id: string; readonly node: RedNode };
  readonly destination: { readonly id: string };
}

interface Hooks {
  add(name: string, hook: (event: SendEvent) => boolean | undefined): void;
  remove(name: string): void;
}

const hookName = 'preRoute.folkmoot-late-sends';
/** What a closed node sends later than this is nobody's any more. Milliseconds. */
const longestMs = 30_000;

const watched = new WeakSet<Red['events']>();

/** Called by every node's module function. */
export function watchLateSends(RED: Red): void {
  const { hooks } = RED as Red & { readonly hooks?: Hooks };
  if (!hooks || watched.has(RED.events)) return;
  watched.add(RED.events);
  let timer: NodeJS.Timeout | undefined;
  onStopping(RED, ({ isDeploy }) => {
    if (!timer && isDeploy) hooks.add(hookName, (event) => (takeOver(RED, event) ? false : undefined));
    if (!timer && !isDeploy) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      hooks.remove(hookName);
      timer = undefined;
    }, longestMs).unref();
  });
}

/** Whether it goes another way than Node-RED's own. */
function takeOver(RED: Red, { msg, source, destination }: SendEvent): boolean {
  if (typeof msg.moot !== 'object') return false;
  const isSenderThere = RED.nodes.getNode(source.id) === source.node;
  const next = RED.nodes.getNode(destination.id);
  if (isSenderThere && next) return false;
  // Whoever it is sent on to may change it, and others get it too.
  const message = RED.util.cloneMessage(msg);
  if (isDeploying(RED)) receiveWhenReady(RED, destination.id, message);
  else if (!isSenderThere) setImmediate(() => RED.nodes.getNode(destination.id)?.receive(message));
  return isDeploying(RED) || !isSenderThere;
}
