/**
 * How nodes come to their backbone: the config node's, or the process's own where none is chosen (contracts.md 1). One
 * that is released by a deploy waits for those that come after it, so that no message is missed and no caller forgotten.
 */
import { join } from 'node:path';
import type { Timer } from '../../engine/clock.ts';
import { folkmootError } from '../../engine/errors.ts';
import { limits } from '../../engine/limits.ts';
import { valkeyAddress } from '../../engine/valkey/connection.ts';
import { afterDeploy, isDeploying } from '../shared/flows-ready.ts';
import { processClock } from '../shared/process.ts';
import type { Red, RedNode } from '../shared/red.ts';
import { openBackbone, type Backbone, type BackboneSettings } from './open-backbone.ts';

export type { Backbone } from './open-backbone.ts';

/** A backbone in use by one node. */
export interface BackboneLease {
  /** Rejects with what kept it from opening. */
  readonly ready: Promise<Backbone>;
  /** At the node's close. The last one to leave closes bus and store, except in a deploy: then they wait. */
  release(): Promise<void>;
}

/** Released by a deploy, and not taken over yet. */
interface Lingering {
  /** Of its settings. */
  readonly key: string;
  /** Of the config node; blank: the process's own. */
  readonly id: string;
  readonly open: Promise<Backbone>;
  /** It is taken over, or closed. */
  end(): void;
}

const lingering = new Set<Lingering>();

const closeOpened = (open: Promise<Backbone>): Promise<void> =>
  open.then((backbone) => backbone.close()).catch(() => undefined);

/** Opens with the first user, closes with the last; one that is still closing is awaited before it opens anew. */
export class BackboneSource {
  readonly #RED: Red;
  readonly #id: string;
  readonly #settings: BackboneSettings;
  readonly #key: string;
  #users = 0;
  #open: Promise<Backbone> | undefined;
  #closing: Promise<void> = Promise.resolve();

  /** @param id Of the config node; blank: the process's own. */
  constructor(RED: Red, id: string, settings: BackboneSettings) {
    this.#RED = RED;
    this.#id = id;
    this.#settings = settings;
    this.#key = JSON.stringify(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  lease(): BackboneLease {
    this.#users += 1;
    this.#open ??=
      this.#takeOver() ??
      this.#closing.then(async () => {
        const log = (text: string) => this.#RED.log.warn(`[folkmoot] ${text}`);
        const backbone = await openBackbone(this.#settings, this.#id, log);
        tellStore(this.#RED, backbone);
        return backbone;
      });
    // Whoever awaits `ready` gets the error; a node that never asks must not end the process.
    this.#open.catch(() => undefined);
    let released = false;
    return {
      ready: this.#open,
      release: async () => {
        if (released) return;
        released = true;
        this.#users -= 1;
        if (this.#users === 0) await this.#leave();
      },
    };
  }

  /** At the config node's close. In a deploy its users leave by themselves. */
  async close(): Promise<void> {
    if (!isDeploying(this.#RED)) await this.#end();
  }

  async #leave(): Promise<void> {
    const open = this.#open;
    // What could not be opened is tried anew.
    const isOpened = await open?.then(
      () => true,
      () => false,
    );
    if (this.#users > 0 || open !== this.#open) return;
    if (!open || !isOpened || !isDeploying(this.#RED)) return this.#end();
    this.#open = undefined;
    this.#linger(open);
  }

  async #end(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (open) this.#closing = closeOpened(open);
    await this.#closing;
  }

  /** Whoever is made anew has asked for it when all nodes stand. */
  #linger(open: Promise<Backbone>): void {
    const forget = afterDeploy(this.#RED, () => close());
    const timer: Timer = processClock.setTimer(() => close(), limits.deployLingerMs);
    const entry: Lingering = {
      key: this.#key,
      id: this.#id,
      open,
      end: () => {
        forget();
        processClock.clearTimer(timer);
        lingering.delete(entry);
      },
    };
    const close = () => {
      entry.end();
      this.#closing = closeOpened(open);
    };
    lingering.add(entry);
  }

  /** The one that this config node had, else another one of the same settings. */
  #takeOver(): Promise<Backbone> | undefined {
    const same = [...lingering].filter(({ key }) => key === this.#key);
    const found = same.find(({ id }) => id === this.#id) ?? same[0];
    found?.end();
    return found?.open;
  }
}

/** Whoever runs Node-RED hears whether the memory can be used, without a look of its own. */
function tellStore({ events }: Red, { store, settings }: Backbone): void {
  store.link?.onState((state, reason) => {
    const address = valkeyAddress(settings.storeUrl ?? '');
    events.emit('folkmoot:store', { address, state, ...(reason ? { reason } : {}) });
  });
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
  const source = own.get(storePath) ?? new BackboneSource(RED, '', { bus: 'in-process', store: 'embedded', storePath });
  own.set(storePath, source);
  return source;
}
