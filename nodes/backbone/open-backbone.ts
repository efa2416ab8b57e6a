/** Opens bus and store as the settings say: here, and nowhere else among the nodes, adapters are chosen. */
import { hostname } from 'node:os';
import type { Bus } from '../../engine/bus/bus.ts';
import { createBusMetrics, type BusMetrics } from '../../engine/bus/metrics.ts';
import type { Store } from '../../engine/store/store.ts';
import { processClock } from '../shared/process.ts';
import { membershipOf, willOf } from './membership.ts';
import { createPatternMemory } from './pattern-memory.ts';
import { openStore } from './open-store.ts';
import { reportingOf } from './reporting.ts';
import { claimProcessName } from './process-id.ts';

export interface BackboneSettings {
  readonly bus: 'in-process' | 'mqtt' | 'valkey-streams' | 'valkey-pubsub';
  readonly busUrl?: string;
  readonly busUser?: string;
  readonly busPassword?: string;
  readonly store: 'embedded' | 'valkey';
  readonly storeUrl?: string;
  readonly storeUser?: string;
  readonly storePassword?: string;
  /** Folder, or `:memory:`. */
  readonly storePath: string;
  /** Default: the host's name. */
  readonly house?: string;
  /** Default: `backboneFields`' defaults, here and below. */
  readonly conversationDays?: number;
  /** Files in PEM form, for encrypted connections to bus and store. */
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly verifyServer?: boolean;
  readonly foreignResponders?: 'auto' | 'yes' | 'no';
  /** One a line; blank: everybody. */
  readonly allowedSenders?: string;
  readonly outboxMessages?: number;
  readonly outboxHours?: number;
}

export interface Backbone {
  readonly house: string;
  /** Names this process on a bus: the same after a restart, another one for each connections node. */
  readonly processId: string;
  /** ISO 8601: when it was opened. */
  readonly since: string;
  readonly settings: BackboneSettings;
  /** What its bus carried, dropped and refused. */
  readonly metrics: BusMetrics;
  readonly bus: Bus;
  readonly store: Store;
  /** A thing of which there is one for each backbone, such as the reply desk; made on first use. */
  once<T>(key: string, make: () => T): T;
  /** Called before bus and store close. Gives what takes it back. */
  onClose(run: () => Promise<void> | void): () => void;
  close(): Promise<void>;
}

/** @param nodeId Of the config node; blank: the process's own. */
export async function openBackbone(settings: BackboneSettings, nodeId = ''): Promise<Backbone> {
  const house = settings.house?.trim() ? settings.house.trim() : hostname();
  const store = await openStore(settings, house);
  const name = await claimProcessName(settings.storePath, nodeId);
  const metrics = createBusMetrics({ clock: processClock });
  const since = new Date(processClock.now()).toISOString();
  let bus: Bus;
  try {
    bus = await openBus(settings, { processId: name.id, house, since, store, metrics });
  } catch (error) {
    name.release();
    await store.close();
    throw error;
  }
  const things = new Map<string, unknown>();
  const closers = new Set<() => Promise<void> | void>();
  const backbone: Backbone = {
    house,
    processId: name.id,
    since,
    settings,
    metrics,
    bus,
    store,
    once<T>(key: string, make: () => T): T {
      if (!things.has(key)) things.set(key, make());
      return things.get(key) as T;
    },
    onClose(run) {
      closers.add(run);
      return () => void closers.delete(run);
    },
    async close() {
      await Promise.allSettled([...closers].map(async (run) => run()));
      await bus.close();
      name.release();
      await store.close();
    },
  };
  membershipOf(backbone);
  reportingOf(backbone);
  return backbone;
}

type BusParts = Pick<Backbone, 'processId' | 'house' | 'since' | 'store' | 'metrics'>;

async function openBus(
  settings: BackboneSettings,
  { processId, house, since, store, metrics }: BusParts,
): Promise<Bus> {
  if (settings.bus === 'mqtt' && settings.busUrl) {
    const { createMqttBus } = await import('../../engine/bus/mqtt.ts');
    return createMqttBus({
      url: settings.busUrl,
      clientId: `folkmoot-${processId}`,
      will: willOf({ process: processId, house, since }),
      ...(settings.busUser ? { user: settings.busUser } : {}),
      ...(settings.busPassword ? { password: settings.busPassword } : {}),
      patternMemory: createPatternMemory(store, house, processId),
      metrics,
      clock: processClock,
    });
  }
  const { createInProcessBus } = await import('../../engine/bus/in-process.ts');
  return createInProcessBus({ clock: processClock });
}
