/** Values that a clause lacks and the board of the run has. */
import type { Mutation, Scalar, Value } from '../../moot.ts';
import type { CallReading } from './reading.ts';
import { missingOf } from './slots.ts';

type Entry = Pick<Mutation, 'function' | 'parameters'>;

/**
 * Fills required values by the parameter's name. When the board has several different ones, nothing is filled: the person
 * is asked.
 */
export function filledFromBoard(reading: CallReading, board: readonly Entry[]): CallReading {
  const [call] = reading.calls;
  if (!reading.missing.length || !call || reading.calls.length > 1) return reading;
  const filled: Record<string, Scalar> = { ...call };
  for (const { spec } of reading.fn.parameters) {
    if (!spec.required || !reading.missing.includes(spec.name)) continue;
    const values = new Set(board.flatMap((entry) => scalarOf(entry.parameters[spec.name])));
    const [value] = values;
    if (values.size === 1 && value !== undefined && isAllowed(spec, value)) filled[spec.name] = value;
  }
  return { ...reading, calls: [filled], missing: missingOf(reading.fn, (name) => name in filled) };
}

/** Lists and objects are never carried over. */
const scalarOf = (value: Value | undefined): readonly Scalar[] =>
  value === undefined || typeof value === 'object' ? [] : [value];

function isAllowed(spec: CallReading['fn']['parameters'][number]['spec'], value: Scalar): boolean {
  if (spec.allowedValues?.length) return spec.allowedValues.includes(String(value));
  if (spec.type === 'string') return typeof value === 'string';
  if (typeof value !== 'number') return false;
  return value >= (spec.minimum ?? -Infinity) && value <= (spec.maximum ?? Infinity);
}
