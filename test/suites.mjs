/**
 * The one list of suites. A spec in no suite, and a suite without specs, fail `test/structure`.
 * `tier` 'short' runs in `npm test` and in `npm run test:long`, 'long' only in the latter. `limitSeconds` is a hard end.
 * `alone` suites measure or start heavy processes: nothing runs beside them.
 */

/** @type {readonly { name: string, globs: readonly string[], tier: 'short' | 'long', limitSeconds: number, alone?: boolean }[]} */
export const suites = [
  { name: 'structure', globs: ['test/structure/**/*.spec.ts'], tier: 'short', limitSeconds: 20 },
  { name: 'engine', globs: ['engine/**/*.spec.ts'], tier: 'short', limitSeconds: 120 },
  { name: 'nodes', globs: ['nodes/**/*.spec.ts'], tier: 'short', limitSeconds: 120 },
  { name: 'rules', globs: ['bench/**/*.spec.ts', 'test/rules/**/*.spec.ts'], tier: 'short', limitSeconds: 30 },
  {
    name: 'home',
    globs: ['bin/**/*.spec.ts', 'test/home/**/*.spec.ts'],
    tier: 'short',
    limitSeconds: 320,
  },
  { name: 'pack', globs: ['test/pack/**/*.spec.ts'], tier: 'short', limitSeconds: 120 },
  { name: 'browser', globs: ['test/browser/**/*.spec.ts'], tier: 'short', limitSeconds: 430 },
  {
    name: 'scripts',
    globs: ['test/scripts/**/*.spec.ts', 'test/compose/**/*.spec.ts'],
    tier: 'short',
    limitSeconds: 40,
  },
  { name: 'clone', globs: ['test/clone/**/*.spec.ts'], tier: 'long', limitSeconds: 60 },
  { name: 'backbone', globs: ['test/long/**/*.spec.ts'], tier: 'long', limitSeconds: 1200 },
  { name: 'peers', globs: ['test/peers/**/*.spec.ts'], tier: 'long', limitSeconds: 420 },
];
