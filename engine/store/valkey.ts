/**
 * The store over Valkey or Redis 7: for several processes and computers, and for conversations shared with agents of
 * others. Plain commands and small scripts; each call does all its work in one go on the server.
 */
import { folkmootError } from '../errors.ts';
import { newId } from '../ids.ts';
import { limits } from '../limits.ts';
import { batchSize, checkChanges, checkKey, checkValue } from './keys.ts';
import type { AppendChange, LogEntry, PutChange, Store, StoreChange } from './store.ts';
import { createValkeyCalls, evaluate, type ValkeyCalls, type ValkeyCallsOptions } from './valkey-calls.ts';
import { createValkeyKeys, type LogKeys, type ValkeyKeys } from './valkey-keys.ts';
import { recordOf, scanRecords } from './valkey-scan.ts';
import { changeScript, lastScript, rangeScript } from './valkey-scripts.ts';

export interface ValkeyStoreOptions extends ValkeyCallsOptions {
  /** Homes of different names never see each other's records and logs. */
  readonly house: string;
  /** Beginnings of the names of logs that are lists of others too: plain JSON rows under just that key. Default: none. */
  readonly sharedLogs?: readonly string[];
}

/** How long an answer is kept for a caller whose connection broke before it came. */
const answerKeptMs = 60_000;

/** A change as it is sent: of records and logs, or the end of a log. */
type Change = StoreChange | { readonly kind: 'drop'; readonly log: string };

/** Opens the store; the connection is made by itself. Throws FOLKMOOT_BAD_SETTING for an address that is none. */
export function createValkeyStore(options: ValkeyStoreOptions): Store {
  const calls = createValkeyCalls({ reconnectMaxMs: limits.storeReconnectMaxMs, ...options });
  const keys = createValkeyKeys(options.house, options.sharedLogs ?? []);
  const change = (changes: readonly Change[]) => makeChanges(calls, keys, changes);
  const one = async (made: Change) => Number((await change([made]))[0]);
  return {
    link: {
      get state() {
        return calls.state;
      },
      onState: calls.onState,
    },
    async get<T>(key: string) {
      checkKey(key);
      const text = await calls.run((client) => client.get(keys.record(key).key));
      return text === null ? undefined : recordOf<T>(key, text);
    },
    put: async (key, value, put) => one({ kind: 'put', key, value, ...put }),
    delete: async (key, expected) =>
      (await one({ kind: 'delete', key, ...(expected === undefined ? {} : { expected }) })) === 1,
    scan: (prefix, scan = {}) => {
      const limit = Math.max(0, Math.min(scan.limit ?? batchSize, batchSize));
      return scanRecords(calls, keys, { prefix, after: scan.after ?? '', limit });
    },
    append: async (log, values, append) => one({ kind: 'append', log, values, ...append }),
    async readLast<T>(log: string, count: number) {
      checkKey(log);
      const most = Math.min(Math.max(0, Math.floor(count)), limits.logEntries);
      return most ? readEntries<T>(calls, lastScript, keys.log(log), [most]) : [];
    },
    async readRange<T>(log: string, from: number, to: number) {
      checkKey(log);
      const last = Math.floor(Math.min(to, Number.MAX_SAFE_INTEGER));
      return readEntries<T>(calls, rangeScript, keys.log(log), [Math.ceil(Math.max(1, from)), last]);
    },
    async deleteLog(log) {
      checkKey(log);
      return (await one({ kind: 'drop', log })) === 1;
    },
    async transaction(changes) {
      checkChanges(changes);
      if (changes.length) await change(changes);
    },
    close: () => calls.close(),
  };
}

/** Sends changes of one owner; gives one number for each. */
async function makeChanges(calls: ValkeyCalls, keys: ValkeyKeys, changes: readonly Change[]): Promise<string[]> {
  const call = callOf(keys, changes);
  const [state, answer = ''] = await calls.run(
    (client) => evaluate(client, changeScript, call.keys, call.words) as Promise<readonly [string, string]>,
  );
  if (state === 'done') return answer.split(',');
  const failed = changes[Number(answer) - 1];
  const name = failed ? nameOf(failed) : '';
  if (state === 'type') {
    const what = `What lies under ${name} at ${calls.address} is no list: another program uses that key.`;
    throw folkmootError('FOLKMOOT_STORE_FAILED', what);
  }
  const expected = failed && 'expected' in failed ? failed.expected : undefined;
  const wanted = expected === 'absent' ? 'no record' : `revision ${expected ?? ''}`;
  throw folkmootError('FOLKMOOT_STORE_CONFLICT', `The record ${name} is not as expected (${wanted}).`);
}

const nameOf = (change: Change): string => ('key' in change ? change.key : change.log);

/** Keys and words of a call of `changeScript`. */
function callOf(keys: ValkeyKeys, changes: readonly Change[]): { readonly keys: string[]; readonly words: string[] } {
  const [first] = changes;
  for (const change of changes) checkKey(nameOf(change));
  const owner = keys.owner(first ? nameOf(first) : '');
  const did = first && !('key' in first) ? keys.log(first.log).did : owner.did;
  const named = new Map<string, number>([
    [did(newId()), 1],
    [owner.index, 2],
  ]);
  const number = (key: string): string => {
    if (!named.has(key)) named.set(key, named.size + 1);
    return String(named.get(key));
  };
  const words = [String(answerKeptMs), owner.records];
  for (const change of changes) {
    if (change.kind === 'append') pushAppend(words, change, keys.log(change.log), number);
    else if (change.kind === 'drop') {
      const { key, beside } = keys.log(change.log);
      words.push(...(beside ? ['unshare', number(key), number(beside)] : ['drop', number(key)]));
    } else {
      const { key, member } = keys.record(change.key);
      words.push(change.kind, number(key), member, String(change.expected ?? ''));
      if (change.kind === 'put') words.push(lifeOf(change), checkValue(change.key, change.value));
    }
  }
  return { keys: [...named.keys()], words };
}

function pushAppend(
  words: string[],
  change: AppendChange,
  { key, beside }: LogKeys,
  number: (key: string) => string,
): void {
  const texts = change.values.map((value) => checkValue(change.log, value));
  const cap = Math.max(1, Math.min(change.cap ?? limits.logEntries, limits.logEntries));
  words.push(...(beside ? ['share', number(key), number(beside)] : ['append', number(key)]));
  words.push(lifeOf(change), String(Math.floor(cap)), String(texts.length));
  for (const text of texts) words.push(text);
}

const lifeOf = ({ expiresInMs }: PutChange | AppendChange): string =>
  expiresInMs === undefined ? '' : String(Math.ceil(expiresInMs));

async function readEntries<T>(
  calls: ValkeyCalls,
  script: string,
  log: LogKeys,
  words: readonly number[],
): Promise<LogEntry<T>[]> {
  const names = log.beside === undefined ? [log.key] : [log.key, log.beside];
  const [first = '1', ...entries] = await calls.run(
    (client) => evaluate(client, script, names, words.map(String)) as Promise<string[]>,
  );
  if (log.beside !== undefined)
    return entries.map((text, n) => ({ index: Number(first) + n, value: foreignValue(text) as T }));
  return entries.map((text) => {
    const colon = text.indexOf(':');
    return { index: Number(text.slice(0, colon)), value: JSON.parse(text.slice(colon + 1)) as T };
  });
}

/** A row that others wrote; one that is no JSON is given as the text that it is, for its reader to pass over. */
function foreignValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
