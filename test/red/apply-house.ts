/** A house whose commands go to a list: for specs of apply. */
import { createApply } from '../../engine/apply/apply.ts';
import type { Effects, KnownEffect } from '../../engine/apply/effects.ts';
import type { Report } from '../../engine/apply/report.ts';
import { checkedRows } from '../../engine/apply/rows.ts';
import { fakeClock } from '../../engine/clock.ts';
import { createLanguage } from '../../engine/language/language.ts';
import type { Moot, Mutation, Plan } from '../../engine/moot.ts';
import { createEmbeddedStore } from '../../engine/store/embedded.ts';
import type { Store } from '../../engine/store/store.ts';

const base = { description: 'x', category: 'home', risk: 'reversible', effect: true, repeatable: true } as const;
const room = { name: 'room', type: 'string', required: true, allowedValues: ['kitchen', 'hall'] } as const;
export const language = createLanguage([
  {
    ...base,
    name: 'SetLight',
    category: 'lights',
    parameters: [room, { name: 'brightness', type: 'integer', required: true, minimum: 0, maximum: 100, unit: '%' }],
    sentence: '{room} light at {brightness}',
  },
  { ...base, name: 'TakeWaste', repeatable: false, parameters: [], sentence: 'waste taken away' },
  { ...base, name: 'OpenDoor', risk: 'critical', parameters: [], sentence: 'door open' },
  { ...base, name: 'ProduceCutGrass', effect: false, parameters: [], sentence: 'cut grass' },
]);

export const light = (id: string, name = 'kitchen', brightness: unknown = 40): Mutation => ({
  id,
  run: 'r1',
  step: 's1',
  function: 'SetLight',
  parameters: { room: name, brightness } as Mutation['parameters'],
  risk: 'reversible',
});
export const call = (id: string, name: string): Mutation => ({
  id,
  run: 'r1',
  step: 's1',
  function: name,
  parameters: {},
  risk: 'read',
});

/** A ledger in memory that survives "crashes" of these specs. */
export function aLedger() {
  const known = new Map<string, KnownEffect>();
  const effects: Effects = {
    plan: async ({ mutation: { id } }) => {
      const before = known.get(id);
      if (!before) known.set(id, { state: 'planned' });
      return before;
    },
    settle: async () => undefined,
    find: async ({ id }) => known.get(id),
    mark: async ({ id }, state, reason) => void known.set(id, { state, ...(reason ? { reason } : {}) }),
  };
  return { known, effects };
}

export function aHouse(
  settings: { rows?: readonly unknown[]; store?: Store; ledger?: ReturnType<typeof aLedger>; isShadow?: boolean } = {},
) {
  const clock = fakeClock();
  const store = settings.store ?? createEmbeddedStore({ path: ':memory:', clock });
  const ledger = settings.ledger ?? aLedger();
  const abort = new AbortController();
  const sent: string[] = [];
  const onSend: { call?: (row: number, mutation: Mutation) => void } = {};
  const shadow = { is: settings.isShadow ?? false, told: 0 };
  const apply = createApply({
    language: () => language,
    rows: checkedRows(settings.rows ?? [{ kind: 'category', target: 'lights' }, { kind: 'else' }]),
    effects: ledger.effects,
    store,
    owner: 'apply1',
    clock,
    signal: abort.signal,
    isShadow: () => shadow.is,
    onShadow: () => void (shadow.told += 1),
    send: (row, mutation) => {
      sent.push(`${row} ${mutation.function} ${JSON.stringify(mutation.parameters)}`);
      onSend.call?.(row, mutation);
    },
  });
  const take = (mutations: readonly Mutation[], plan?: Plan, payload: unknown = 'words of the plan') => {
    const moot: Moot = { v: 1, run: 'r1', mutations, ...(plan ? { plan } : {}) };
    return apply.take({ payload, moot, plain: { topic: 'home', payload, moot }, origin: undefined });
  };
  const report = async (...args: Parameters<typeof take>) => {
    const taken = take(...args);
    taken.catch(() => undefined);
    await clock.advance(1000);
    return taken;
  };
  const open = async () => (await store.scan('folkmoot:{apply1}:')).length;
  const resumed: Report[] = [];
  return { clock, store, ledger, abort, sent, onSend, shadow, apply, take, report, open, resumed };
}
export const states = (report: Report) => report.lines.map(({ state }) => state);
