/** Askers and agents on real wires that do nothing but ask and answer: for specs of asking itself. */
import assert from 'node:assert/strict';
import { fakeClock, type FakeClock } from '../../engine/clock.ts';
import type { AskAnswer } from '../../engine/moot.ts';
import { ask } from '../../nodes/shared/ask.ts';
import { defineNode } from '../../nodes/shared/define-node.ts';
import { text } from '../../nodes/shared/fields.ts';
import { askRegistry, useClock } from '../../nodes/shared/process.ts';
import type { Red } from '../../nodes/shared/red.ts';
import { reach } from '../../nodes/shared/walk.ts';
import { core, node, startServer, stopServer, unload, type FlowNode } from './red.ts';

/** What the agents were told. */
export const heard: { agent: string; payload: unknown; ordinary: boolean }[] = [];
/** Agents that don't answer until they are closed or the set is emptied. */
export const held = new Set<string>();
let RED: Red;

/** An agent that answers with its id and what it was told. */
function answerer(red: Red): void {
  RED = red;
  defineNode(red, {
    type: 'test-answerer',
    fields: { name: text() },
    start: (kit) => ({
      role: { kinds: ['step'], card: () => kit.id },
      input: async (message, context) => {
        const taken = askRegistry.take(message, kit.id);
        if (taken.kind === 'pass') return context.passOver();
        heard.push({ agent: kit.id, payload: message.payload, ordinary: taken.kind === 'ordinary' });
        if (taken.kind !== 'ask') return;
        if (held.has(kit.id))
          await new Promise((resolve) => context.signal.addEventListener('abort', resolve, { once: true }));
        if (context.signal.aborted) return;
        taken.ask.end({ status: 'answered', payload: `${kit.id}: ${String(message.payload)}`, mutations: [] });
        const { ask: _ask, ...moot } = message.moot ?? { v: 1 as const };
        context.send({ ...message, _msgid: red.util.generateId(), moot });
      },
      close: (removed) =>
        askRegistry.endTakenBy(
          kit.id,
          removed ? { status: 'cancelled', payload: null, mutations: [] } : { status: 'restarted' },
        ),
    }),
  });
}

function asker(red: Red): void {
  defineNode(red, { type: 'test-asker', fields: { name: text() }, start: () => ({}) });
}

let runs = 0;
/** Asks and waits; each with a run of its own. */
export function askOne(
  from: string,
  to: string,
  payload = 'hello',
  more: { signal?: AbortSignal; deadlineMs?: number } = {},
): Promise<AskAnswer> {
  const run = `run${(runs += 1)}`;
  return ask({
    RED,
    asker: node(from),
    port: 0,
    id: `ask:${run}/s1`,
    to,
    kind: 'step',
    payload,
    moot: { v: 1, run },
    deadlineMs: more.deadlineMs ?? 5000,
    signal: more.signal ?? new AbortController().signal,
  });
}

/** Whom the walk finds. */
export const found = (from: string): string[] => [...reach(RED, node(from), 0, 'step').keys()].sort();

/** Every agent that the walk finds must really answer. */
export async function findsTruly(from: string, expected: string[]): Promise<void> {
  assert.deepEqual(found(from), [...expected].sort());
  for (const to of expected) assert.equal((await askOne(from, to)).payload, `${to}: hello`);
}

export const modules = [
  asker,
  answerer,
  ...core('function', 'switch', 'change', 'delay', 'debug', 'link', 'catch', 'complete', 'junction'),
] as never[];
export const wire = (id: string, type: string, to: string[], more: object = {}): FlowNode => ({
  id,
  type,
  wires: [to],
  ...more,
});
export const agent = (id: string, more: object = {}) => wire(id, 'test-answerer', [], more);
/** A Function node. */
export const fn = (id: string, code: string, to: string[], more: object = {}): FlowNode => ({
  id,
  type: 'function',
  func: code,
  outputs: 1,
  timeout: 0,
  noerr: 0,
  initialize: '',
  finalize: '',
  libs: [],
  wires: [to],
  ...more,
});

/** Every spec begins with a clock that stands still and ends with no ask open. */
export function aCleanRegistry(): { clock(): FakeClock } {
  let clock: FakeClock;
  before(startServer);
  after(stopServer);
  beforeEach(() => {
    heard.length = 0;
    held.clear();
    clock = fakeClock();
    useClock(clock);
  });
  afterEach(async () => {
    await unload();
    useClock();
    assert.equal(askRegistry.pending, 0);
  });
  return { clock: () => clock };
}
