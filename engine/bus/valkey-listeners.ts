/** Who listens to which pattern of a Valkey bus in this process. */
import type { Handler, Pattern } from './subscribers.ts';

export interface Listener {
  readonly handle: Handler;
}

export interface ListenedPattern extends Pattern {
  readonly handlers: Set<Listener>;
}

export interface Listeners {
  readonly all: Iterable<ListenedPattern>;
  /** Also says whether it is the first one of its pattern. */
  add(
    pattern: string,
    handle: Handler,
  ): { readonly entry: ListenedPattern; readonly listener: Listener; readonly isFirst: boolean };
  /** `last`: nobody listens to the pattern any more. */
  remove(entry: ListenedPattern, listener: Listener): 'gone' | 'last' | 'left';
  clear(): void;
}

export function createListeners(): Listeners {
  const entries = new Map<string, ListenedPattern>();
  return {
    get all() {
      return entries.values();
    },
    add(pattern, handle) {
      const known = entries.get(pattern);
      const entry = known ?? { pattern, handlers: new Set<Listener>() };
      const listener = { handle };
      entry.handlers.add(listener);
      entries.set(pattern, entry);
      return { entry, listener, isFirst: !known };
    },
    remove(entry, listener) {
      if (!entry.handlers.delete(listener)) return 'gone';
      if (entry.handlers.size > 0) return 'left';
      if (entries.get(entry.pattern) === entry) entries.delete(entry.pattern);
      return 'last';
    },
    clear: () => entries.clear(),
  };
}
