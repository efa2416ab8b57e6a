/**
 * The effect ledger: everything that acts is written here before it acts (contracts.md 7), keyed by mutation or ask id.
 * It makes acting happen once per id, also when two ask at the same moment, and says after a crash what was left open.
 *
 * An effect lies under its run, `folkmoot:{<run>}:effects:<id>`. While it is open, `folkmoot:{<owner>}:unfinished:<id>`
 * points to it, so that its owner finds it after a restart. The two keys may live on two servers, so the pointer is
 * always written before and taken away after: a pointer too many means nothing, a missing one cannot happen.
 */
import type { Clock } from '../clock.ts';
import { folkmootError, isFolkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Parameters } from '../moot.ts';
import { keyPart, tagged } from '../store/keys.ts';
import { scanAll } from '../store/scan-all.ts';
import type { Store, StoreRecord } from '../store/store.ts';
import { readVersioned } from '../store/versioned.ts';

export type EffectState = 'planned' | 'sent' | 'confirmed' | 'unknown' | 'failed';

/** What is about to act. */
export interface PlannedEffect {
  /** The run it belongs to; for application data, which has none, the conversation or another lasting name. */
  readonly run: string;
  readonly function: string;
  readonly parameters: Parameters;
  /** Sets a state, so that doing it twice is harmless (the function's own word). */
  readonly repeatable: boolean;
  /** Node id of who acts, and who is asked again after a restart. */
  readonly owner: string;
}

export interface Effect extends PlannedEffect {
  readonly v: 1;
  readonly id: string;
  readonly state: EffectState;
  /** Milliseconds since the epoch. */
  readonly plannedAt: number;
  readonly sentAt?: number;
  readonly endedAt?: number;
  /** Why it failed or is unknown. */
  readonly reason?: string;
  /** It was sent a second time after a crash; there is no third time. */
  readonly repeated?: true;
}

/**
 * What to do with an effect that a crash left open: `send` was never sent, `repeat` was sent and may be sent once more,
 * `tell` must not be sent again: nobody knows whether it happened (its state is `unknown`), and people are told.
 */
export interface Unfinished {
  readonly effect: Effect;
  readonly next: 'send' | 'repeat' | 'tell';
}

export interface EffectLedger {
  /** Atomic: of all callers with one id exactly one gets `new` and acts; the others get the state so far. */
  plan(id: string, effect: PlannedEffect): Promise<'new' | EffectState>;
  get(run: string, id: string): Promise<Effect | undefined>;
  /** The message was handed to the wire or the broker. Gives the state after the call; so do the next three. */
  sent(run: string, id: string): Promise<EffectState>;
  /** It came back without error, or the time in which errors come is over. */
  confirmed(run: string, id: string): Promise<EffectState>;
  failed(run: string, id: string, reason: string): Promise<EffectState>;
  unknown(run: string, id: string, reason: string): Promise<EffectState>;
  /** Reported, so that nothing is to be done with it after a restart: it keeps its state and is no longer unfinished. */
  settled(run: string, id: string): Promise<void>;
  /** After a restart: what this owner left open, oldest first. Asking marks `repeat` and `tell` as dealt with. */
  unfinished(owner: string): Promise<readonly Unfinished[]>;
}

/** A state may be followed by these; other calls change nothing. A failure that comes late is still a failure. */
const following: { readonly [state in EffectState]: readonly EffectState[] } = {
  planned: ['sent', 'confirmed', 'failed', 'unknown'],
  sent: ['confirmed', 'failed', 'unknown'],
  unknown: ['confirmed', 'failed'],
  confirmed: ['failed'],
  failed: [],
};

const isOpen = (state: EffectState): boolean => state === 'planned' || state === 'sent';
const effectKey = (run: string, id: string) => tagged(run, 'effects', keyPart(id));
const pointers = (owner: string) => tagged(owner, 'unfinished', '');
const expiresInMs = limits.recordExpiryMs;

/** The ledger over a store. Records expire after `limits.recordExpiryMs`. */
export function createEffectLedger(store: Store, clock: Clock): EffectLedger {
  const read = async (key: string): Promise<StoreRecord<Effect> | undefined> => {
    const record = await store.get<Effect>(key);
    return record && { ...record, value: readVersioned(record, 1) };
  };
  const drop = (effect: Effect) => store.delete(pointers(effect.owner) + keyPart(effect.id));

  /** Changes the record as long as somebody else does at the same time. Undefined from `change`: leave it. */
  const update = async (key: string, change: (effect: Effect) => Effect | undefined): Promise<Effect> => {
    for (;;) {
      const record = await read(key);
      if (!record) throw folkmootError('FOLKMOOT_STORE_FAILED', `Nothing was planned under ${key}.`);
      const changed = change(record.value);
      if (!changed) return record.value;
      try {
        await store.put(key, changed, { expected: record.revision, expiresInMs });
        return changed;
      } catch (error) {
        if (!isFolkmootError(error, 'FOLKMOOT_STORE_CONFLICT')) throw error;
      }
    }
  };

  const move = async (run: string, id: string, state: EffectState, reason?: string): Promise<EffectState> => {
    const after = await update(effectKey(run, id), (effect) => follow(effect, state, clock.now(), reason));
    if (!isOpen(after.state)) await drop(after);
    return after.state;
  };

  return {
    async plan(id, planned) {
      const key = effectKey(planned.run, id);
      const before = await read(key);
      if (before) return before.value.state;
      const effect: Effect = { v: 1, id, ...planned, state: 'planned', plannedAt: clock.now() };
      await store.put(pointers(planned.owner) + keyPart(id), { v: 1, run: planned.run, id }, { expiresInMs });
      try {
        await store.put(key, effect, { expected: 'absent', expiresInMs });
        return 'new';
      } catch (error) {
        if (!isFolkmootError(error, 'FOLKMOOT_STORE_CONFLICT')) throw error;
      }
      // Somebody was faster. If it is even over by now, the pointer that was just written is one too many.
      const winner = (await read(key))?.value;
      if (winner && !isOpen(winner.state)) await drop({ ...winner, owner: planned.owner });
      return winner?.state ?? 'planned';
    },
    get: async (run, id) => (await read(effectKey(run, id)))?.value,
    sent: (run, id) => move(run, id, 'sent'),
    confirmed: (run, id) => move(run, id, 'confirmed'),
    failed: (run, id, reason) => move(run, id, 'failed', reason),
    unknown: (run, id, reason) => move(run, id, 'unknown', reason),
    async settled(run, id) {
      const record = await read(effectKey(run, id));
      if (record) await drop(record.value);
    },
    async unfinished(owner) {
      const found: Unfinished[] = [];
      for await (const pointer of scanAll<Pointer>(store, pointers(owner))) {
        const { run, id } = readVersioned(pointer, 1);
        const key = effectKey(run, id);
        // Without a record: perhaps being planned at this moment. What a crash left so goes by its expiry.
        if (!(await read(key))) continue;
        const next = await reopen(update, key, clock.now());
        if (next) found.push(next);
        if (!next || next.next === 'tell') await store.delete(pointer.key);
      }
      return found.sort((a, b) => a.effect.plannedAt - b.effect.plannedAt);
    },
  };
}

interface Pointer {
  readonly v: 1;
  readonly run: string;
  readonly id: string;
}

function follow(effect: Effect, state: EffectState, now: number, reason?: string): Effect | undefined {
  if (!following[effect.state].includes(state)) return undefined;
  const moment = state === 'sent' ? { sentAt: now } : { endedAt: now };
  return { ...effect, state, ...moment, ...(reason === undefined ? {} : { reason }) };
}

/** Decides what is to be done with an open effect, and writes the decision down before anybody acts on it. */
async function reopen(
  update: (key: string, change: (effect: Effect) => Effect | undefined) => Promise<Effect>,
  key: string,
  now: number,
): Promise<Unfinished | undefined> {
  let next: Unfinished['next'] | undefined;
  const effect = await update(key, (found) => {
    next = undefined;
    if (found.state === 'planned') next = 'send';
    if (found.state !== 'sent') return undefined;
    if (found.repeatable && !found.repeated) {
      next = 'repeat';
      return { ...found, repeated: true };
    }
    next = 'tell';
    return follow(found, 'unknown', now, 'Folkmoot stopped before it was known whether it worked.');
  });
  return next && { effect, next };
}
