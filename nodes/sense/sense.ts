/** Turns what sensors send into events for a team. */
import { createSense, type SenseEvent } from '../../engine/events/sense.ts';
import { folkmootError } from '../../engine/errors.ts';
import type { Moot } from '../../engine/moot.ts';
import { requireChosen } from '../shared/chosen.ts';
import { defineNode, type NodeKit } from '../shared/define-node.ts';
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
      requireChosen(RED, config.backbone, 'connections');
      const rules = rulesOf(config.rules);
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
          evaluate: conditionsOf(RED, kit.node, rules),
          emit: (event) => kit.send([eventMessage(RED, event)]),
          drop: (reason, origin) => kit.send([null, { ...(origin as RedMessage), reason }]),
          problem: (error, rule, origin) => report(kit, error, rule, origin as RedMessage),
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
        close: () => engine.close(),
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
