/** What becomes of a batch: its news as one event, or the events of the rules that hold. */
import type { Clock } from '../clock.ts';
import { asError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { EventRecord } from '../moot.ts';
import { createCoolDown } from './cool-down.ts';
import { keyOf } from './debounce.ts';
import type { Reading } from './reading.ts';
import { createRuleWatch, ruleKey, type Evaluate, type Rule, type RuleState, type RuleWatch } from './rule-watch.ts';
import type { KeptSource, KeptSources, LastBatch } from './sense-memory.ts';
import { createSourceStates } from './source-state.ts';

export interface SenseEvent {
  readonly events: readonly EventRecord[];
  /** The rule's words; absent: the batch is the message. */
  readonly sentence?: string;
  /** Of the last message that led to it. */
  readonly origin: unknown;
}

/** A message on its way: dropped when all its readings were. */
export interface Incoming {
  readonly at: number;
  readonly origin: unknown;
  left: number;
}

/** Readings of one message and one source. */
export interface Group {
  readonly from: Incoming;
  readonly source: string;
  readonly readings: readonly Reading[];
}

export interface TellerOptions {
  readonly rules: readonly Rule[];
  readonly coolDownMs: number;
  readonly dropUnchanged: boolean;
  readonly clock: Clock;
  readonly evaluate: Evaluate;
  readonly emit: (event: SenseEvent) => void;
  readonly dropped: (from: Incoming, readings: number, reason: string) => void;
  /** A rule that can't be evaluated: once until it works again. */
  readonly problem: (error: Error, rule: number, origin: unknown) => void;
  /** Runs work after what is going on now. */
  readonly inTurn: (work: () => void) => void;
  /** Something of a source is to be kept for a restart; urgent: before anything else can happen. */
  readonly touched: (source: string, isUrgent?: boolean) => void;
  /** What is kept of the message that an event is told with. */
  readonly lightOrigin: (origin: unknown) => unknown;
}

export interface Teller {
  /** Known to conditions from now on, but no event. */
  overhear(readings: readonly Reading[], origin: unknown): Promise<void>;
  /** Calls must not overlap. Never rejects. */
  tell(batch: readonly Group[]): Promise<void>;
  /** What is to be kept of a source; nothing: it isn't known any more. */
  keep(source: string): KeptSource | undefined;
  /** Before anything else. @param notBefore No rule that waited speaks sooner; milliseconds since the epoch. */
  restore(kept: KeptSources, notBefore: number): void;
  close(): void;
}

export function createTeller(options: TellerOptions): Teller {
  const { clock, dropped } = options;
  const states = createSourceStates((source) => {
    rules.forEach((rule) => rule.forget(source));
    heardAt.delete(source);
    options.touched(source);
  });
  const watch = (rule: Rule, index: number) =>
    createRuleWatch({
      rule,
      clock,
      evaluate: options.evaluate,
      coolDownMs: options.coolDownMs,
      onChange: (source) => options.touched(source, true),
      onHeld: (source) =>
        options.inTurn(() => {
          const held = rules[index];
          if (held?.held(source)) emitFor(held, source);
        }),
    });
  const rules = options.rules.map(watch);
  const coolDown = createCoolDown(clock, options.coolDownMs);
  const broken = new Set<number>();
  /** The last batch of each source, for rules that wait. */
  const lastOf = new Map<string, LastBatch>();
  const heardAt = new Map<string, number>();
  let isClosed = false;

  const heard = (source: string) => {
    heardAt.set(source, clock.now());
    options.touched(source);
  };
  const emitFor = (rule: RuleWatch, source: string) => {
    const last = lastOf.get(source);
    if (!last) return;
    const sentence = rule.sentence(source);
    options.emit({ ...last, ...(sentence === undefined ? {} : { sentence }) });
  };
  /** What of a group is news, kept in the state. */
  const newsOf = (group: Group): EventRecord[] => {
    heard(group.source);
    const time = new Date(group.from.at).toISOString();
    const news = group.readings.flatMap((reading) => {
      const { entry, isNews } = states.keep(reading, true);
      if (!isNews && options.dropUnchanged) return [];
      const { source, kind } = reading;
      const unit = entry.unit ? { unit: entry.unit } : {};
      const previous = entry.previous === undefined ? {} : { previous: entry.previous };
      return [{ source, kind, value: reading.value, ...unit, ...previous, time }];
    });
    const same = group.readings.length - news.length;
    if (same > 0) dropped(group.from, same, 'unchanged');
    return news;
  };
  const failed = (thrown: unknown, rule: number, origin: unknown) => {
    if (!broken.has(rule)) options.problem(asError(thrown), rule, origin);
    broken.add(rule);
  };
  const lookAt = async (
    { source, from }: Group,
    news: readonly EventRecord[],
    firings: Firing[],
  ): Promise<RuleState> => {
    const found = new Set<RuleState>();
    const fresh = news.map((event) => event.kind);
    for (const [index, rule] of rules.entries()) {
      try {
        const state = await rule.look(source, states.of(source), fresh);
        broken.delete(index);
        found.add(state);
        const isFirst = !firings.some((firing) => firing.rule === rule && firing.source === source);
        if (state === 'fired' && isFirst) firings.push({ rule, source });
      } catch (thrown) {
        failed(thrown, index, from.origin);
      }
    }
    const order = ['fired', 'waiting', 'cool-down', 'told already'] as const;
    return order.find((state) => found.has(state)) ?? 'no rule';
  };
  const withRules = async (groups: readonly Group[]) => {
    const firings: Firing[] = [];
    const told = new Map<string, EventRecord[]>();
    for (const group of groups) {
      const news = newsOf(group);
      if (news.length === 0) continue;
      const events = [...(told.get(group.source) ?? []), ...news].slice(-limits.batchEvents);
      told.set(group.source, events);
      keepLast(group.source, { events, origin: group.from.origin });
      const state = await lookAt(group, news, firings);
      if (isClosed) return;
      if (state !== 'fired' && state !== 'waiting') dropped(group.from, news.length, state);
    }
    for (const { rule, source } of firings) emitFor(rule, source);
  };
  const keepLast = (source: string, last: LastBatch) => {
    lastOf.delete(source);
    lastOf.set(source, last);
    const oldest = lastOf.keys().next().value;
    if (lastOf.size > limits.eventSources && oldest !== undefined) lastOf.delete(oldest);
  };
  const withoutRules = (groups: readonly Group[]) => {
    const events: EventRecord[] = [];
    let origin: unknown;
    for (const group of groups) {
      const news = newsOf(group);
      const warm = news.filter((event) => coolDown.take(keyOf(event.source, event.kind)));
      if (warm.length < news.length) dropped(group.from, news.length - warm.length, 'cool-down');
      if (warm.length > 0) origin = group.from.origin;
      events.push(...warm);
    }
    if (events.length > 0) options.emit({ events, origin });
  };

  const overhear = async (readings: readonly Reading[], origin: unknown) => {
    for (const reading of readings) states.keep(reading, false);
    const source = readings[0]?.source ?? '';
    heard(source);
    const kinds = readings.map(({ kind }) => kind);
    for (const [index, rule] of rules.entries())
      await rule.doubt(source, states.of(source), kinds).catch((thrown: unknown) => failed(thrown, index, origin));
  };
  const keep = (source: string): KeptSource | undefined => {
    const values = [...states.of(source)];
    if (values.length === 0) return undefined;
    const kept = options.rules.flatMap((rule, index) => {
      const one = rules[index]?.keep(source);
      return one ? [[ruleKey(rule), one] as const] : [];
    });
    const resting = values.flatMap(([kind]) => {
      const until = coolDown.until(keyOf(source, kind));
      return until === undefined ? [] : [[kind, until] as const];
    });
    const last = kept.some(([, { wait }]) => wait) ? lastOf.get(source) : undefined;
    return {
      source,
      heardAt: heardAt.get(source) ?? clock.now(),
      values,
      rules: Object.fromEntries(kept),
      resting,
      ...(last ? { last: { events: last.events, origin: options.lightOrigin(last.origin) } } : {}),
    };
  };
  const restore = ({ sources, aliveAt }: KeptSources, notBefore: number) => {
    const isSure = aliveAt !== undefined && clock.now() - aliveAt <= limits.senseGapMs;
    for (const { source, last, ...kept } of sources) {
      // What was perhaps missed meanwhile: the same value again is news then.
      const values = kept.values.map(([kind, one]) => [kind, { ...one, isTold: one.isTold && isSure }] as const);
      states.restore(source, new Map(values));
      heardAt.set(source, kept.heardAt);
      if (last) keepLast(source, last);
      for (const [kind, until] of kept.resting) coolDown.restore(keyOf(source, kind), until);
      for (const [index, rule] of options.rules.entries()) {
        const one = kept.rules[ruleKey(rule)];
        if (one) rules[index]?.restore(source, one, { values: states.of(source), notBefore, isSure });
      }
    }
  };

  return {
    overhear,
    keep,
    restore,
    tell: async (batch) => (rules.length > 0 ? withRules(batch) : withoutRules(batch)),
    close() {
      isClosed = true;
      for (const rule of rules) rule.close();
    },
  };
}

interface Firing {
  readonly rule: RuleWatch;
  readonly source: string;
}
