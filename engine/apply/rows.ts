/** Which row carries out a command: by name, so that a change of the language never moves a wire. */
import type { Device } from '../devices/device.ts';
import { isDeviceFunction } from '../devices/device-messages.ts';
import { deviceLimits } from '../devices/device-limits.ts';
import { folkmootError } from '../errors.ts';
import type { FunctionSpec } from '../language/function-spec.ts';
import type { Language } from '../language/language.ts';
import { limits } from '../limits.ts';

/** One row of apply, one output. */
export interface Row {
  /** `device`: what the language's own devices do; it is published by apply itself. */
  readonly kind: 'function' | 'category' | 'device' | 'else';
  /** Name of the function or category; empty for `device` and `else`. */
  readonly target: string;
  /** A critical function runs without asking a person. */
  readonly runWithoutAsking: boolean;
  /** How long a failure may take to come back; milliseconds. */
  readonly waitMs: number;
}

/** A row with its place: output `index + 1` (after the report). */
export interface PlacedRow {
  readonly row: Row;
  readonly index: number;
}

const kinds: readonly unknown[] = ['function', 'category', 'device', 'else'];
const untargeted: readonly unknown[] = ['device', 'else'];

/**
 * Rows as they were saved (`runWithoutAsking` and `waitMs` may be missing: no, and `limits.applyRowMs`).
 * Throws FOLKMOOT_BAD_SETTING for a row that is there twice or can't be read.
 */
export function checkedRows(saved: readonly unknown[]): readonly Row[] {
  const seen = new Set<string>();
  return saved.map((item, index) => {
    const row = rowOf(item, index);
    const key = `${row.kind} ${row.target}`;
    if (seen.has(key)) {
      const what = row.kind === 'else' ? 'anything else' : row.kind === 'device' ? 'my devices' : row.target;
      throw folkmootError('FOLKMOOT_BAD_SETTING', `There are two rows for ${what}; each may be there once.`);
    }
    if (untargeted.includes(row.kind) || row.target !== '') seen.add(key);
    return row;
  });
}

function rowOf(item: unknown, index: number): Row {
  const saved = (typeof item === 'object' && item !== null ? item : {}) as Partial<Record<keyof Row, unknown>>;
  if (!kinds.includes(saved.kind))
    throw folkmootError(
      'FOLKMOOT_BAD_SETTING',
      `Row ${index + 1} is neither for a function nor for a category, nor for my devices, nor for anything else.`,
    );
  const isBlank = saved.waitMs === undefined || saved.waitMs === null || saved.waitMs === '';
  const usual = saved.kind === 'device' ? deviceLimits.acknowledgeMs : limits.applyRowMs;
  const waitMs = isBlank ? usual : Number(saved.waitMs);
  if (!Number.isFinite(waitMs) || waitMs < 0 || waitMs > limits.applyRowMaxMs)
    throw folkmootError(
      'FOLKMOOT_BAD_SETTING',
      `Row ${index + 1} waits "${String(saved.waitMs)}" milliseconds; 0 to ${limits.applyRowMaxMs} are possible.`,
    );
  const kind = saved.kind as Row['kind'];
  const target = typeof saved.target === 'string' && !untargeted.includes(kind) ? saved.target.trim() : '';
  return { kind, target, runWithoutAsking: saved.runWithoutAsking === true, waitMs };
}

/** A row for the function goes first, then one for its category, then my devices, then "anything else". */
export function rowFor(
  rows: readonly Row[],
  spec: FunctionSpec,
  devices: readonly Device[] = [],
): PlacedRow | undefined {
  const place = (fits: (row: Row) => boolean): PlacedRow | undefined => {
    const index = rows.findIndex(fits);
    const row = rows[index];
    return row ? { row, index } : undefined;
  };
  return (
    place((row) => row.kind === 'function' && row.target === spec.name) ??
    place((row) => row.kind === 'category' && row.target === spec.category) ??
    place((row) => row.kind === 'device' && isDeviceFunction(spec.name, devices)) ??
    place((row) => row.kind === 'else')
  );
}

/** Rows whose function or category the language doesn't have (any more): they send nothing. */
export function goneRows(rows: readonly Row[], language: Language): readonly PlacedRow[] {
  return rows
    .map((row, index) => ({ row, index }))
    .filter(({ row }) => {
      if (row.kind === 'function') return !language.functions.some(({ name }) => name === row.target);
      if (row.kind === 'device') return !language.devices?.length;
      return row.kind === 'category' && !language.categories.includes(row.target);
    });
}
