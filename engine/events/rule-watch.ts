/** Watches one rule on each source: its condition, how long it holds, once until it failed, and its cool-down. */
import type { Clock, Timer } from '../clock.ts';
import { hash } from '../ids.ts';
import { limits } from '../limits.ts';
import type { SourceValues } from './source-state.ts';
import { sentenceFrom, type EventScope } from './sentence.ts';

/** A rule as sense uses it; a condition and a sentence that a person wrote. */
export interface Rule {
  /** An expression over the scope. Blank: always true. */
  readonly condition: string;
  readonly holdsForMs: number;
  /** What the team is told, with `{{name}}` for values. Blank: the batch itself. */
  readonly sentence: string;
}

/** Values of a condition. `state` holds the last values of the source; a property of one of these names is in `state`. */
export type Evaluate = (condition: string, scope: EventScope) => Promise<unknown>;

export type RuleState = 'fired' | 'waiting' | 'told already' | 'cool-down' | 'no rule';

/** The same after a restart, wherever the rule stands in its list and whatever its words are now. */
export const ruleKey = ({ condition, holdsForMs }: Rule): string => hash('rule', condition.trim(), holdsForMs);

/** What a rule knows of a source, for a restart. Times are milliseconds since the epoch. */
export interface KeptRule {
  readonly isTold: boolean;
  readonly coolUntil: number;
  readonly extremes: readonly (readonly [string, Extremes])[];
  /** While it waits. */
  readonly wait?: {
    readonly dueAt: number;
    /** The property of which its condition held. */
    readonly kind: string;
    readonly before: readonly (readonly [string, unknown])[];
  };
}

interface Extremes {
  readonly highest: number;
  readonly lowest: number;
}

interface Watched {
  timer?: Timer | undefined;
  dueAt: number;
  isTold: boolean;
  coolUntil: number;
  /** `previous` of each kind when the condition began to hold: a wait must not fail because time goes on. */
  before?: ReadonlyMap<string, unknown> | undefined;
  /** Of each number since the rule last fired. */
  readonly extremes: Map<string, Extremes>;
  scope: EventScope;
}

export interface RuleWatchOptions {
  readonly rule: Rule;
  readonly clock: Clock;
  readonly evaluate: Evaluate;
  readonly coolDownMs: number;
  /** Called when the condition held for long enough. */
  readonly onHeld: (source: string) => void;
  /** Something that a restart must not lose: a wait began or ended, the rule spoke. */
  readonly onChange?: (source: string) => void;
}

/** How much of what was kept is still so. */
export interface Restored {
  readonly values: SourceValues;
  /** No waiting rule speaks sooner. */
  readonly notBefore: number;
  /** False: what happened meanwhile isn't known, so a rule that has told may tell again. */
  readonly isSure: boolean;
}

export interface RuleWatch {
  /** After new values of a source. Rejects when the condition can't be evaluated; it then counts as failed. */
  look(source: string, values: SourceValues, fresh: readonly string[]): Promise<RuleState>;
  /** After values that are no event: what they contradict ends, nothing begins. Rejects as `look` does. */
  doubt(source: string, values: SourceValues, heard: readonly string[]): Promise<void>;
  /** The wait is over: true if the rule fires now. */
  held(source: string): boolean;
  /** The rule's sentence for this source; nothing when the rule has none. */
  sentence(source: string): string | undefined;
  forget(source: string): void;
  /** Nothing: there is nothing worth it. */
  keep(source: string): KeptRule | undefined;
  restore(source: string, kept: KeptRule, restored: Restored): void;
  close(): void;
}

/** Words that differ from property to property; without one of them a look at the source once is enough. */
const perProperty = /\b(value|previous|unit|kind|highest|lowest)\b/;

export function createRuleWatch(options: RuleWatchOptions): RuleWatch {
  const { rule, clock, evaluate, coolDownMs } = options;
  const sources = new Map<string, Watched>();
  const watched = (source: string): Watched => {
    const known = sources.get(source) ?? { dueAt: 0, isTold: false, coolUntil: 0, extremes: new Map(), scope: {} };
    sources.set(source, known);
    return known;
  };
  const changed = (source: string) => options.onChange?.(source);
  const wait = (source: string, watch: Watched, dueAt: number, before: Watched['before']) => {
    watch.dueAt = dueAt;
    watch.before = before;
    watch.timer = clock.setTimer(() => options.onHeld(source), dueAt - clock.now());
  };
  const stopWaiting = (watch: Watched) => {
    clock.clearTimer(watch.timer);
    watch.timer = undefined;
    watch.before = undefined;
  };
  const fail = (source: string, watch: Watched) => {
    if (watch.timer || watch.isTold) changed(source);
    stopWaiting(watch);
    watch.isTold = false;
  };
  const fire = (source: string, watch: Watched): boolean => {
    changed(source);
    if (clock.now() < watch.coolUntil) return false;
    watch.isTold = true;
    watch.coolUntil = clock.now() + coolDownMs;
    watch.extremes.clear();
    return true;
  };
  const isTrue = async (scope: EventScope) =>
    rule.condition.trim() === '' || Boolean(await evaluate(rule.condition, scope));
  const scopeThatHolds = async (source: string, watch: Watched, values: SourceValues, fresh: readonly string[]) => {
    const kinds = perProperty.test(rule.condition) ? new Set([...fresh, ...values.keys()]) : fresh.slice(0, 1);
    for (const kind of kinds) {
      const scope = scopeOf(source, kind, values, watch);
      if (await isTrue(scope)) return scope;
    }
    return undefined;
  };
  return {
    async look(source, values, fresh) {
      const watch = watched(source);
      remember(watch, values);
      let scope: EventScope | undefined;
      try {
        scope = await scopeThatHolds(source, watch, values, fresh);
      } finally {
        if (!scope && sources.get(source) === watch) fail(source, watch);
      }
      // Closed or forgotten in the meantime: nothing may start to wait.
      if (!scope || sources.get(source) !== watch) return 'no rule';
      watch.scope = scope;
      if (watch.isTold) return 'told already';
      if (rule.holdsForMs <= 0) return fire(source, watch) ? 'fired' : 'cool-down';
      if (!watch.timer) {
        const before = new Map([...values].map(([kind, last]) => [kind, last.previous]));
        wait(source, watch, clock.now() + rule.holdsForMs, before);
        changed(source);
      }
      return 'waiting';
    },
    async doubt(source, values, heard) {
      const watch = sources.get(source);
      if (!watch || !(watch.timer || watch.isTold)) return;
      let scope: EventScope | undefined;
      try {
        scope = await scopeThatHolds(source, watch, values, heard);
      } finally {
        if (!scope && sources.get(source) === watch) fail(source, watch);
      }
      if (scope) watch.scope = scope;
    },
    held(source) {
      const watch = sources.get(source);
      if (!watch?.timer) return false;
      stopWaiting(watch);
      return fire(source, watch);
    },
    sentence(source) {
      const scope = sources.get(source)?.scope ?? {};
      return rule.sentence.trim() === '' ? undefined : sentenceFrom(rule.sentence, scope);
    },
    forget(source) {
      const watch = sources.get(source);
      if (watch) stopWaiting(watch);
      sources.delete(source);
    },
    keep(source) {
      const watch = sources.get(source);
      return watch ? keptOf(watch, clock.now()) : undefined;
    },
    restore(source, kept, { values, notBefore, isSure }) {
      const watch = watched(source);
      watch.isTold = kept.isTold && isSure;
      watch.coolUntil = Math.min(kept.coolUntil, clock.now() + coolDownMs);
      for (const [kind, extremes] of kept.extremes) watch.extremes.set(kind, extremes);
      if (!kept.wait || clock.now() - kept.wait.dueAt > limits.senseOverdueMs) return;
      // A clock that was set back must not make it wait for longer than its rule says.
      const dueAt = Math.max(notBefore, Math.min(kept.wait.dueAt, clock.now() + rule.holdsForMs));
      wait(source, watch, dueAt, new Map(kept.wait.before));
      watch.scope = scopeOf(source, kept.wait.kind, values, watch);
    },
    close() {
      for (const watch of sources.values()) stopWaiting(watch);
      sources.clear();
    },
  };
}

function keptOf(watch: Watched, now: number): KeptRule | undefined {
  const { isTold, coolUntil, extremes, timer, dueAt, before, scope } = watch;
  if (!timer && !isTold && coolUntil <= now && extremes.size === 0) return undefined;
  const wait = { dueAt, kind: String(scope['kind']), before: [...(before ?? [])] };
  return { isTold, coolUntil, extremes: [...extremes], ...(timer ? { wait } : {}) };
}

function remember(watch: Watched, values: SourceValues): void {
  for (const [kind, { value }] of values) {
    if (typeof value !== 'number') continue;
    const known = watch.extremes.get(kind) ?? { highest: value, lowest: value };
    watch.extremes.set(kind, { highest: Math.max(known.highest, value), lowest: Math.min(known.lowest, value) });
  }
}

function scopeOf(source: string, kind: string, values: SourceValues, watch: Watched): EventScope {
  const last = values.get(kind);
  const state = Object.fromEntries([...values].map(([name, { value }]) => [name, value]));
  const extremes = watch.extremes.get(kind);
  return {
    ...state,
    source,
    kind,
    value: last?.value,
    previous: watch.before ? watch.before.get(kind) : last?.previous,
    unit: last?.unit,
    highest: extremes?.highest,
    lowest: extremes?.lowest,
    state,
  };
}
