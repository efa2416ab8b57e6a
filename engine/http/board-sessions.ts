/** Boards that the server remembers for clients that don't send theirs (P24). They end some time after their last use. */
import { folkmootError } from '../errors.ts';
import { newId } from '../ids.ts';
import { limits } from '../limits.ts';
import { keyPart, tagged } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import { readVersioned } from '../store/versioned.ts';
import type { ForeignPlan } from './bodies.ts';

export interface SessionState {
  readonly v: 1;
  /** By format. */
  readonly boards: Readonly<Record<string, unknown>>;
  /** Made, and not carried out yet. */
  readonly plan?: ForeignPlan;
}

export interface OpenSession {
  readonly id: string;
  readonly state: SessionState;
  /** Throws FOLKMOOT_STORE_CONFLICT when another request changed it meanwhile, FOLKMOOT_STORE_VALUE when it is too large. */
  save(state: SessionState): Promise<void>;
}

export interface BoardSessions {
  /** Throws FOLKMOOT_LIMIT when there are too many. */
  begin(user: string): Promise<OpenSession>;
  /** Undefined: it ended, it never was, or it is another user's. */
  open(id: string, user: string): Promise<OpenSession | undefined>;
}

export interface BoardSessionsOptions {
  readonly store: Store;
  readonly house: string;
  /** Who serves them. */
  readonly owner: string;
  readonly expiresInMs: number;
}

const empty: SessionState = { v: 1, boards: {} };

export function createBoardSessions({ store, house, owner, expiresInMs }: BoardSessionsOptions): BoardSessions {
  const listKey = (id = '') => tagged(house, 'http-session-list', keyPart(owner), keyPart(id));
  const keyOf = (id: string, user: string) =>
    tagged(house, 'http-sessions', keyPart(owner), keyPart(user), keyPart(id));

  const opened = (id: string, user: string, state: SessionState, revision: number | 'absent'): OpenSession => ({
    id,
    state,
    save: (next) =>
      store.transaction([
        { kind: 'put', key: keyOf(id, user), value: next, expected: revision, expiresInMs },
        { kind: 'put', key: listKey(id), value: { v: 1 }, expiresInMs },
      ]),
  });

  return {
    async begin(user) {
      // The list holds no boards, so that counting is cheap.
      if ((await store.scan(listKey(), { limit: limits.httpSessions })).length >= limits.httpSessions)
        throw folkmootError('FOLKMOOT_LIMIT', `There are ${limits.httpSessions} sessions already.`);
      return opened(newId(), user, empty, 'absent');
    },
    async open(id, user) {
      if (!/^[0-9a-f-]{36}$/.test(id)) return undefined;
      const record = await store.get<SessionState>(keyOf(id, user));
      return record && opened(id, user, readVersioned(record, 1), record.revision);
    },
  };
}
