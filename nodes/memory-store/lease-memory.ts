/** How nodes come to a memory: the store node's, or the process's own where none is chosen. */
import { join } from 'node:path';
import { folkmootError } from '../../engine/errors.ts';
import type { Memory } from '../../engine/memory/memory.ts';
import { leaseBackbone, type Backbone } from '../backbone/lease.ts';
import { processClock } from '../shared/process.ts';
import type { Red, RedNode } from '../shared/red.ts';

export interface MemoryStoreSettings {
  readonly space: string;
  readonly embedding: 'lexical';
  readonly folder: string;
  readonly backbone: string;
  readonly faults: readonly string[];
}

/** A memory in use by one node. */
export interface MemoryLease {
  /** Rejects with what kept its store from opening. */
  readonly ready: Promise<Memory>;
  release(): Promise<void>;
}

const chosen = new WeakMap<object, MemoryStoreSettings>();
const own: MemoryStoreSettings = { space: 'home', embedding: 'lexical', folder: '', backbone: '', faults: [] };

/** The config node says what it gives. */
export function provideMemoryStore(node: RedNode, settings: MemoryStoreSettings): void {
  chosen.set(node, settings);
}

/** @param id Of the config node; blank: the process's own. Throws FOLKMOOT_MISSING_CONFIG or FOLKMOOT_BAD_SETTING. */
export function leaseMemory(RED: Red, id: string): MemoryLease {
  const settings = settingsOf(RED, id);
  const lease = leaseBackbone(RED, settings.backbone);
  const ready = lease.ready.then((backbone) => memoryOn(RED, backbone, settings));
  // Whoever awaits it gets the error; a node that is never asked must not end the process.
  ready.catch(() => undefined);
  return { ready, release: () => lease.release() };
}

function settingsOf(RED: Red, id: string): MemoryStoreSettings {
  if (!id) return own;
  const node = RED.nodes.getNode(id);
  const settings = node ? chosen.get(node) : undefined;
  if (!settings) throw folkmootError('FOLKMOOT_MISSING_CONFIG', 'The chosen memory store is missing or disabled.');
  if (settings.faults.length)
    throw folkmootError(
      'FOLKMOOT_BAD_SETTING',
      `The settings of the memory store are not right: ${settings.faults.join('; ')}.`,
    );
  return settings;
}

/** One for each name and folder on these connections, whatever number of nodes use it; closed with them. */
function memoryOn(RED: Red, backbone: Backbone, settings: MemoryStoreSettings): Promise<Memory> {
  const folder = folderOf(RED, settings);
  return backbone.once(`memory:${settings.space}:${folder ?? ''}`, async () => {
    const [{ createMemory }, { createLexicalEmbed }, { openVectraIndex }] = await Promise.all([
      import('../../engine/memory/memory.ts'),
      import('../../engine/memory/lexical.ts'),
      import('../../engine/memory/vectra-index.ts'),
    ]);
    const embed = createLexicalEmbed();
    const { id: embedId, dimensions } = embed;
    let lastProblem = '';
    const memory = createMemory({
      store: backbone.store,
      openIndex: () => openVectraIndex({ embedId, dimensions, ...(folder === undefined ? {} : { folder }) }),
      embed,
      clock: processClock,
      space: settings.space,
      onProblem({ message }) {
        if (message !== lastProblem) RED.log.warn(`[folkmoot-memory-store] ${message}`);
        lastProblem = message;
      },
    });
    backbone.onClose(() => memory.close());
    return memory;
  });
}

/** Without a user folder (as in specs) the index is kept in memory. */
function folderOf(RED: Red, { folder, space }: MemoryStoreSettings): string | undefined {
  const { userDir } = RED.settings;
  const base = folder || (userDir ? join(userDir, 'folkmoot', 'memory') : undefined);
  return base === undefined ? undefined : join(base, space);
}
