/** The bus of a backbone over an MQTT broker: its connection, and the outbox behind it. */
import type { Bus } from '../../engine/bus/bus.ts';
import { withOutbox } from '../../engine/bus/kept-bus.ts';
import { createOutbox } from '../../engine/bus/outbox.ts';
import { createOutboxShelf } from '../../engine/bus/outbox-shelf.ts';
import { processClock } from '../shared/process.ts';
import { backboneFields } from './backbone.fields.ts';
import { willOf } from './membership.ts';
import type { Backbone, BackboneSettings } from './open-backbone.ts';
import { createPatternMemory } from './pattern-memory.ts';

export type BusParts = Pick<Backbone, 'processId' | 'house' | 'since' | 'store' | 'metrics' | 'report'>;

/** Throws FOLKMOOT_BAD_SETTING for an address that is none. */
export async function openMqttBus(settings: BackboneSettings, parts: BusParts): Promise<Bus> {
  const { processId, house, since, store, metrics, report } = parts;
  const { busUrl: url = '', busUser: user, busPassword: password, caFile, certFile, keyFile, verifyServer } = settings;
  const { createMqttBus } = await import('../../engine/bus/mqtt.ts');
  const bus = createMqttBus({
    url,
    clientId: `folkmoot-${processId}`,
    will: willOf({ process: processId, house, since }),
    ...(user ? { user } : {}),
    ...(password ? { password } : {}),
    ...(caFile ? { caFile } : {}),
    ...(certFile ? { certFile } : {}),
    ...(keyFile ? { keyFile } : {}),
    ...(verifyServer === undefined ? {} : { verifyServer }),
    patternMemory: createPatternMemory(store, house, processId),
    metrics,
    clock: processClock,
  });
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
  return withOutbox(bus, outbox, metrics);
}
