/** What becomes of a batch: its news as one event, or the events of the rules that hold. */
import type { Clock } from '../clock.ts';
import { asError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { EventRecord } from '../moot.ts';
import { createCoolDown } from './cool-down.ts';
import { keyOf } from './debounce.ts';
import type { Reading } from './reading.ts';
import { createRuleWatch, type Evaluate, type Rule, type RuleState, type RuleWatch } from './rule-watch.ts';
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
}

export interface Teller {
  /** Known to conditions from now on, but no event. */
  overhear(readings: readonly Reading[]): void;
  /** Calls must not overlap. Never rejects. */
  tell(batch: readonly Group[]): Promise<void>;
  close(): void;
}

export function createTeller(options: TellerOptions): Teller {
  const { clock, dropped } = options;
  const states = createSourceStates((source) => rules.forEach((rule) => rule.forget(source)));
  const watch = (rule: Rule, index: number) =>
    createRuleWatch({
      rule,
      clock,
      evaluate: options.evaluate,
      coolDownMs: options.coolDownMs,
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
  const lastOf = new Map<string, { events: readonly EventRecord[]; origin: unknown }>();
  let isClosed = false;

  const emitFor = (rule: RuleWatch, source: string) => {
    const last = lastOf.get(source);
    if (!last) return;
    const sentence = rule.sentence(source);
    options.emit({ ...last, ...(sentence === undefined ? {} : { sentence }) });
  };
  /** What of a group is news, kept in the state. */
  const newsOf = (group: Group): EventRecord[] => {
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
        if (!broken.has(index)) options.problem(asError(thrown), index, from.origin);
        broken.add(index);
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
  const keepLast = (source: string, last: { events: readonly EventRecord[]; origin: unknown }) => {
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
      const warm = news.filter((event) => coolDown(keyOf(event.source, event.kind)));
      if (warm.length < news.length) dropped(group.from, news.length - warm.length, 'cool-down');
      if (warm.length > 0) origin = group.from.origin;
      events.push(...warm);
    }
    if (events.length > 0) options.emit({ events, origin });
  };

  return {
    overhear: (readings) => readings.forEach((reading) => states.keep(reading, false)),
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
