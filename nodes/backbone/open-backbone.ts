/** Opens bus and store as the settings say: here, and nowhere else among the nodes, adapters are chosen. */
import { hostname } from 'node:os';
import type { Bus } from '../../engine/bus/bus.ts';
import type { Store } from '../../engine/store/store.ts';
import { processClock } from '../shared/process.ts';

export interface BackboneSettings {
  readonly bus: 'in-process' | 'mqtt';
  readonly busUrl?: string;
  readonly busUser?: string;
  readonly busPassword?: string;
  readonly store: 'embedded';
  /** Folder, or `:memory:`. */
  readonly storePath: string;
  /** Default: the host's name. */
  readonly house?: string;
}

export interface Backbone {
  readonly house: string;
  readonly bus: Bus;
  readonly store: Store;
  /** A thing of which there is one for each backbone, such as the reply desk; made on first use. */
  once<T>(key: string, make: () => T): T;
  /** Called before bus and store close. Gives what takes it back. */
  onClose(run: () => Promise<void> | void): () => void;
  close(): Promise<void>;
}

export async function openBackbone(settings: BackboneSettings): Promise<Backbone> {
  const store = await openStore(settings);
  let bus: Bus;
  try {
    bus = await openBus(settings);
  } catch (error) {
    await store.close();
    throw error;
  }
  const things = new Map<string, unknown>();
  const closers = new Set<() => Promise<void> | void>();
  return {
    house: settings.house?.trim() ? settings.house.trim() : hostname(),
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
      await store.close();
    },
  };
}

async function openStore(settings: BackboneSettings): Promise<Store> {
  const { createEmbeddedStore } = await import('../../engine/store/embedded.ts');
  return createEmbeddedStore({ path: settings.storePath, clock: processClock });
}

async function openBus(settings: BackboneSettings): Promise<Bus> {
  if (settings.bus === 'mqtt' && settings.busUrl) {
    const { createMqttBus } = await import('../../engine/bus/mqtt.ts');
    return createMqttBus({
      url: settings.busUrl,
      ...(settings.busUser ? { user: settings.busUser } : {}),
      ...(settings.busPassword ? { password: settings.busPassword } : {}),
      clock: processClock,
    });
  }
  const { createInProcessBus } = await import('../../engine/bus/in-process.ts');
  return createInProcessBus({ clock: processClock });
}
