/** The dialog's Test button: tries bus and store with the settings of the open dialog, and says in words how it went. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bus } from '../../engine/bus/bus.ts';
import { checkBus, type CheckResult } from '../../engine/bus/check-bus.ts';
import { systemClock } from '../../engine/clock.ts';
import { asError } from '../../engine/errors.ts';
import { newId } from '../../engine/ids.ts';
import { makeFolder } from '../../engine/make-folder.ts';
import { checkStore } from '../../engine/store/check-store.ts';
import type { BackboneSettings } from './open-backbone.ts';
import { openStore } from './open-store.ts';

export interface TestResult {
  readonly bus: CheckResult;
  readonly store: CheckResult;
}

/** People wait for it. */
const within = { clock: systemClock, timeoutMs: 6_000 };

/** Never rejects. Opens connections of its own, and closes them. */
export async function testConnections(settings: BackboneSettings): Promise<TestResult> {
  const [bus, store] = await Promise.all([tried(() => testBus(settings)), tried(() => testStore(settings))]);
  return { bus, store };
}

const tried = (test: () => Promise<CheckResult>): Promise<CheckResult> =>
  test().catch((error: unknown) => ({ isOk: false, text: asError(error).message }));

async function testBus(settings: BackboneSettings): Promise<CheckResult> {
  if (settings.bus === 'in-process') return { isOk: true, text: 'inside this Node-RED' };
  const bus = await openBus(settings);
  try {
    return await checkBus(bus, within);
  } finally {
    await bus.close();
  }
}

async function openBus(settings: BackboneSettings): Promise<Bus> {
  const name = `test-${newId()}`;
  if (settings.bus !== 'mqtt') {
    const { createValkeyBus } = await import('./open-valkey.ts');
    return createValkeyBus(settings, name);
  }
  const { createMqttBus } = await import('../../engine/bus/mqtt.ts');
  const { busUrl: url = '', busUser: user, busPassword: password, caFile, certFile, keyFile, verifyServer } = settings;
  return createMqttBus({
    url,
    ...(user ? { user } : {}),
    ...(password ? { password } : {}),
    ...(caFile ? { caFile } : {}),
    ...(certFile ? { certFile } : {}),
    ...(keyFile ? { keyFile } : {}),
    ...(verifyServer === undefined ? {} : { verifyServer }),
    connectTimeoutMs: within.timeoutMs,
  });
}

/** The file of a folder may be in use: whether it can be written shows with another one. */
async function testStore(settings: BackboneSettings): Promise<CheckResult> {
  if (settings.store === 'embedded') {
    if (settings.storePath === ':memory:') return { isOk: true, text: 'kept in memory until Node-RED ends' };
    const file = join(settings.storePath, `.test-${newId()}`);
    try {
      makeFolder(settings.storePath);
      await writeFile(file, '');
      await rm(file, { force: true });
      return { isOk: true, text: `the folder ${settings.storePath} can be written` };
    } catch (error) {
      const text = `the folder ${settings.storePath} can not be written (${String((error as { code?: unknown }).code)})`;
      return { isOk: false, text };
    }
  }
  const store = await openStore(settings, 'test');
  try {
    return await checkStore(store, within);
  } finally {
    await store.close();
  }
}
