import assert from 'node:assert/strict';
import type { AmicaRequest } from '../bus/amica.ts';
import { fakeClock } from '../clock.ts';
import { createTakers } from './amica-door-takers.ts';

describe('who takes what people ask', () => {
  const request = { messageId: 'r1' } as AmicaRequest;
  const setUp = () => {
    const took: string[] = [];
    const gaveWay: string[] = [];
    const takers = createTakers({
      clock: fakeClock(),
      isOpen: () => true,
      refuse: (id) => void took.push(`nobody ${id}`),
      over: () => undefined,
    });
    const taker = (owner: string, givesWay = false) => ({
      ...{ owner, deadlineMs: 1, givesWay },
      accept: ({ messageId }: AmicaRequest) => void took.push(`${owner} ${messageId}`),
      onGivenWay: () => void gaveWay.push(owner),
    });
    return { took, gaveWay, takers, taker };
  };

  it('is the first of several', () => {
    const { took, takers, taker } = setUp();
    assert.deepEqual([takers.add(taker('a')), takers.add(taker('b'))], [true, false]);
    takers.offer(request);
    assert.deepEqual(took, ['a r1']);
  });

  it('is the router, whether an agent that listens by itself came before it or after it', () => {
    for (const order of [
      ['agent', 'router'],
      ['router', 'agent'],
    ]) {
      const { took, gaveWay, takers, taker } = setUp();
      for (const name of order) takers.add(taker(name, name === 'agent'));
      takers.offer(request);
      assert.deepEqual(took, ['router r1']);
      assert.deepEqual(gaveWay, order[0] === 'agent' ? ['agent'] : [], 'the agent is told');
      assert.equal(takers.terms?.owner, 'router');
    }
  });

  it('is the agent again when the router is gone', () => {
    const { took, takers, taker } = setUp();
    const routing = taker('router');
    takers.add(taker('agent', true));
    takers.add(routing);
    takers.remove(routing);
    takers.offer(request);
    assert.deepEqual(took, ['agent r1']);
  });
});
