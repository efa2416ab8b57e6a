/** What nodes of one backbone took from streams and work on, and who reads which stream. */
import { createStreamDesk, type StreamDesk } from '../../engine/conversation/stream-desk.ts';
import type { Streams } from '../../engine/valkey/streams.ts';
import type { Backbone } from '../backbone/lease.ts';
import { streamsOf } from '../backbone/open-valkey.ts';
import { processClock, runFeed } from '../shared/process.ts';
import { provideEntries, type SharedEntries } from '../shared/shared-work.ts';

export interface StreamHall {
  readonly streams: Streams;
  readonly desk: StreamDesk;
  /** Whose an entry is that was taken. */
  readonly entries: SharedEntries;
  /** Clears a stream, once for each start of the connections. */
  clear(key: string): Promise<void>;
  /** Whoever reads the stream tells when that stands; a first line waits for all. */
  reads(key: string, ready: Promise<void>): void;
  /** Adds the first line of an empty stream when all readers in this process stand. */
  open(key: string, line: { readonly role: string; readonly text: string }): Promise<void>;
}

/** Throws FOLKMOOT_BAD_SETTING when the connections have no Valkey server. */
export function hallOf(backbone: Backbone): StreamHall {
  const streams = streamsOf(backbone);
  return backbone.once('stream hall', () => {
    const desk = createStreamDesk({ clock: processClock });
    const cleared = new Map<string, Promise<void>>();
    const readers = new Map<string, Promise<void>[]>();
    const entries = entriesOf(backbone, streams);
    const stops = [
      provideEntries(backbone.processId, entries),
      runFeed.onStarted(({ request }) => {
        if (request?.via === 'stream') desk.runStarted(request.id);
      }),
      runFeed.onEnded(({ request, outcome }) => {
        if (request?.via === 'stream') desk.runEnded(request.id, outcome);
      }),
    ];
    backbone.onClose(() => {
      for (const stop of stops) stop();
      desk.close();
    });
    return {
      streams,
      desk,
      entries,
      clear(key) {
        const clearing = cleared.get(key) ?? streams.clear(key);
        cleared.set(key, clearing);
        clearing.catch(() => cleared.delete(key));
        return clearing;
      },
      reads(key, ready) {
        readers.set(key, [...(readers.get(key) ?? []), ready]);
        const forget = () =>
          readers.set(
            key,
            (readers.get(key) ?? []).filter((other) => other !== ready),
          );
        ready.then(forget, forget);
      },
      async open(key, line) {
        // Nodes that are made in the same deploy have told by then.
        await new Promise((resolve) => setImmediate(resolve));
        await Promise.allSettled(readers.get(key) ?? []);
        await streams.addFirst(key, { ...line });
      },
    };
  });
}

function entriesOf({ metrics, report }: Backbone, { claims }: Streams): SharedEntries {
  return {
    ...claims,
    left({ stream }, why) {
      metrics.dropped(stream, 'left to another');
      report(`Work of the stream "${stream}" was not done here. ${why}`);
    },
  };
}
