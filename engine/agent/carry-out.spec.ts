import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import { createEffectLedger } from '../people/effects.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import type { AgentTool } from '../tools/agent-tool.ts';
import { carryOut, type CarryOut } from './carry-out.ts';

describe('a tool while the house holds back what acts', () => {
  const asked: string[] = [];
  const tool = (name: string, effect: boolean): AgentTool => ({
    spec: {
      ...{ name, description: name, category: 'tools', parameters: [], repeatable: false },
      ...{ risk: effect ? ('reversible' as const) : ('read' as const), effect },
    },
    mark: 't',
    said: (_given, result) => String(result),
    ask: (id) => {
      asked.push(id);
      return Promise.resolve({ status: 'answered', payload: 'rung', mutations: [] });
    },
  });
  const clock = fakeClock();
  const store = createEmbeddedStore({ path: ':memory:', clock });
  let why: string | undefined;
  const work: CarryOut = {
    reached: () => [tool('Bell', true), tool('Warmth', false)],
    ...{ askId: 'ask:r1/s1', run: 'r1', owner: 'node', clock },
    effects: createEffectLedger(store, clock),
    heldBack: () => why,
  };
  const call = (name: string, n = 1) => carryOut({ n, name, given: {} }, work);
  beforeEach(() => {
    asked.length = 0;
    why = undefined;
  });
  after(() => store.close());

  it('is not asked if it acts, and people are told why', async () => {
    why = 'Not really done.';
    const { status, said } = await call('Bell');
    assert.deepEqual([status, said, asked], ['refused', 'Not really done.', []]);
    why = undefined;
    assert.equal((await call('Bell')).said, 'rung');
  });

  it('is asked if it only reads', async () => {
    why = 'Not really done.';
    assert.equal((await call('Warmth', 2)).said, 'rung');
  });
});
