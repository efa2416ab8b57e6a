import assert from 'node:assert/strict';
import {
  comfort,
  costs,
  debateRules,
  failing,
  garden,
  sampleDebates,
  states,
  stubborn,
  warmer,
} from '../../test/plan/sample-debate.ts';
import { sampleRecords, until } from '../../test/plan/sample-team.ts';
import { sleep } from '../clock.ts';
import { limits } from '../limits.ts';
import { createModel } from '../model/catalogue.ts';
import type { DebateAsk } from './debate-ports.ts';
import type { DebatesOptions } from './debate.ts';

const run = (change: Partial<DebatesOptions> = {}) => {
  const made = sampleDebates(change);
  return { ...made, end: made.debates.start({ run: 'r1', text: 'it is 17 degrees' }) };
};

describe('a debate', () => {
  it('asks each once a round, lets them hear what was said before, and ends with the verdict', async () => {
    const { end, asked, events } = run();
    const result = await end;
    assert.deepEqual(
      asked.map(({ id }) => id),
      ['ask:r1/r1-comfort', 'ask:r1/r1-costs', 'ask:r1/r2-comfort', 'ask:r1/r2-costs'],
    );
    assert.deepEqual([asked[0]?.payload.window, asked[0]?.payload.topic], [[], 'Heat or save?\nit is 17 degrees']);
    assert.deepEqual(
      asked[3]?.payload.window.map(({ agent, claim, round, proposal }) => [agent, claim, round, proposal]),
      [
        ['comfort', 'Heat', 1, [{ function: 'SetTemperature', parameters: { room: 'bedroom', celsius: 21 } }]],
        ['costs', 'Save', 1, []],
      ],
    );
    assert.equal(result?.outcome, 'done');
    const { mutations, ...verdict } = result?.verdict ?? assert.fail();
    assert.deepEqual(verdict, {
      round: 2,
      decision: 'Heat',
      confidence: 0.6,
      reasons: ['Heat is right.'],
      dissent: [{ agent: 'costs', reason: 'Save' }],
      rest: 'Heat is right.\nNot of that mind:\nCosts: Save.',
      votes: { Heat: 0.9, Save: 0.6 },
      sidedWith: 'comfort',
      by: 'rule',
      ended: 'winner',
    });
    assert.deepEqual(
      mutations.map(({ function: name, agent, step, run: of }) => [name, agent, step, of]),
      [['SetTemperature', 'comfort', 'r2-comfort', 'r1']],
    );
    assert.deepEqual(result?.mutations, mutations);
    assert.equal(result?.payload, 'Heat. Heat is right.\nNot of that mind:\nCosts: Save.');
    assert.deepEqual([events[0]?.kind, events.at(-1)?.kind], ['started', 'ended']);
  });

  it('ends early when all are of one mind', async () => {
    const { end, asked } = run({
      rules: debateRules({ rounds: 5 }),
      ask: async ({ payload, agentId }) => states(payload.round > 1 || agentId === 'costs' ? 'Save' : 'Heat', 0.2),
    });
    const result = await end;
    assert.equal(asked.length, 4);
    assert.deepEqual(
      [result?.verdict?.ended, result?.verdict?.decision, result?.verdict?.round, result?.verdict?.confidence],
      ['consensus', 'Save', 2, 1],
    );
    assert.deepEqual(result?.mutations, []);
  });

  it('is undecided on a tie after its last round, and nothing is to be done', async () => {
    const { end } = run({ rules: debateRules({ by: 'majority' }) });
    const result = await end;
    assert.equal(result?.outcome, 'undecided');
    assert.deepEqual(result?.mutations, []);
    assert.deepEqual(
      [result?.verdict?.decision, result?.verdict?.ended, result?.verdict?.votes],
      ['', 'limit', { Heat: 1, Save: 1 }],
    );
    assert.match(result?.payload ?? '', /no decision.*\nComfort: Heat\.\nCosts: Save\./);
  });

  it('gives each debater its side, what is on the board for it, and the event', async () => {
    const { debates, asked } = sampleDebates({ rules: debateRules({ rounds: 1, sides: { costs: 'saving money' } }) });
    const accepts = { ...comfort, accepts: ['MowLawn'] };
    const noted = { id: 'd1', function: 'MowLawn', parameters: { area: 'back' }, risk: 'reversible' as const };
    const other = sampleDebates({ team: async () => [accepts, costs] });
    await debates.start({ run: 'r1', text: 'x', mutations: [noted] });
    await other.debates.start({ run: 'r2', text: 'x', mutations: [noted] });
    assert.deepEqual(
      asked.map(({ payload }) => payload.side),
      [undefined, 'saving money'],
    );
    assert.deepEqual(
      other.asked.slice(0, 2).map(({ mutations }) => mutations),
      [[noted], []],
    );
  });
});

describe('a debate goes on', () => {
  it('without who fails, and asks it again in the next round', async () => {
    const { end, asked } = run({
      team: async () => [comfort, costs, garden],
      ask: async (ask) => {
        if (ask.agentId === 'garden') return failing('failed', 'I have no opinion.');
        if (ask.agentId === 'costs' && ask.payload.round === 1) throw new Error('out of order');
        return stubborn(ask);
      },
    });
    const result = await end;
    assert.equal(asked.length, 6);
    assert.equal(result?.outcome, 'done');
    assert.deepEqual(result?.verdict?.dissent, [
      { agent: 'costs', reason: 'Save' },
      { agent: 'garden', reason: 'I have no opinion.' },
    ]);
  });

  it('without who is silent, and does not wait for it again', async () => {
    const { end, asked } = run({
      ask: async (ask) => (ask.agentId === 'costs' ? failing('timeout') : stubborn(ask)),
    });
    const result = await end;
    assert.deepEqual(
      asked.map(({ payload, agentId }) => `${payload.round}${agentId}`),
      ['1comfort', '1costs', '2comfort'],
    );
    assert.deepEqual(
      [result?.outcome, result?.verdict?.decision, result?.verdict?.dissent],
      ['done', 'Heat', [{ agent: 'costs', reason: 'it did not answer in time' }]],
    );
  });

  it('until nobody has anything to say: then it has failed, or was too late', async () => {
    const failed = await run({ ask: async () => failing('failed', 'I have no opinion.') }).end;
    assert.deepEqual([failed?.outcome, failed?.error?.code], ['failed', 'FOLKMOOT_RUN_FAILED']);
    const silent = await run({ ask: async () => failing('timeout') }).end;
    assert.deepEqual([silent?.outcome, silent?.error?.code, silent?.mutations], ['timeout', 'FOLKMOOT_DEADLINE', []]);
  });

  it('without forged statements: not of the form, too sure, for others, or with what is not theirs to propose', async () => {
    const forged: readonly ((ask: DebateAsk) => unknown)[] = [
      () => 'Save',
      () => ({ claim: 'Save', confidence: 7, proposal: [], reasons: [] }),
      () => ({ claim: 'Save', confidence: 1, proposal: 'all', reasons: [] }),
      (ask) => ({ claim: 'Heat', confidence: 1, proposal: [warmer(ask)], reasons: [] }),
    ];
    for (const payload of forged) {
      const { end } = run({
        rules: debateRules({ rounds: 1 }),
        ask: async (ask) =>
          ask.agentId === 'costs' ? { status: 'answered', payload: payload(ask), mutations: [] } : stubborn(ask),
      });
      const { verdict } = (await end) ?? assert.fail();
      assert.deepEqual([verdict?.votes, verdict?.dissent.length], [{ Heat: 0.9 }, 1], String(payload));
    }
    const { end } = run({
      rules: debateRules({ rounds: 1 }),
      ask: async () => {
        const answer = states('Save', 0.5);
        return { ...answer, payload: { ...(answer.payload as object), agent: 'mayor', round: 9, side: 'king' } };
      },
    });
    assert.equal((await end)?.verdict?.sidedWith, 'comfort');
  });
});

describe('a debate that can’t be held', () => {
  it('fails with fewer than two, and is over the limit with too many or too many words', async () => {
    const few = await run({ team: async () => [comfort] }).end;
    assert.deepEqual([few?.outcome, few?.error?.code], ['failed', 'FOLKMOOT_NO_AGENTS']);
    const team = Array.from({ length: limits.debaters + 1 }, (_, n) => ({ ...comfort, agentId: `agent-${n}` }));
    const many = await run({ team: async () => team }).end;
    assert.deepEqual([many?.outcome, many?.error?.code], ['limit', 'FOLKMOOT_LIMIT']);
    const { debates, asked } = sampleDebates();
    const long = await debates.start({ text: 'x'.repeat(limits.requestChars + 1) });
    assert.deepEqual([long?.outcome, asked.length], ['limit', 0]);
  });
});

describe('a debate that a model decides', () => {
  const judged = (answers: readonly (object | string)[], more: Partial<DebatesOptions> = {}) => {
    const script = answers.map((answer) => ({ task: 'evaluate' as const, answer }));
    const rules = debateRules({ by: 'model', rounds: 1 });
    return run({ rules, model: () => createModel({ provider: 'scripted', script }), ...more }).end;
  };

  it('takes one of what was proposed, by number or by its words', async () => {
    for (const decision of [2, '2', 'save']) {
      const result = await judged([{ decision, confidence: 0.8, reasons: ['It is mild.'] }]);
      const { verdict } = result ?? assert.fail();
      assert.deepEqual(
        [result?.outcome, verdict?.decision, verdict?.confidence, verdict?.reasons, verdict?.by, verdict?.sidedWith],
        ['done', 'Save', 0.8, ['It is mild.'], 'model', 'costs'],
      );
      assert.deepEqual(verdict?.dissent, [{ agent: 'comfort', reason: 'Heat' }]);
      assert.equal(result?.usage.modelCalls, 1);
    }
  });

  it('is undecided when nothing convinces it', async () => {
    const result = await judged([{ decision: 0, reasons: ['Both are weak.'] }]);
    assert.deepEqual([result?.outcome, result?.mutations], ['undecided', []]);
  });

  it('is tried once more when the answer makes no sense, and fails when it makes none again', async () => {
    const mended = await judged([{ decision: 9 }, { decision: 1 }]);
    assert.deepEqual([mended?.verdict?.decision, mended?.usage.modelCalls], ['Heat', 2]);
    const result = await judged([{ decision: 9 }, 'I like both.']);
    assert.deepEqual([result?.outcome, result?.error?.code], ['failed', 'FOLKMOOT_MODEL_UNREADABLE']);
    assert.deepEqual(result?.mutations, []);
    const rules = await judged([], { model: () => createModel({ provider: 'rules' }) });
    assert.equal(rules?.outcome, 'failed');
    assert.match(rules?.error?.message ?? '', /AI model/);
  });

  it('needs no model when all are of one mind', async () => {
    const result = await judged([], { ask: async () => states('Save', 0.4) });
    assert.deepEqual([result?.verdict?.by, result?.verdict?.decision], ['rule', 'Save']);
  });
});

describe('a debate that is stopped', () => {
  const slowly = () => {
    const records = sampleRecords();
    const made = sampleDebates({
      records,
      deadlineMs: 5000,
      ask: async (ask) => {
        await sleep(made.clock, 2000, ask.signal);
        return stubborn(ask);
      },
    });
    return { ...made, records };
  };

  it('is cancelled: ends once, without a verdict, and what it asked is aborted', async () => {
    const { debates, clock, asked, events, records } = slowly();
    const end = debates.start({ run: 'r1', text: 'x' });
    await until(clock, () => asked.length === 2);
    assert.equal(debates.cancel('r1', 'The person said stop.'), true);
    const result = await end;
    assert.deepEqual(
      [result?.outcome, result?.reason, result?.verdict],
      ['cancelled', 'The person said stop.', undefined],
    );
    assert.ok(asked.every(({ signal }) => signal.aborted));
    assert.deepEqual(records.ended, [{ run: 'r1', outcome: 'cancelled', reason: 'The person said stop.' }]);
    assert.equal(events.filter(({ kind }) => kind === 'ended').length, 1);
    assert.equal(clock.waiting, 0);
  });

  it('ends as timeout at its deadline', async () => {
    const { debates, clock } = sampleDebates({ deadlineMs: 5000, ask: () => new Promise(() => undefined) });
    const end = debates.start({ run: 'r1', text: 'x' });
    await clock.advance(5000);
    const result = await end;
    assert.deepEqual([result?.outcome, result?.payload], ['timeout', 'There was no decision in time.']);
  });
});
