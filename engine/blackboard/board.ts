/** The blackboard: ordered mutations and messages that a team shares. Copies in and out, never shared references. */
import { folkmootError } from '../errors.ts';
import { dataId } from '../ids.ts';
import { checkCall } from '../language/check-call.ts';
import type { ProposedCall } from '../language/check-call.ts';
import type { Language } from '../language/language.ts';
import { limits } from '../limits.ts';
import type { Mutation, Parameters } from '../moot.ts';

export interface BoardMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** A board as plain JSON: what is stored. */
export interface BoardState {
  readonly v: 1;
  /** Grows by one with each change. */
  readonly revision: number;
  /** Application data and everything generated, oldest first. */
  readonly mutations: readonly Mutation[];
  readonly messages: readonly BoardMessage[];
  /** How many at the end of each list are new: of the request that is being worked on. */
  readonly newMutations: number;
  readonly newMessages: number;
  /** Application data of a team that works with GraphQL, as text; absent on other boards. */
  readonly data?: string;
}

export type BoardChange =
  | { readonly kind: 'mutation'; readonly revision: number; readonly mutation: Mutation }
  | { readonly kind: 'message'; readonly revision: number; readonly message: BoardMessage }
  | { readonly kind: 'data' | 'cleared'; readonly revision: number };

export interface BoardView {
  /** Names of functions, categories already resolved; undefined: all. */
  readonly accepts?: readonly string[] | undefined;
  /** Only this run's and application data. */
  readonly run?: string | undefined;
  /** The newest so many. Default: all. */
  readonly most?: number | undefined;
}

export interface Board {
  /** Oldest first. */
  view(filter?: BoardView): Mutation[];
  /** Generated for the request that is being worked on, and before. */
  newly(): Mutation[];
  previously(): Mutation[];
  messages(): BoardMessage[];
  newMessages(): BoardMessage[];
  /** Adds in order; one whose id is there already is left out. Gives those that were added. */
  write(mutations: readonly Mutation[]): Mutation[];
  say(messages: readonly BoardMessage[]): void;
  /** A new request begins: what was new counts as previous (row 57). */
  beginRequest(): void;
  /** Takes the new mutations away: they were not wanted. Messages stay. */
  dropNew(): void;
  /** Replaces all mutations by application data; messages stay (row 58). */
  setData(calls: readonly ProposedCall[], language?: Language): Mutation[];
  /** The same for application data that is a text: nothing generated is left (row 58). */
  setText(data: string): void;
  readonly data: string | undefined;
  clear(): void;
  /**
   * Calls the listener with each change after it was made. Mutations are filtered by `accepts`.
   * Gives the end of it. A listener that throws is taken off. Throws FOLKMOOT_LIMIT over `limits.boardWatchers`.
   */
  watch(listener: (change: BoardChange) => void, accepts?: readonly string[]): () => void;
  /** How many fell off the old end because of the caps. */
  readonly dropped: number;
  readonly revision: number;
  state(): BoardState;
}

export const emptyBoard: BoardState = {
  v: 1,
  revision: 0,
  mutations: [],
  messages: [],
  newMutations: 0,
  newMessages: 0,
};

interface Watcher {
  readonly listener: (change: BoardChange) => void;
  readonly accepts: readonly string[] | undefined;
}

/** @param from A state that `state()` gave, or an import. */
export function createBoard(from: BoardState = emptyBoard): Board {
  let { mutations, messages, newMutations, newMessages, revision, data } = structuredClone(from) as {
    -readonly [Key in keyof BoardState]: BoardState[Key];
  };
  let dropped = 0;
  const watchers = new Set<Watcher>();

  const tell = (change: BoardChange) => {
    for (const watcher of [...watchers]) {
      if (change.kind === 'mutation' && watcher.accepts && !watcher.accepts.includes(change.mutation.function))
        continue;
      try {
        watcher.listener(structuredClone(change));
      } catch {
        watchers.delete(watcher);
      }
    }
  };
  /** The newest `most`, counting what falls off. */
  const capped = <T>(list: readonly T[], most: number): readonly T[] => {
    dropped += Math.max(0, list.length - most);
    return list.slice(-most);
  };

  return {
    view: ({ accepts, run, most = limits.boardMutations } = {}) =>
      structuredClone(
        mutations
          .filter((one) => !accepts || accepts.includes(one.function))
          .filter((one) => run === undefined || one.run === undefined || one.run === run)
          .slice(-most),
      ),
    newly: () => structuredClone(mutations.slice(mutations.length - newMutations)),
    previously: () => structuredClone(mutations.slice(0, mutations.length - newMutations)),
    messages: () => structuredClone([...messages]),
    newMessages: () => structuredClone(messages.slice(messages.length - newMessages)),
    write(given) {
      const known = new Set(mutations.map(({ id }) => id));
      const added = structuredClone(given.filter(({ id }) => !known.has(id) && known.add(id)));
      mutations = capped([...mutations, ...added], limits.boardMutations);
      newMutations = Math.min(newMutations + added.length, mutations.length);
      for (const mutation of added) tell({ kind: 'mutation', revision: (revision += 1), mutation });
      return structuredClone(added);
    },
    say(given) {
      const added = given.map(({ role, text }) => ({ role, text: text.slice(0, limits.requestChars) }));
      messages = capped([...messages, ...added], limits.boardMessages);
      newMessages = Math.min(newMessages + added.length, messages.length);
      for (const message of added) tell({ kind: 'message', revision: (revision += 1), message });
    },
    beginRequest() {
      newMutations = 0;
      newMessages = 0;
    },
    dropNew() {
      if (newMutations === 0) return;
      mutations = mutations.slice(0, mutations.length - newMutations);
      newMutations = 0;
      tell({ kind: 'data', revision: (revision += 1) });
    },
    setData(calls, language) {
      mutations = capped(dataOf(calls, language), limits.boardMutations);
      newMutations = 0;
      newMessages = 0;
      tell({ kind: 'data', revision: (revision += 1) });
      return structuredClone([...mutations]);
    },
    setText(text) {
      data = text;
      mutations = [];
      newMutations = 0;
      newMessages = 0;
      tell({ kind: 'data', revision: (revision += 1) });
    },
    clear() {
      mutations = [];
      messages = [];
      newMutations = 0;
      newMessages = 0;
      data = undefined;
      tell({ kind: 'cleared', revision: (revision += 1) });
    },
    watch(listener, accepts) {
      if (watchers.size >= limits.boardWatchers)
        throw folkmootError('FOLKMOOT_LIMIT', `The blackboard is watched ${watchers.size} times already.`);
      const watcher: Watcher = { listener, accepts };
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    get dropped() {
      return dropped;
    },
    get revision() {
      return revision;
    },
    get data() {
      return data;
    },
    state: () =>
      structuredClone({
        ...{ v: 1, revision, mutations, messages, newMutations, newMessages },
        ...(data === undefined ? {} : { data }),
      }),
  };
}

/**
 * Application data as mutations, without run, step and agent. It is taken as it comes, for other programs' data may hold
 * values that the language does not know; where it knows them they get their type.
 */
export const dataOf = (calls: readonly ProposedCall[], language?: Language): Mutation[] =>
  calls.map((call, index) => {
    const checked = language && checkCall(language, call);
    const spec = checked?.ok ? checked.spec : language?.find(call.function);
    const name = spec?.name ?? call.function;
    const parameters = checked?.ok ? checked.parameters : scalars(call.parameters);
    return { id: dataId(name, parameters, index), function: name, parameters, risk: spec?.risk ?? 'reversible' };
  });

/** Values that are no text, number or truth value are written as JSON. */
function scalars(values: Readonly<Record<string, unknown>>): Parameters {
  const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, isScalar(value) ? (value as string) : JSON.stringify(value)]),
  );
}
