/** Loaded by mocha before all specs: with `npm test` every property runs from the one seed that is printed. */
import fc from 'fast-check';

const seed = Number(process.env['FOLKMOOT_SEED']);
if (Number.isFinite(seed)) fc.configureGlobal({ seed: Math.trunc(seed) });
