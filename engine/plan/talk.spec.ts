/** Chat steps in a run: who answers them, and that nobody is asked whether they may be (P22). */
import assert from 'node:assert/strict';
import {
  answered,
  answerOf,
  member,
  obedient,
  planner,
  sampleRunner,
  sampleTeam,
} from '../../test/plan/sample-team.ts';
import { lightAndLawn, waitingHouse } from '../../test/plan/waiting-house.ts';
import { createModel } from '../model/catalogue.ts';
import { plannerOf } from '../router/plan.ts';
import { createLocalTeam } from '../team/local-team.ts';
import type { AskStep } from './run-ports.ts';

const chatter = member('chatter', { fallback: true });
const team = async () => [...sampleTeam, chatter];
const joke = 'Why did the mower blush? It saw the lawn’s new cut.';
const ask: AskStep = async (step, context) => (step.agent === 'chatter' ? answered(joke) : obedient(step, context));
const talk = answerOf([['chat', 'tell a joke']], { message: '' });

describe('a chat step', () => {
  it('yields the answer of the fallback agent', async () => {
    const { runner } = sampleRunner({ team, ask, call: planner(() => talk) });
    const result = await runner.start({ text: 'a joke, please' });
    assert.deepEqual([result?.outcome, result?.payload], ['done', joke]);
  });

  it('of a plan that somebody brings is answered too', async () => {
    const { runner } = sampleRunner({ team, ask });
    const step = { id: 's1', agent: 'chat', prompt: 'a joke', parameters: {}, after: [], state: 'waiting' as const };
    const result = await runner.start({ text: 'proceed', plan: { message: '', steps: [step] } });
    assert.equal(result?.payload, joke);
  });

  it('is answered at once where people are asked before a plan', async () => {
    const { say } = waitingHouse({
      before: 'both',
      team,
      ask,
      plans: (text) => (/joke/.test(text) ? talk : lightAndLawn),
    });
    assert.deepEqual([(await say('a joke')).payload, (await say('make it nice')).outcome], [joke, 'asked']);
  });

  it('waits with the rest where the fallback agent may do something', async () => {
    const doer = async () => [...sampleTeam, { ...chatter, generates: ['SetLight'] }];
    const { say } = waitingHouse({ before: 'plan', team: doer, ask, plans: () => talk });
    assert.equal((await say('a joke')).outcome, 'asked');
  });

  it('is carried out by a fallback agent that is data, with a model of its own', async () => {
    const rules = createModel({ provider: 'rules' });
    const words = createModel({ provider: 'scripted', script: [{ when: 'joke', answer: { message: joke } }] });
    const agents = (await team()).map(({ nodeId: _, ...agent }) => agent);
    const local = createLocalTeam({ agents, model: ({ fallback }) => (fallback ? words : rules) });
    const { runner } = sampleRunner({ team: async () => local.members, ask: local.ask, call: plannerOf(rules) });
    assert.equal((await runner.start({ text: 'tell me a joke' }))?.payload, joke);
    const lit = await runner.start({ text: 'turn the kitchen light on' });
    assert.deepEqual(
      lit?.mutations.map(({ function: name }) => name),
      ['SetLight'],
    );
  });
});
