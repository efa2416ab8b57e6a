import type { Store, StoreRecord } from './store.ts';

/** All records of a prefix, read page by page. */
export async function* scanAll<T>(store: Store, prefix: string, pageSize = 200): AsyncGenerator<StoreRecord<T>> {
  for (let after: string | undefined; ;) {
    const page = await store.scan<T>(prefix, { limit: pageSize, ...(after === undefined ? {} : { after }) });
    yield* page;
    after = page.at(-1)?.key;
    if (after === undefined || page.length < pageSize) return;
  }
}

/** The same as a list, for prefixes that hold few. */
export async function readAll<T>(store: Store, prefix: string): Promise<StoreRecord<T>[]> {
  const records: StoreRecord<T>[] = [];
  for await (const record of scanAll<T>(store, prefix)) records.push(record);
  return records;
}

/** Deletes all records of a prefix; all of them carry one hash tag. Not one transaction: again after a crash. */
export async function deleteAll(store: Store, prefix: string): Promise<void> {
  for (;;) {
    const page = await store.scan(prefix, { limit: 200 });
    if (!page.length) return;
    await store.transaction(page.map(({ key }) => ({ kind: 'delete', key })));
  }
}
