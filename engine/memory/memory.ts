/**
 * What people wanted remembered, each person's apart. The store is the truth and is written first; the index is filled
 * from it again whenever something lacks there, so a crash in between loses nothing.
 */
import type { Clock } from '../clock.ts';
import { asError, folkmootError } from '../errors.ts';
import { hash } from '../ids.ts';
import { limits } from '../limits.ts';
import { tagged } from '../store/keys.ts';
import { scanAll } from '../store/scan-all.ts';
import type { Store } from '../store/store.ts';
import { readVersioned } from '../store/versioned.ts';
import type { Embed } from './embed.ts';
import type { IndexEntry, MemoryIndex } from './memory-index.ts';
import { isForAll, isForEverything, rank, type Recalled } from './recall.ts';
import { contentTerms, coverage, sameness } from './terms.ts';

export interface MemoryRecord {
  readonly v: 1;
  /** The same for the same words of the same person. */
  readonly id: string;
  readonly text: string;
  /** `note`, or what else a flow calls it. */
  readonly kind: string;
  /** Whose it is: nobody else gets it. */
  readonly subject: string;
  /** Where it came from: a conversation, a topic. */
  readonly source?: string;
  /** ISO 8601: when it was said first. */
  readonly time: string;
  /** Text that strangers wrote. */
  readonly tainted?: boolean;
}

export interface RememberOptions {
  readonly subject: string;
  readonly text: string;
  readonly kind?: string;
  readonly source?: string;
  readonly tainted?: boolean;
}

export interface RecallOptions {
  readonly subject: string;
  readonly query: string;
  /** Default 3, most 20. */
  readonly k?: number;
  /** 0 to 1. Default 0.3. */
  readonly threshold?: number;
}

export interface Forgotten {
  readonly forgotten: readonly MemoryRecord[];
  /** More than one may be meant: none of them was forgotten. */
  readonly candidates: readonly MemoryRecord[];
  /** All are meant: none was forgotten, and the person has to say yes first. */
  readonly asksBack?: true;
  /** A yes to nothing: it was not asked in this conversation, or too long ago. */
  readonly isLate?: true;
}

export interface ForgetOptions {
  readonly subject: string;
  readonly query: string;
  /** Where a yes counts. */
  readonly conversation?: string | undefined;
  /** The person said yes: what was asked about in this conversation, by the same person, is forgotten. */
  readonly confirmed?: boolean | undefined;
}

interface AskedBack {
  readonly v: 1;
  readonly ids: readonly string[];
}

/** Throws FOLKMOOT_BAD_INPUT for text without words or too long, FOLKMOOT_LIMIT when there is no room. */
export interface Memory {
  /** `isNew` is false when it was remembered already: then that is given. */
  remember(options: RememberOptions): Promise<{ readonly record: MemoryRecord; readonly isNew: boolean }>;
  recall(options: RecallOptions): Promise<readonly Recalled[]>;
  /** The one that is meant; when everything is, only after a yes within `limits.questionOpenMs`. Out of store and index. */
  forget(options: ForgetOptions): Promise<Forgotten>;
  close(): Promise<void>;
}

export interface MemoryOptions {
  readonly store: Store;
  /** Opened with the first use, and tried again with the next when it failed. */
  readonly openIndex: () => Promise<MemoryIndex> | MemoryIndex;
  readonly embed: Embed;
  readonly clock: Clock;
  /** Memories of one name are one memory, of others apart. */
  readonly space: string;
  /** The index failed; recalling goes on by words alone. */
  readonly onProblem?: (error: Error) => void;
}

/** Texts that are embedded at once. */
const batch = 100;

export function createMemory(options: MemoryOptions): Memory {
  const { store, embed, clock, space } = options;
  let index: Promise<MemoryIndex> | undefined;

  const prefix = (subject?: string): string =>
    tagged(`memory:${space}`, 'm', ...(subject === undefined ? [''] : [subjectKey(subject), '']));
  const keyOf = ({ subject, id }: Pick<MemoryRecord, 'subject' | 'id'>): string => `${prefix(subject)}${id}`;

  async function recordsOf(subject?: string): Promise<MemoryRecord[]> {
    const found: MemoryRecord[] = [];
    for await (const record of scanAll<MemoryRecord>(store, prefix(subject))) found.push(readVersioned(record, 1));
    return found;
  }

  async function entriesOf(records: readonly MemoryRecord[]): Promise<IndexEntry[]> {
    const vectors = await embed.embed(records.map(({ text }) => text));
    return records.map(({ id, subject }, at) => ({ id, subject: subjectKey(subject), vector: vectors[at] ?? [] }));
  }

  /** What a crash left out is added, what it left behind is taken away. */
  async function openedIndex(): Promise<MemoryIndex> {
    const opened = await options.openIndex();
    const records = await recordsOf();
    const kept = new Set(records.map(({ id }) => id));
    await opened.remove([...(await opened.ids())].filter((id) => !kept.has(id)));
    await fill(opened, records);
    return opened;
  }

  async function fill(opened: MemoryIndex, records: readonly MemoryRecord[]): Promise<void> {
    const known = await opened.ids();
    const lacking = records.filter(({ id }) => !known.has(id));
    for (let at = 0; at < lacking.length; at += batch) await opened.add(await entriesOf(lacking.slice(at, at + batch)));
  }

  /** Nothing that goes wrong with the index may cost a memory. */
  async function withIndex<T>(work: (opened: MemoryIndex) => Promise<T>): Promise<T | undefined> {
    try {
      index ??= openedIndex();
      return await work(await index);
    } catch (error) {
      const failed = index;
      index = undefined;
      void failed?.then((opened) => opened.close()).catch(() => undefined);
      options.onProblem?.(asError(error));
      return undefined;
    }
  }

  return {
    async remember({ subject, text, kind = 'note', source, tainted }) {
      const words = checked(text);
      const id = hash('memory', space, subject, sameness(words));
      const known = await store.get<MemoryRecord>(keyOf({ subject, id }));
      if (known) return { record: readVersioned(known, 1), isNew: false };
      checkRoom(await recordsOf(), subject);
      const record: MemoryRecord = {
        v: 1,
        id,
        text: words,
        kind,
        subject,
        ...(source ? { source } : {}),
        time: new Date(clock.now()).toISOString(),
        ...(tainted ? { tainted } : {}),
      };
      await store.put(keyOf(record), record);
      await withIndex(async (opened) => opened.add(await entriesOf([record])));
      return { record, isNew: true };
    },

    async recall({ subject, query, k = limits.memoryResultsUsual, threshold = limits.memoryThreshold }) {
      const records = await recordsOf(subject);
      const asked = query.slice(0, limits.memoryChars);
      if (records.length === 0) return [];
      const likeness = isForEverything(asked) ? new Map<string, number>() : await likenessTo(asked, subject, records);
      return rank({ query: asked, records, likeness, threshold, k: Math.min(k, limits.memoryResults) });
    },

    async forget({ subject, query, conversation = '', confirmed = false }) {
      const key = tagged(`memory:${space}`, 'all', hash(subject, conversation));
      const records = await recordsOf(subject);
      if (confirmed) {
        const ids = await askedBefore(key);
        if (!ids) return { forgotten: [], candidates: [], isLate: true };
        return { forgotten: await remove(records.filter(({ id }) => ids.includes(id))), candidates: [] };
      }
      const asked = checked(query);
      const meant = meantBy(asked, records);
      if (meant.length > 0 && isForAll(asked)) {
        const back: AskedBack = { v: 1, ids: meant.map(({ id }) => id) };
        await store.put(key, back, { expiresInMs: limits.questionOpenMs });
        return { forgotten: [], candidates: meant, asksBack: true };
      }
      if (meant.length !== 1) return { forgotten: [], candidates: meant };
      return { forgotten: await remove(meant), candidates: [] };
    },

    async close() {
      await (await index?.catch(() => undefined))?.close();
    },
  };

  /** What was asked about, once. */
  async function askedBefore(key: string): Promise<readonly string[] | undefined> {
    const found = await store.get<AskedBack>(key);
    return found && (await store.delete(key)) ? readVersioned(found, 1).ids : undefined;
  }

  async function remove(records: readonly MemoryRecord[]): Promise<readonly MemoryRecord[]> {
    for (const record of records) await store.delete(keyOf(record));
    await withIndex((opened) => opened.remove(records.map(({ id }) => id)));
    return records;
  }

  async function likenessTo(
    query: string,
    subject: string,
    records: readonly MemoryRecord[],
  ): Promise<ReadonlyMap<string, number>> {
    const hits = await withIndex(async (opened) => {
      await fill(opened, records);
      const [vector = []] = await embed.embed([query]);
      return opened.query({ vector, subject: subjectKey(subject), k: records.length });
    });
    return new Map((hits ?? []).map(({ id, score }) => [id, score]));
  }
}

/** Names of people may be long or hold any characters; keys may not. */
const subjectKey = (subject: string): string => hash('subject', subject);

function checked(text: string): string {
  const words = text.trim();
  if (!/[\p{L}\p{N}]/u.test(words.normalize('NFKD')))
    throw folkmootError('FOLKMOOT_BAD_INPUT', 'There are no words in it, so there is nothing to remember or to find.');
  if (words.length > limits.memoryChars)
    throw folkmootError(
      'FOLKMOOT_BAD_INPUT',
      `The text has ${words.length} characters; ${limits.memoryChars} are the most that one memory takes.`,
    );
  return words;
}

function checkRoom(records: readonly MemoryRecord[], subject: string): void {
  const own = records.filter((record) => record.subject === subject).length;
  if (own >= limits.memoriesPerPerson)
    throw folkmootError('FOLKMOOT_LIMIT', `This person has ${own} memories, which is the most; one has to go first.`);
  if (records.length >= limits.memoriesPerStore)
    throw folkmootError('FOLKMOOT_LIMIT', `The memory holds ${records.length} texts, which is the most.`);
}

/** The very words, else all in which everything that is asked about is said. */
function meantBy(query: string, records: readonly MemoryRecord[]): readonly MemoryRecord[] {
  if (isForAll(query)) return records;
  const same = records.filter(({ text }) => sameness(text) === sameness(query));
  const wanted = contentTerms(query);
  return same.length ? same : records.filter(({ text }) => coverage(wanted, text) === 1);
}
