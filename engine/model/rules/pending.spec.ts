import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../../test/red/tier.ts';
import type { FunctionSpec } from '../../language/function-spec.ts';
import type { PendingQuestion } from '../model.ts';
import { planWithRules } from './plan.ts';
import { planData, workshop } from './sample.ts';

const lamp: FunctionSpec = {
  name: 'SetLamp',
  description: 'Turns a lamp on or off, or sets its level',
  category: 'lamps',
  risk: 'reversible',
  effect: true,
  repeatable: true,
  parameters: [
    { name: 'place', type: 'string', required: true, allowedValues: ['desk', 'door', 'bench'] },
    { name: 'state', type: 'string', required: false, allowedValues: ['on', 'off'] },
    { name: 'level', type: 'integer', required: false, minimum: 0, maximum: 100, unit: '%' },
  ],
  requireOneOf: [['state', 'level']],
};
const heater = workshop.filter(({ name }) => name === 'SetGlue');
const agent = { agentId: 'all', name: 'All', description: '', topics: [], parameters: [], accepts: [] };
const functions = [lamp, ...heater];
const agents = [{ ...agent, generates: functions.map(({ name }) => name) }];
const open: PendingQuestion = { request: 'turn on the lamp', question: 'Which place?' };
const reply = (text: string, pending: PendingQuestion = open) =>
  planWithRules(planData(text, { functions, agents, pending }));
const runs = { seed: seed(), numRuns: repeats(100) };
const places = fc.constantFrom('desk', 'door', 'bench');
const articles = fc.constantFrom('', 'the ', 'at the ');

describe('an answer', () => {
  it('completes what was asked for', () => {
    fc.assert(
      fc.property(places, articles, (place, article) => {
        assert.equal(reply(`${article}${place}`).steps.length, 1);
        assert.equal(reply(`${article}${place}, please`).steps.length, 1);
        assert.equal(reply(`${article}${place} to 40 %`).steps.length, 1);
      }),
      runs,
    );
  });

  it('is none when it is a question', () => {
    fc.assert(
      fc.property(places, articles, (place, article) => {
        assert.deepEqual(reply(`${article}${place}?`).steps, []);
        assert.deepEqual(reply(`is it ${article}${place}?`).steps, []);
      }),
      runs,
    );
  });

  it('with a number that may be a time is asked about', () => {
    fc.assert(
      fc.property(places, fc.integer({ min: 1, max: 24 }), (place, hour) => {
        const { steps, questions = [] } = reply(`the ${place} at ${hour}`);
        assert.deepEqual(steps, []);
        assert.match(questions[0]?.question ?? '', /Is “\d+” a time or the level\?/);
        assert.equal(reply('50 %', questions[0] as PendingQuestion).steps.length, 1);
      }),
      runs,
    );
    const level = { request: 'heat the red pot', question: 'How many degrees?' };
    assert.equal(reply('at 60', level).steps.length, 1);
  });
});
