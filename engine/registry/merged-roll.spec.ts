import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mergedRoll, readRoll } from './merged-roll.ts';
import { emptyRoll } from './roll.ts';

describe('lists of who is here from several homes', () => {
  it('never throw and hold only what is in the right form', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const { users, agents } = readRoll(value);
        assert.ok(
          users.every(({ user }) => typeof user === 'string') && agents.every(({ id }) => typeof id === 'string'),
        );
      }),
    );
    const users = [
      { user: 'anna', status: 'here', seenAt: 1 },
      { user: 7 },
      null,
      { user: 'bob', status: '?', seenAt: 1 },
    ];
    assert.deepEqual(readRoll({ users }).users, [{ user: 'anna', status: 'here', seenAt: 1 }]);
  });

  it('are one list: the own one counts first, of people who was heard last', () => {
    const agent = (status: 'online' | 'gone') => ({
      id: 'a',
      name: 'a',
      description: '',
      house: '',
      process: '',
      status,
      seenAt: 1,
    });
    const own = {
      ...emptyRoll,
      agents: [agent('online')],
      users: [{ user: 'anna', status: 'away' as const, seenAt: 1 }],
    };
    const other = {
      ...emptyRoll,
      agents: [agent('gone')],
      users: [{ user: 'anna', status: 'here' as const, seenAt: 2 }],
    };
    const merged = mergedRoll(own, [other]);
    assert.deepEqual([merged.agents[0]?.status, merged.users], ['online', other.users]);
  });
});
