import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Mutation, Statement } from '../moot.ts';
import { isConsensus, optionKey, tally } from './vote.ts';

const call = (name: string, celsius = 21): Mutation => ({
  id: `${name}${celsius}`,
  run: 'r',
  function: name,
  parameters: { room: 'hall', celsius },
  risk: 'reversible',
});
const say = (claim: string, confidence = 0.5, proposal: readonly Mutation[] = [], agent = claim): Statement => ({
  round: 1,
  agent,
  claim,
  proposal,
  confidence,
  reasons: [],
});
const heat = (confidence: number, agent: string) => say('Heat.', confidence, [call('SetTemperature')], agent);

describe('a vote', () => {
  it('counts voices or confidence, and the option with the most wins', () => {
    const said = [heat(0.3, 'a'), heat(0.3, 'b'), say('Save.', 0.9)];
    const heads = tally(said, 'majority');
    assert.equal(heads.winner?.label, 'Heat.');
    assert.deepEqual(
      heads.options.map(({ label, votes }) => [label, votes]),
      [
        ['Heat.', 2],
        ['Save.', 1],
      ],
    );
    assert.equal(heads.share, 0.667);
    const weights = tally(said, 'weighted');
    assert.equal(weights.winner?.label, 'Save.');
    assert.equal(weights.share, 0.6);
  });

  it('that is a tie has no winner, also when sums differ in their last digits only', () => {
    assert.equal(tally([heat(0.9, 'a'), say('Save.', 0.1)], 'majority').winner, undefined);
    assert.equal(tally([heat(0.1, 'a'), heat(0.2, 'b'), say('Save.', 0.3)], 'weighted').winner, undefined);
    assert.equal(tally([heat(0, 'a')], 'weighted').winner, undefined);
    assert.equal(tally([], 'majority').winner, undefined);
  });

  it('takes the same commands for the same option, in whatever order and words, and other values for another', () => {
    const both = [call('SetTemperature'), call('CloseBlinds')];
    const one = say('Heat.', 0.2, both, 'a');
    const other = say('Make it warm!', 0.8, [...both].reverse(), 'b');
    const counted = tally([one, other], 'majority');
    assert.deepEqual(
      counted.options.map(({ label, votes }) => [label, votes]),
      [['Make it warm!', 2]],
    );
    assert.deepEqual(counted.winner?.mutations, other.proposal);
    assert.equal(isConsensus([one, other]), true);
    assert.notEqual(optionKey(heat(1, 'a')), optionKey(say('Heat.', 1, [call('SetTemperature', 20)])));
    assert.equal(optionKey(say('Leave it as it is.')), optionKey(say('leave it, as it is')));
  });

  it('tells options of one wording apart by number', () => {
    const said = [
      say('Heat.', 1, [call('SetTemperature', 20)], 'a'),
      say('Heat.', 1, [call('SetTemperature', 22)], 'b'),
    ];
    assert.deepEqual(
      tally(said, 'majority').options.map(({ label }) => label),
      ['Heat.', 'Heat. (2)'],
    );
  });

  it('is no consensus of one alone', () => {
    assert.equal(isConsensus([say('Save.')]), false);
    assert.equal(isConsensus([say('Save.', 1, [], 'a'), say('Save!', 0, [], 'b')]), true);
    assert.equal(isConsensus([say('Save.'), say('Heat.')]), false);
  });

  it('has the same winner and counts in whatever order they spoke, and none exactly when the most are shared', () => {
    const confidence = fc.integer({ min: 0, max: 10 }).map((n) => n / 10);
    const statement = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), confidence);
    const order = fc
      .array(statement, { maxLength: 12 })
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    for (const rule of ['majority', 'weighted'] as const)
      fc.assert(
        fc.property(order, ([all, shuffled]) => {
          const counted = [all, shuffled].map((list) =>
            tally(
              list.map(([claim, sure], n) => say(claim, sure, [], `${n}`)),
              rule,
            ),
          );
          const [one, other] = counted;
          assert.equal(one?.winner?.label, other?.winner?.label);
          const votes = (one?.options ?? []).map((option) => option.votes);
          const most = Math.max(0, ...votes);
          assert.equal(one?.winner === undefined, most === 0 || votes.filter((count) => count === most).length > 1);
        }),
      );
  });
});
