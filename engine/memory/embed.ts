/** The embedding port: texts as vectors of which similar ones point the same way. */
import { folkmootError } from '../errors.ts';

export interface Embed {
  /** Of kind, size and version: vectors of another id can't be compared. `^[a-z0-9-]+$`, for it names a file. */
  readonly id: string;
  readonly dimensions: number;
  /** One vector of length 1 for each text, in order. Throws FOLKMOOT_BAD_INPUT for a text that has no words. */
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
}

/** Throws FOLKMOOT_BAD_INPUT unless the vector has these dimensions, and a direction. */
export function checkVector(vector: readonly number[], dimensions: number): void {
  if (vector.length !== dimensions)
    throw folkmootError('FOLKMOOT_BAD_INPUT', `A vector has ${vector.length} numbers; ${dimensions} are needed.`);
  if (!vector.every(Number.isFinite) || vector.every((value) => value === 0))
    throw folkmootError('FOLKMOOT_BAD_INPUT', 'A vector is zero or no vector of numbers, so nothing is similar to it.');
}

/** The vector with length 1; a zero vector stays as it is. */
export function unitVector(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? [...vector] : vector.map((value) => value / length);
}
