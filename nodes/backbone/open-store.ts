/** Opens the store of a backbone as its settings say. */
import { conversationPrefix } from '../../engine/conversation/conversation.ts';
import type { Store } from '../../engine/store/store.ts';
import { processClock } from '../shared/process.ts';
import type { BackboneSettings } from './open-backbone.ts';

/** @throws FOLKMOOT_BAD_SETTING, FOLKMOOT_STORE_FAILED. A server that does not answer yet is no error. */
export async function openStore(settings: BackboneSettings, house: string): Promise<Store> {
  if (settings.store === 'valkey') {
    const { createValkeyStore } = await import('../../engine/store/valkey.ts');
    return createValkeyStore({
      url: settings.storeUrl ?? '',
      ...serverOf(settings),
      house,
      sharedLogs: [conversationPrefix],
      clock: processClock,
    });
  }
  const { createEmbeddedStore } = await import('../../engine/store/embedded.ts');
  return createEmbeddedStore({ path: settings.storePath, clock: processClock });
}

function serverOf({ storeUser, storePassword, caFile, certFile, keyFile, verifyServer = true }: BackboneSettings) {
  return {
    ...(storeUser ? { user: storeUser } : {}),
    ...(storePassword ? { password: storePassword } : {}),
    ...(caFile ? { caFile } : {}),
    ...(certFile ? { certFile } : {}),
    ...(keyFile ? { keyFile } : {}),
    verifyServer,
  };
}
