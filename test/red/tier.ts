/** How often a randomised or repeated test runs, and with which seed (see `scripts/test.mjs`). */

export const isLong = process.env['FOLKMOOT_LONG'] === '1';

/**
 * How often to repeat: `full` up to 50 or in the long tier; else a twentieth, but at least 10.
 * Also the seed goes to fast-check: `fc.assert(property, { seed: seed(), numRuns: repeats(200) })`.
 */
export const repeats = (full: number): number => (isLong || full <= 50 ? full : Math.max(10, Math.ceil(full / 20)));

/** The seed of this run: FOLKMOOT_SEED, which `npm test` sets and prints; alone a spec uses 1. */
export const seed = (): number => Number(process.env['FOLKMOOT_SEED'] ?? 1);

/** A small pseudo-random generator (mulberry32) for specs that need no fast-check; numbers from 0 up to 1. */
export function randomFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
