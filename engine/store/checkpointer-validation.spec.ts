/**
 * LangGraph's public suite for checkpointers, over each store. It is written for vitest: the few globals that it
 * uses are lent to it while it defines its tests, and taken back after the last one.
 */
import { validate, deltaChannelHistoryTests } from '@langchain/langgraph-checkpoint-validation';
import { expect } from 'expect';
import { startValkeyBench, type ValkeyBench } from '../../test/valkey-place.ts';
import { fakeClock, type Clock } from '../clock.ts';
import { createCheckpointer } from './checkpointer.ts';
import { createEmbeddedStore } from './embedded.ts';
import type { Store } from './store.ts';
import { createValkeyStore } from './valkey.ts';

type Body = (...args: unknown[]) => unknown;

/** vitest's `each`: `%s` is the value, `$name` is a property of it. */
const each = (define: (title: string, body: () => unknown) => unknown) => (cases: readonly unknown[]) => {
  return (title: string, body: Body) => {
    for (const value of cases) {
      const fields = value as Record<string, unknown>;
      const name = title
        .replaceAll('%s', String(value))
        .replace(/\$(\w+)/g, (_, field: string) => String(fields[field]));
      define(name, () => body(value));
    }
  };
};

const { describe: suite, it: test, before: first, after: last } = globalThis;

const lent: Record<string, unknown> = {
  describe: Object.assign((title: string, body: () => void) => suite(title, body), { each: each(suite) }),
  it: Object.assign((title: string, body: () => void) => test(title, body), { each: each(test) }),
  beforeAll: (body: () => void) => first(body),
  afterAll: (body: () => void) => last(body),
  expect: Object.assign(expect.bind(undefined), expect, { soft: expect }),
};

const globals = globalThis as Record<string, unknown>;
const own = Object.fromEntries(Object.keys(lent).map((name) => [name, globals[name]]));

function publicSuite(name: string, openStore: (clock: Clock) => Promise<Store>): void {
  describe(`the checkpointer over ${name} passes the public LangGraph suite`, () => {
    const stores = new Map<unknown, Store>();
    const initializer = {
      checkpointerName: `Folkmoot over ${name}`,
      createCheckpointer: async () => {
        const clock = fakeClock();
        const store = await openStore(clock);
        const saver = await createCheckpointer(store, { clock });
        stores.set(saver, store);
        return saver;
      },
      destroyCheckpointer: async (saver: unknown) => stores.get(saver)?.close(),
    };
    before(() => void Object.assign(globals, { expect: lent['expect'] }));
    after(() => void Object.assign(globals, own));
    Object.assign(globals, lent);
    validate(initializer);
    deltaChannelHistoryTests(initializer);
    Object.assign(globals, own);
  });
}

publicSuite('the embedded store', async (clock) => createEmbeddedStore({ path: ':memory:', clock }));

describe('on a Valkey server', () => {
  let bench: ValkeyBench;
  before(async () => void (bench = await startValkeyBench()));
  after(() => bench.stop());

  publicSuite('the store on Valkey', async (clock) => createValkeyStore(bench.options({ clock })));
});
