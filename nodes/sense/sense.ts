/** Turns what sensors send into events for a team. */
import { createSenseMemory } from '../../engine/events/sense-memory.ts';
import { createSense, type SenseEvent } from '../../engine/events/sense.ts';
import { folkmootError } from '../../engine/errors.ts';
import type { Moot } from '../../engine/moot.ts';
import { leaseBackbone } from '../backbone/lease.ts';
import { defineNode, type NodeKit } from '../shared/define-node.ts';
import { houseStateOf } from '../shared/house-state.ts';
import { askRegistry, processClock } from '../shared/process.ts';
import type { Red, RedMessage } from '../shared/red.ts';
import { senseFields } from './sense.fields.ts';
import { conditionsOf, rulesOf, unitsOf } from './sense-rules.ts';

type SenseKit = NodeKit<typeof senseFields>;

export default function sense(RED: Red): void {
  defineNode(RED, {
    type: 'folkmoot-sense',
    fields: senseFields,
    start(kit) {
      const { config } = kit;
      const rules = rulesOf(config.rules);
      const evaluate = conditionsOf(RED, kit.node, rules);
      const lease = leaseBackbone(RED, config.backbone);
      const memory = lease.ready.then(({ store }) => createSenseMemory(store, kit.id, processClock));
      // Whoever awaits it gets the error; a sensor that is never heard must not end the process.
      memory.catch(() => undefined);
      const state = lease.ready.then((backbone) => houseStateOf(RED, backbone));
      state.catch(() => undefined);
      const engine = createSense(
        {
          rules,
          debounceMs: config.debounceSeconds * 1000,
          coalesceMs: config.coalesceSeconds * 1000,
          coolDownMs: config.coolDownSeconds * 1000,
          dropUnchanged: config.dropUnchanged,
          ignoreRetained: config.ignoreRetained,
          ignoreFirstMs: config.ignoreFirstSeconds * 1000,
          units: unitsOf(config.units),
        },
        {
          clock: processClock,
          evaluate,
          emit: (event) => kit.send([eventMessage(RED, event)]),
          drop: (reason, origin) => kit.send([null, { ...(origin as RedMessage), reason }]),
          problem: (error, rule, origin) => report(kit, error, rule, origin as RedMessage),
          saw: (readings, isRetained) => void state.then((one) => one.saw(readings, isRetained)).catch(() => undefined),
          memory: {
            ready: memory,
            lightOrigin,
            problem: (error) => kit.warn(`What waits here is not known after a restart: ${error.message}`),
          },
        },
      );
      return {
        async input(message, context) {
          if (askRegistry.take(message, kit.id).kind === 'pass') return context.passOver();
          await engine.take({
            topic: message.topic,
            payload: message.payload,
            retained: message['retain'] === true,
            id: idOf(message),
            ...(typeof message['unit'] === 'string' ? { unit: message['unit'] } : {}),
            origin: message,
          });
        },
        async close(removed) {
          await engine.close();
          if (removed) await memory.then((one) => one.clear()).catch(() => undefined);
          await lease.release();
        },
      };
    },
  });
}

/** The sender's own id, else Node-RED's: both stay the same when a broker or a second wire delivers twice. */
function idOf(message: RedMessage): string {
  const properties = message['userProperties'] as Record<string, unknown> | null | undefined;
  const id = typeof properties === 'object' ? properties?.['MESSAGE_ID'] : undefined;
  return typeof id === 'string' && id !== '' ? id : message._msgid;
}

/** What of a message comes back after a restart: where it came from, and how deep in a chain of runs it was. */
function lightOrigin(origin: unknown): Partial<RedMessage> {
  const { _msgid, topic, moot } = origin as RedMessage;
  return {
    _msgid,
    ...(typeof topic === 'string' ? { topic } : {}),
    ...(moot?.depth ? { moot: { v: 1, depth: moot.depth } } : {}),
  };
}

function eventMessage(RED: Red, { events, sentence, origin }: SenseEvent): Partial<RedMessage> {
  const { moot: brought, ...rest } = origin as RedMessage;
  const moot: Moot = { v: 1, ...(brought?.depth ? { depth: brought.depth } : {}), event: events };
  return RED.util.cloneMessage({ ...rest, payload: sentence ?? events, moot });
}

function report(kit: SenseKit, error: Error, rule: number, message: RedMessage): void {
  if (kit.signal.aborted) return;
  kit.status('failed');
  const what = `The condition of rule ${rule + 1} can't be worked out: ${error.message}.`;
  kit.node.error(folkmootError('FOLKMOOT_RULE_INVALID', what, error), kit.RED.util.cloneMessage(message));
}
