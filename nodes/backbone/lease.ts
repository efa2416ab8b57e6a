/** How nodes come to their backbone: the config node's, or the process's own where none is chosen (contracts.md 1). */
import { join } from 'node:path';
import { folkmootError } from '../../engine/errors.ts';
import type { Red, RedNode } from '../shared/red.ts';
import { openBackbone, type Backbone, type BackboneSettings } from './open-backbone.ts';

export type { Backbone } from './open-backbone.ts';

/** A backbone in use by one node. */
export interface BackboneLease {
  /** Rejects with what kept it from opening. */
  readonly ready: Promise<Backbone>;
  /** At the node's close. The last one to leave closes bus and store. */
  release(): Promise<void>;
}

/** Opens with the first user, closes with the last; one that is still closing is awaited before it opens anew. */
export class BackboneSource {
  readonly #settings: BackboneSettings;
  #users = 0;
  #open: Promise<Backbone> | undefined;
  #closing: Promise<void> = Promise.resolve();

  constructor(settings: BackboneSettings) {
    this.#settings = settings;
  }

  lease(): BackboneLease {
    this.#users += 1;
    this.#open ??= this.#closing.then(() => openBackbone(this.#settings));
    // Whoever awaits `ready` gets the error; a node that never asks must not end the process.
    this.#open.catch(() => undefined);
    let released = false;
    return {
      ready: this.#open,
      release: async () => {
        if (released) return;
        released = true;
        this.#users -= 1;
        if (this.#users === 0) await this.close();
      },
    };
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (open) this.#closing = open.then((backbone) => backbone.close()).catch(() => undefined);
    await this.#closing;
  }
}

const chosen = new WeakMap<object, BackboneSource>();
const own = new Map<string, BackboneSource>();

/** The config node says what it gives. */
export function provideBackbone(node: RedNode, source: BackboneSource): void {
  chosen.set(node, source);
}

/**
 * The backbone that a node uses.
 * @param id Of the config node; blank: the process's own. Throws FOLKMOOT_MISSING_CONFIG.
 */
export function leaseBackbone(RED: Red, id: string): BackboneLease {
  if (!id) return ownBackbone(RED).lease();
  const node = RED.nodes.getNode(id);
  const source = node ? chosen.get(node) : undefined;
  if (!source) throw folkmootError('FOLKMOOT_MISSING_CONFIG', 'The chosen connections node is missing or disabled.');
  return source.lease();
}

/** Without a user folder (as in specs) everything is kept in memory. */
function ownBackbone(RED: Red): BackboneSource {
  const storePath = RED.settings.userDir ? join(RED.settings.userDir, 'folkmoot') : ':memory:';
  const source = own.get(storePath) ?? new BackboneSource({ bus: 'in-process', store: 'embedded', storePath });
  own.set(storePath, source);
  return source;
}
