/** What *my devices* of a language tell over the bus, as a toolbox; kept by the backbone over restarts. */
import type { Subscription } from '../../engine/bus/bus.ts';
import { folkmootError } from '../../engine/errors.ts';
import { createHouseState, type HouseState } from '../../engine/events/house-state.ts';
import { deviceReadings, takeDown, topicsOf } from '../../engine/tools/packs/device-readings.ts';
import { createPackToolbox } from '../../engine/tools/packs/pack-toolbox.ts';
import type { Toolbox, ToolboxState } from '../../engine/tools/toolbox.ts';
import { leaseBackbone, type Backbone } from '../backbone/lease.ts';
import { languageOf } from '../language/language.ts';
import type { NodeKit } from '../shared/define-node.ts';
import { flowsReady } from '../shared/flows-ready.ts';
import { processClock } from '../shared/process.ts';
import type { toolboxFields } from './toolbox.fields.ts';

/** By device and what it tells; apart from what sense nodes saw, which goes by topics. */
const stateOf = (backbone: Backbone, problem: (error: Error) => void): HouseState =>
  backbone.once('device-state', () => {
    const { store, house } = backbone;
    const state = createHouseState({ store, house: `${house}:devices`, clock: processClock, problem });
    backbone.onClose(() => state.close());
    return state;
  });

export function createDeviceToolbox(kit: NodeKit<typeof toolboxFields>): Toolbox {
  const { RED, config, signal } = kit;
  const lease = leaseBackbone(RED, config.backbone);
  const listeners = new Set<() => void>();
  const subscriptions: Subscription[] = [];
  let state: ToolboxState = 'starting';
  let pack = createPackToolbox([]);
  const become = (next: ToolboxState) => {
    if (state !== 'closed') state = next;
    for (const listener of listeners) listener();
  };

  async function listen(): Promise<void> {
    await flowsReady(RED, signal);
    const devices = languageOf(RED, config.language)?.devices ?? [];
    if (topicsOf(devices).length === 0) {
      const what =
        'In what the house can do there are no devices that tell something. "Add my devices" there finds them.';
      throw folkmootError('FOLKMOOT_BAD_SETTING', what);
    }
    const backbone = await lease.ready;
    const told = stateOf(backbone, ({ message }) => kit.warn(`What devices tell can't be kept: ${message}`));
    await told.ready;
    pack = createPackToolbox(deviceReadings(devices, { seen: () => told.all(), clock: processClock }));
    become('up');
    for (const topic of topicsOf(devices)) {
      const made = backbone.bus.subscribe(topic, ({ payload, retained }) =>
        takeDown(told, devices, { topic, payload: Buffer.from(payload).toString('utf8'), retained }),
      );
      subscriptions.push(await made);
      if (signal.aborted) return;
    }
  }

  const listening = listen().catch((error: unknown) => {
    if (!signal.aborted) kit.error(error);
    become('down');
  });
  return {
    get state() {
      return state;
    },
    tools: () => pack.tools(),
    call: (name, given, stop) => pack.call(name, given, stop),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      become('closed');
      await listening;
      await Promise.allSettled(subscriptions.map((one) => one.close()));
      await pack.close();
      await lease.release();
    },
  };
}
