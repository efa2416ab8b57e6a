/**
 * An agent by flag (contracts.md 1): one that no asks output leads to gets what its flags name from the connections, as
 * messages to its input, and its result is the reply. Looked at anew after each deploy, for wires may have come or gone.
 */
import type { AmicaRequest } from '../../engine/bus/amica.ts';
import { checkedEventKinds, hearSystemEvents, type SystemEvent } from '../../engine/events/system-events.ts';
import { isAmicaRequest } from '../../engine/moot.ts';
import type { Backbone, BackboneLease } from '../backbone/lease.ts';
import { doorOf } from '../bus-in/door.ts';
import { leadsToReply } from '../shared/next-nodes.ts';
import { refusePaused } from '../bus-in/paused.ts';
import { requestMessage } from '../bus-in/requests.ts';
import { areFlowsReady, isDeploying, onReady } from '../shared/flows-ready.ts';
import { receiveWhenReady } from '../shared/when-ready.ts';
import { processClock, runFeed, type RunEnded } from '../shared/process.ts';
import { isAsked } from '../shared/walk.ts';
import type { AgentRegistration } from './agent-registration.ts';
import type { AgentKit } from './agent.ts';

export interface Listening {
  /** What it was asked stays open for the answers of what goes on, if it is only made anew by a deploy. */
  close(): Promise<void>;
}

const resultPort = 0;

/** Throws FOLKMOOT_BAD_SETTING for an unknown kind of event. */
export function createListening(kit: AgentKit, lease: BackboneLease, registration: AgentRegistration): Listening {
  const { RED, config } = kit;
  const kinds = checkedEventKinds(config.listensToEvents);
  if (!config.listensToRequests && kinds.length === 0) return { close: () => Promise.resolve() };
  let heard: Promise<Stop> | undefined;
  let wasByWire = false;

  const look = () => {
    if (kit.signal.aborted || !areFlowsReady(RED) || registration.refusal()) return;
    const byWire = isAsked(RED, kit.id);
    if (byWire && !wasByWire) kit.warn('It is asked over a wire, so it doesn’t listen by itself.');
    wasByWire = byWire;
    if (byWire) void stop(false);
    else heard ??= lease.ready.then((backbone) => listen(kit, backbone, kinds));
    heard?.catch((error: unknown) => {
      heard = undefined;
      if (kit.signal.aborted) return;
      kit.status('failed');
      kit.error(error);
    });
  };
  const stop = async (returns: boolean) => {
    const standing = await heard?.catch(() => undefined);
    heard = undefined;
    await standing?.(returns);
  };
  const forget = onReady(RED, look);
  // Who has its name already is known only then.
  lease.ready.then(look).catch(() => undefined);
  return {
    async close() {
      forget();
      await stop(isDeploying(RED));
    },
  };
}

/** `returns`: it is only made anew by a deploy. */
type Stop = (returns: boolean) => Promise<void>;

/** Subscribes what the flags name and nothing else (row 24). */
async function listen(kit: AgentKit, backbone: Backbone, kinds: ReturnType<typeof checkedEventKinds>): Promise<Stop> {
  const closers: Stop[] = [];
  const stop: Stop = async (returns) => {
    for (const close of closers.splice(0)) await close(returns);
  };
  try {
    if (kit.config.listensToRequests) closers.push(await takeRequests(kit, backbone));
    if (kinds.length > 0) {
      const { bus } = backbone;
      const hear = (event: SystemEvent) => deliver(kit, event);
      const report = (problem: Error) => kit.warn(problem.message);
      const subscription = await hearSystemEvents({ bus, clock: processClock, kinds, hear, report });
      closers.push((returns) => subscription.close(returns ? {} : undefined));
    }
    return stop;
  } catch (error) {
    await stop(false);
    throw error;
  }
}

/** What happened before it listened is over. */
function deliver({ RED, node, id, signal }: AgentKit, { record, sentence, topic, isRetained }: SystemEvent): void {
  if (isRetained) return;
  const message = { _msgid: RED.util.generateId(), payload: sentence, topic, moot: { v: 1 as const, event: [record] } };
  if (!signal.aborted) node.receive(message);
  else if (isDeploying(RED)) receiveWhenReady(RED, id, message);
}

async function takeRequests(kit: AgentKit, backbone: Backbone): Promise<Stop> {
  const door = doorOf(kit.RED, backbone);
  const giveWay = () =>
    kit.warn('Another node takes what people ask over these connections, so this agent gets none of it.');
  const taken = await door.take({
    owner: kit.id,
    deadlineMs: kit.config.deadlineSeconds * 1000,
    accept: (request: AmicaRequest) => {
      if (!refusePaused(backbone, door, request)) kit.node.receive(requestMessage(kit.RED, backbone, request));
    },
    givesWay: true,
    onGivenWay: giveWay,
  });
  if (!taken.isFirst) giveWay();
  const forget = runFeed.onEnded((ended) => void reply(kit, backbone, ended));
  return async (returns) => {
    forget();
    await taken.leave({ returns });
  };
}

/** Its result is the reply; where that goes on to a bus out node, what comes out there is. */
async function reply(
  kit: AgentKit,
  backbone: Backbone,
  { owner, request, conversation, result }: RunEnded,
): Promise<void> {
  if (owner !== kit.id || !isAmicaRequest(request) || !result || leadsToReply(kit.RED, kit.node, resultPort)) return;
  const { desk, wasAnswered } = doorOf(kit.RED, backbone);
  const send = () => desk.finish(request.id, result.payload);
  try {
    if ((await send()) !== 'unknown' || !conversation || (await wasAnswered(request.id))) return;
    // Asked before the last start: whoever waits still gets the answer of the run that went on.
    const { user } = result.request;
    const expected = { id: request.id, conversation, ...(user ? { user } : {}) };
    if (desk.expect(expected, { deadlineMs: kit.config.deadlineSeconds * 1000, owner: kit.id })) await send();
  } catch (error) {
    if (!kit.signal.aborted) kit.error(error);
  }
}
