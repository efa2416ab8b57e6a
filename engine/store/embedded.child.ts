/**
 * A second process for `embedded.spec.ts`. `write N`: counts on from N until it is killed and prints each number that
 * the store has acknowledged. `add N`: adds one, N times, in competition with others.
 */
import { isFolkmootError } from '../errors.ts';
import { createEmbeddedStore } from './embedded.ts';

const [, , path = '', mode = '', number = '0'] = process.argv;
const store = createEmbeddedStore({ path });
const sum = 'folkmoot:{count}:sum';
const log = 'folkmoot:{count}:log';

/** One more: record and log change together. Gives undefined when somebody else was faster. */
async function addOne(): Promise<number | undefined> {
  const found = await store.get<number>(sum);
  const next = (found?.value ?? 0) + 1;
  try {
    await store.transaction([
      { kind: 'put', key: sum, value: next, expected: found?.revision ?? 'absent' },
      { kind: 'append', log, values: [next] },
    ]);
    return next;
  } catch (error) {
    if (isFolkmootError(error, 'FOLKMOOT_STORE_CONFLICT')) return undefined;
    throw error;
  }
}

if (mode === 'write') {
  for (;;) {
    const done = await addOne();
    await new Promise((resolve) => process.stdout.write(`${done ?? number}\n`, resolve));
  }
}
for (let left = Number(number); left > 0;) if ((await addOne()) !== undefined) left -= 1;
await store.close();
