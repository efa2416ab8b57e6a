/** How a judge comes to its verdict, as set: by heads, by confidence or by a model. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { ScriptLine } from '../../engine/model/model.ts';
import { startFakeOpenAi } from '../../test/fake-openai.ts';
import {
  aDebateOnWires,
  called,
  comfort,
  config,
  costs,
  debate,
  ends,
  heat,
  judge,
  measure,
  modules,
} from '../../test/red/debate-flow.ts';
import { arrivals, deploy, load, nextAt, onTab, until, type FlowNode } from '../../test/red/red.ts';

const ofJudge = (more: object): FlowNode => ({ id: 'of-judge', type: 'folkmoot-model', ...more });
const deciding = (...script: ScriptLine[]) => ofJudge({ provider: 'scripted', script });
/** Surer of saving than the others are of heating. */
const sureCosts: ScriptLine[] = [{ answer: { claim: 'Save.', confidence: 1, reasons: [], proposal: [] } }];
const family: ScriptLine[] = [{ answer: { claim: 'Make it warm!', confidence: 0.05, reasons: [], proposal: [heat] } }];

describe('a judge that counts heads', () => {
  aDebateOnWires();

  it('goes with two against one, however sure the one is; by confidence the one would win', async () => {
    const flow = (verdictBy: string): FlowNode[] => [
      ...config(undefined, sureCosts),
      { id: 'of-family', type: 'folkmoot-model', provider: 'scripted', script: family },
      ...onTab([
        judge(['comfort', 'costs', 'family'], { verdictBy, rounds: 1 }),
        comfort(),
        costs(),
        comfort({ id: 'family', name: 'family', model: 'of-family' }),
        ...ends,
      ]),
    ];
    await load(modules, flow('majority'));
    const byHeads = nextAt('result');
    measure(17);
    const { moot } = await byHeads;
    assert.deepEqual(
      [moot?.outcome, moot?.verdict?.decision, moot?.verdict?.by, moot?.verdict?.votes],
      ['done', 'Heat.', 'rule', { 'Heat.': 2, 'Save.': 1 }],
    );
    assert.equal(moot?.verdict?.confidence, 0.667);
    assert.deepEqual(called(moot), [['SetHeating', heat.parameters]]);
    assert.deepEqual(moot?.verdict?.dissent, [{ agent: 'costs', reason: 'Save.' }]);
    assert.equal(moot?.verdict?.sidedWith, 'comfort');
    await deploy(flow('weighted'), 'full');
    const byConfidence = nextAt('result');
    measure(17);
    assert.deepEqual((await byConfidence).moot?.verdict?.votes, { 'Heat.': 0.95, 'Save.': 1 });
  });

  it('is undecided at one against one, by otherwise, although one is surer', async () => {
    await load(modules, debate({ verdictBy: 'majority' }));
    const results = arrivals('result');
    const none = nextAt('fallback');
    measure(17);
    const { moot, payload } = await none;
    assert.deepEqual(
      [moot?.outcome, moot?.verdict?.decision, moot?.verdict?.votes, called(moot)],
      ['undecided', '', { 'Heat.': 1, 'Save.': 1 }, []],
    );
    assert.equal(payload, 'There is no decision, so nothing is done.\ncomfort: Heat.\ncosts: Save.');
    assert.equal(results.length, 0);
  });
});

describe('a judge with a model', function () {
  this.timeout(20_000);
  const time = aDebateOnWires();
  const judged = (model: FlowNode | undefined, more: object = {}) => [
    ...(model ? [model] : []),
    ...debate({ verdictBy: 'model', model: model ? 'of-judge' : '', ...more }),
  ];

  it('does what its model chose of what was said, also against the surer one, and says why', async () => {
    const answer = { decision: 2, confidence: 0.8, reasons: ['It gets warmer soon.'] };
    await load(modules, judged(deciding({ task: 'evaluate', answer })));
    const saved = nextAt('result');
    measure(17);
    const { moot, payload } = await saved;
    assert.deepEqual(
      [moot?.outcome, moot?.verdict?.decision, moot?.verdict?.by, moot?.verdict?.confidence, called(moot)],
      ['done', 'Save.', 'model', 0.8, []],
    );
    assert.equal(payload, 'Save. It gets warmer soon.\nNot of that mind:\ncomfort: Heat.');
    assert.equal(moot?.verdict?.sidedWith, 'costs');
  });

  it('carries out the commands of what was chosen, by its words; with nothing convincing it is undecided', async () => {
    const lines: ScriptLine[] = [
      { task: 'evaluate', condition: 'event[0].value < 18', answer: { decision: 'heat.', reasons: ['It is cold.'] } },
      { task: 'evaluate', condition: 'event[0].value >= 18', answer: { decision: 0, reasons: ['Both are weak.'] } },
    ];
    await load(modules, judged(deciding(...lines)));
    const result = nextAt('result');
    measure(17);
    assert.deepEqual(called((await result).moot), [['SetHeating', heat.parameters]]);
    const none = nextAt('fallback');
    measure(20.5);
    const { moot } = await none;
    assert.deepEqual([moot?.outcome, moot?.verdict?.decision, called(moot)], ['undecided', '', []]);
    assert.equal(moot?.reason, 'The judge finds that nothing was convincing.');
  });

  for (const [of, model] of [
    ['nothing, so it is the rules', undefined],
    ['the rules', ofJudge({ provider: 'rules' })],
  ] as const)
    it(`fails in words, by otherwise, when its model is set to ${of}, which judge nothing`, async () => {
      await load(modules, judged(model));
      const results = arrivals('result');
      const none = nextAt('fallback');
      measure(17);
      const { moot, payload } = await none;
      assert.deepEqual([moot?.outcome, moot?.verdict, called(moot)], ['failed', undefined, []]);
      assert.equal(payload, 'The decision could not be worked out.');
      assert.match(String(moot?.reason), /AI model/);
      assert.equal(results.length, 0);
    });

  it('ends in words at the time limit when its model is silent, and lets go of it', async () => {
    const server = await startFakeOpenAi({ answer: () => ({ silence: 'start' }) });
    try {
      const silent = ofJudge({ provider: 'openai-compatible', baseUrl: server.url, modelName: 'm' });
      await load(modules, judged(silent, { deadlineSeconds: 30 }));
      const none = nextAt('fallback');
      measure(17);
      await until(() => server.requests.length === 1);
      await pause(20);
      await time.clock().advance(30_000);
      const { moot, payload } = await none;
      assert.deepEqual([moot?.outcome, moot?.verdict, called(moot)], ['timeout', undefined, []]);
      assert.equal(payload, 'There was no decision in time.');
      await until(() => server.aborted() === 1);
    } finally {
      await server.close();
    }
  });
});
