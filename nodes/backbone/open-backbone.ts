/** Opens bus and store as the settings say: here, and nowhere else among the nodes, adapters are chosen. */
import { hostname } from 'node:os';
import type { Bus } from '../../engine/bus/bus.ts';
import { withHandover } from '../../engine/bus/handover.ts';
import { createBusMetrics, type BusMetrics } from '../../engine/bus/metrics.ts';
import { folkmootError } from '../../engine/errors.ts';
import { houseNameFault } from '../../engine/house-name.ts';
import type { Store } from '../../engine/store/store.ts';
import { processClock } from '../shared/process.ts';
import { membershipOf } from './membership.ts';
import type { BusParts } from './kept.ts';
import { openMqttBus } from './open-mqtt.ts';
import { openStore } from './open-store.ts';
import { reportingOf } from './reporting.ts';
import { claimProcessName } from './process-id.ts';
import { reportOnce } from './report-once.ts';

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
  /** What went wrong and belongs to no message: the same words once a minute. */
  readonly report: (problem: unknown) => void;
  /** A thing of which there is one for each backbone, such as the reply desk; made on first use. */
  once<T>(key: string, make: () => T): T;
  /** Called before bus and store close. Gives what takes it back. */
  onClose(run: () => Promise<void> | void): () => void;
  close(): Promise<void>;
}

function houseOf({ house = '' }: BackboneSettings): string {
  const given = house.trim();
  const fault = houseNameFault(given);
  if (fault)
    throw folkmootError('FOLKMOOT_BAD_SETTING', `"House" is ${JSON.stringify(given.slice(0, 140))}, but ${fault}.`);
  return given || hostname();
}

/**
 * @param nodeId Of the config node; blank: the process's own.
 * @param log Gets what went wrong and belongs to no message.
 */
export async function openBackbone(
  settings: BackboneSettings,
  nodeId = '',
  log: (text: string) => void = () => undefined,
): Promise<Backbone> {
  const house = houseOf(settings);
  const store = await openStore(settings, house);
  const name = await claimProcessName(settings.storePath, nodeId);
  const metrics = createBusMetrics({ clock: processClock });
  const since = new Date(processClock.now()).toISOString();
  const report = reportOnce(log);
  let bus: Bus;
  try {
    const opened = await openBus(settings, { processId: name.id, house, since, store, metrics, report });
    bus = withHandover(opened, { clock: processClock, metrics });
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
    report,
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

async function openBus(settings: BackboneSettings, parts: BusParts): Promise<Bus> {
  if (settings.bus === 'mqtt' && settings.busUrl) return openMqttBus(settings, parts);
  if ((settings.bus === 'valkey-streams' || settings.bus === 'valkey-pubsub') && settings.busUrl) {
    const { openValkeyBus } = await import('./open-valkey.ts');
    return openValkeyBus(settings, parts);
  }
  const { createInProcessBus } = await import('../../engine/bus/in-process.ts');
  return createInProcessBus({ clock: processClock });
}
