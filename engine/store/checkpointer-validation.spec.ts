/**
 * LangGraph's public suite for checkpointers, on the embedded store. It is written for vitest: the few globals that it
 * uses are lent to it while it defines its tests, and taken back after the last one.
 */
import { validate, deltaChannelHistoryTests } from '@langchain/langgraph-checkpoint-validation';
import { expect } from 'expect';
import { fakeClock } from '../clock.ts';
import { createCheckpointer } from './checkpointer.ts';
import { createEmbeddedStore } from './embedded.ts';

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

describe('the checkpointer passes the public LangGraph suite', () => {
  const stores = new Map<unknown, { close(): Promise<void> }>();
  const initializer = {
    checkpointerName: 'Folkmoot over the embedded store',
    createCheckpointer: async () => {
      const clock = fakeClock();
      const store = createEmbeddedStore({ path: ':memory:', clock });
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
