/** Waits until the nodes that take what people ask hear it, so that a request right after the ready line is not lost. */
import type { EventEmitter } from 'node:events';

export interface Patience {
  /** For a flow in which nobody takes what people ask. */
  readonly ms: number;
  /** While some are about to listen: on a busy computer that takes its time. */
  readonly connectingMs: number;
}

/** @returns whether all that began to connect are heard of again; also true when none began. */
export type UntilListening = (patience: Patience) => Promise<boolean>;

interface NodeStatus {
  readonly id?: string;
  readonly status?: { readonly text?: string };
}

const prefix = 'folkmoot-bus-in.status.';
/** Both are shown only when the subscription stands; the second while the memory is away, when people are told so. */
const settled: readonly (string | undefined)[] = [`${prefix}connected`, `${prefix}disconnected`];

/** Watches the statuses that bus in nodes show. */
export function watchListening(events: EventEmitter): UntilListening {
  const connecting = new Set<string>();
  const { promise, resolve } = Promise.withResolvers<void>();
  const onStatus = ({ id = '', status }: NodeStatus) => {
    if (status?.text === `${prefix}connecting`) connecting.add(id);
    if (!settled.includes(status?.text)) return;
    connecting.delete(id);
    if (connecting.size === 0) resolve();
  };
  events.on('node-status', onStatus);
  const within = async (ms: number) => {
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([promise, new Promise<void>((giveUp) => (timer = setTimeout(giveUp, ms)))]);
    clearTimeout(timer);
  };
  return async ({ ms, connectingMs }) => {
    await within(ms);
    if (connecting.size > 0) await within(connectingMs - ms);
    events.off('node-status', onStatus);
    return connecting.size === 0;
  };
}
