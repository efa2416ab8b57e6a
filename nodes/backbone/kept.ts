/** A bus that is shared with others, with the outbox of its backbone behind it. */
import type { Bus, Outgoing } from '../../engine/bus/bus.ts';
import { withOutbox } from '../../engine/bus/kept-bus.ts';
import { createOutbox } from '../../engine/bus/outbox.ts';
import { createOutboxShelf } from '../../engine/bus/outbox-shelf.ts';
import { processClock } from '../shared/process.ts';
import { backboneFields } from './backbone.fields.ts';
import type { Backbone, BackboneSettings } from './open-backbone.ts';

export type BusParts = Pick<Backbone, 'processId' | 'house' | 'since' | 'store' | 'metrics' | 'report'>;

/** @param takes Which messages the outbox may keep; default all that ask for it. */
export function keptBus(
  bus: Bus,
  settings: BackboneSettings,
  { processId, house, store, metrics, report }: BusParts,
  takes?: (message: Outgoing) => boolean,
): Bus {
  const { outboxMessages, outboxHours } = backboneFields;
  const outbox = createOutbox({
    bus,
    clock: processClock,
    metrics,
    shelf: createOutboxShelf({ store, house, processId, report }),
    most: settings.outboxMessages ?? outboxMessages.default,
    ageMs: (settings.outboxHours ?? outboxHours.default) * 3_600_000,
    report,
  });
  return withOutbox(bus, outbox, metrics, takes);
}
