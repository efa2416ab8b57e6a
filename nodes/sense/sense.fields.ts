import { commonFields, config, flag, list, number } from '../shared/fields.ts';

/** A rule: when its condition holds (for a while), the team is told its sentence. */
export interface SenseRule {
  /** JSONata over value, previous, unit, kind, source, state, and each property by name. */
  readonly condition: string;
  readonly holdsForSeconds: number;
  /** What the team is told; `{{illuminance}}` is a value. */
  readonly sentence: string;
}

export const senseFields = {
  ...commonFields,
  rules: list<SenseRule>(),
  /** Waits for quiet before it takes the last value. */
  debounceSeconds: number(0, { minimum: 0, maximum: 3600 }),
  /** Gathers what comes within this time into one batch. */
  coalesceSeconds: number(0, { minimum: 0, maximum: 3600 }),
  /** After an event of one rule (without rules: of one source and kind) nothing for this long. */
  coolDownSeconds: number(0, { minimum: 0, maximum: 86_400 }),
  dropUnchanged: flag(true),
  ignoreRetained: flag(true),
  ignoreFirstSeconds: number(2, { minimum: 0, maximum: 3600 }),
  /** Unit by property name, for sensors that do not say it: `{ property, unit }`. */
  units: list<{ readonly property: string; readonly unit: string }>(),
  backbone: config('folkmoot-backbone'),
} as const;
