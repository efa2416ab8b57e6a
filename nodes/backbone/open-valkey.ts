/** What of a backbone is on a Valkey server: its bus, and streams by name. */
import type { Bus } from '../../engine/bus/bus.ts';
import type { ValkeyBusOptions } from '../../engine/bus/valkey-base.ts';
import { folkmootError } from '../../engine/errors.ts';
import type { ValkeyServerAddress } from '../../engine/valkey/connection.ts';
import { createStreams, type Streams } from '../../engine/valkey/streams.ts';
import { processClock } from '../shared/process.ts';
import { keptBus, type BusParts } from './kept.ts';
import type { Backbone, BackboneSettings } from './open-backbone.ts';

function serverOf(settings: BackboneSettings, of: 'bus' | 'store'): ValkeyServerAddress {
  const { caFile, certFile, keyFile, verifyServer = true } = settings;
  const [url = '', user, password] =
    of === 'bus'
      ? [settings.busUrl, settings.busUser, settings.busPassword]
      : [settings.storeUrl, settings.storeUser, settings.storePassword];
  return {
    url,
    verifyServer,
    ...(user ? { user } : {}),
    ...(password ? { password } : {}),
    ...(caFile ? { caFile } : {}),
    ...(certFile ? { certFile } : {}),
    ...(keyFile ? { keyFile } : {}),
  };
}

/**
 * With its outbox; over channels that keeps only what has properties of ours, for other programs read the rest as it is.
 * Throws FOLKMOOT_BAD_SETTING for an address that is none.
 */
export async function openValkeyBus(settings: BackboneSettings, parts: BusParts): Promise<Bus> {
  const { processId: clientId, metrics, report } = parts;
  const bus = await createBus(settings, {
    ...serverOf(settings, 'bus'),
    clientId,
    clock: processClock,
    metrics,
  });
  bus.onProblem(report);
  if (bus.kind === 'valkey-streams') return keptBus(bus, settings, parts);
  const { hasOwnProperties } = await import('../../engine/bus/amica-frame.ts');
  return keptBus(bus, settings, parts, hasOwnProperties);
}

/** For a look at the server only: nothing is kept. */
export const createValkeyBus = (settings: BackboneSettings, clientId: string): Promise<Bus> =>
  createBus(settings, { ...serverOf(settings, 'bus'), clientId, clock: processClock });

async function createBus(settings: BackboneSettings, options: ValkeyBusOptions): Promise<Bus> {
  if (settings.bus === 'valkey-pubsub') {
    const { createValkeyPubsubBus } = await import('../../engine/bus/valkey-pubsub.ts');
    return createValkeyPubsubBus(options);
  }
  const { createValkeyStreamsBus } = await import('../../engine/bus/valkey-streams.ts');
  return createValkeyStreamsBus(options);
}

/** Streams on the server of the bus, else of the store. Throws FOLKMOOT_BAD_SETTING when neither is a Valkey server. */
export function streamsOf(backbone: Backbone): Streams {
  return backbone.once('streams', () => {
    const { settings } = backbone;
    const isOnBus = settings.bus === 'valkey-streams' || settings.bus === 'valkey-pubsub';
    if (!isOnBus && settings.store !== 'valkey') {
      throw folkmootError(
        'FOLKMOOT_BAD_SETTING',
        'A stream needs a Valkey server: give the connections one, for messages or as memory.',
      );
    }
    const streams = createStreams({
      server: serverOf(settings, isOnBus ? 'bus' : 'store'),
      clock: processClock,
      onProblem: (problem) => backbone.report(problem),
    });
    backbone.onClose(() => streams.close());
    return streams;
  });
}
