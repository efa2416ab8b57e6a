/** The bus of a backbone over an MQTT broker: its connection, and the outbox behind it. */
import type { Bus } from '../../engine/bus/bus.ts';
import { processClock } from '../shared/process.ts';
import { keptBus, type BusParts } from './kept.ts';
import { willOf } from './membership.ts';
import type { BackboneSettings } from './open-backbone.ts';
import { createPatternMemory } from './pattern-memory.ts';

/** Throws FOLKMOOT_BAD_SETTING for an address that is none. */
export async function openMqttBus(settings: BackboneSettings, parts: BusParts): Promise<Bus> {
  const { processId, house, since, store, metrics } = parts;
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
  return keptBus(bus, settings, parts);
}
