/** What the dialog saved, as the settings that a backbone is opened with. */
import { join } from 'node:path';
import type { ConfigOf } from '../shared/fields.ts';
import type { backboneFields } from './backbone.fields.ts';
import type { BackboneSettings } from './open-backbone.ts';

export const credentialNames = ['busUser', 'busPassword', 'storeUser', 'storePassword'] as const;

/** @param userDir Of Node-RED; without one everything is kept in memory. */
export function settingsOf(
  config: ConfigOf<typeof backboneFields>,
  credentials: Readonly<Record<string, string>>,
  userDir: string | undefined,
): BackboneSettings {
  const { name: _name, settingsVersion: _version, ...settings } = config;
  return {
    ...settings,
    bus: config.busUrl ? config.bus : 'in-process',
    store: config.storeUrl ? config.store : 'embedded',
    storePath: config.storePath || (userDir ? join(userDir, 'folkmoot') : ':memory:'),
    ...Object.fromEntries(credentialNames.map((name) => [name, credentials[name] ?? ''])),
  };
}
