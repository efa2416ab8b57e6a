import assert from 'node:assert/strict';
import fc from 'fast-check';
import { member } from '../../test/plan/sample-team.ts';
import { repeats, seed } from '../../test/red/tier.ts';
import { withinOneEdit } from './agent-names.ts';
import { dependencies, stagesOf } from './dependencies.ts';

const drafts = fc.array(fc.array(fc.nat(14), { maxLength: 4 }), { minLength: 1, maxLength: 14 });

describe('what steps wait for', () => {
  it('has no circles and as many stages as its longest chain, for any positions (200 plans)', () => {
    fc.assert(
      fc.property(drafts, (named) => {
        const waits = dependencies(
          named.map((after) => ({ after })),
          [],
        );
        // What is named and earlier is waited for, and nothing else.
        const wanted = named.map((after, position) =>
          [...new Set(after)].filter((other) => other < position).sort((a, b) => a - b),
        );
        assert.deepEqual(waits, wanted);
        const chain: number[] = [];
        wanted.forEach((after, position) => {
          chain[position] = 1 + Math.max(0, ...after.map((other) => chain[other] ?? 0));
        });
        const steps = waits.map((after, position) => ({ id: `s${position}`, after: after.map((n) => `s${n}`) }));
        const stages = stagesOf(steps);
        assert.equal(stages.length, Math.max(...chain));
        assert.equal(stages.flat().length, steps.length);
      }),
      { seed: seed(), numRuns: repeats(4_000) },
    );
  });
});

describe('what steps wait for because of what agents accept', () => {
  const names = ['A', 'B', 'C', 'D'];
  const some = fc.subarray(names);
  const members = fc.array(fc.record({ accepts: some, generates: some }), { minLength: 1, maxLength: 8 });

  it('is every earlier step whose agent may bring that, and no other (P21)', () => {
    fc.assert(
      fc.property(members, (given) => {
        const team = given.map((one, index) => member(`agent-${index}`, one));
        const waits = dependencies(
          team.map((one) => ({ member: one, after: [] })),
          team,
        );
        const wanted = given.map(({ accepts }, position) =>
          given.flatMap(({ generates }, other) =>
            other < position && generates.some((name) => accepts.includes(name)) ? [other] : [],
          ),
        );
        assert.deepEqual(waits, wanted);
      }),
      { seed: seed(), numRuns: repeats(1_000) },
    );
  });
});

describe('names within one edit', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abcde'), minLength: 5, maxLength: 10 });

  it('takes one letter more, less or other and two swapped, and nothing else', () => {
    for (const [one, other, near] of [
      ['mower', 'mowr', true],
      ['mower', 'mowwer', true],
      ['mower', 'mover', true],
      ['mower', 'mwoer', true],
      ['mower', 'mower', true],
      ['mower', 'mewor', false],
      ['mower', 'lower2', false],
      ['bed', 'bad', false],
    ] as const)
      assert.equal(withinOneEdit(one, other), near, `${one} ${other}`);
  });

  it('is the same both ways', () => {
    fc.assert(fc.property(letters, letters, (one, other) => withinOneEdit(one, other) === withinOneEdit(other, one)));
  });
});
