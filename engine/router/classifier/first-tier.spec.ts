import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { FunctionSpec } from '../../language/function-spec.ts';
import type { TeamMember } from '../team.ts';
import { complexityOf } from './complexity.ts';
import { firstTier } from './first-tier.ts';
import type { FirstTierInput } from './first-tier.ts';
import { readSentence } from '../../model/rules/tokens.ts';
import { english } from '../../model/rules/words.en.ts';

type Teams = Record<string, { functions: FunctionSpec[]; agents: Omit<TeamMember, 'functions' | 'nodeId'>[] }>;
const teams = JSON.parse(
  readFileSync(new URL('../../../test/sets/routing/teams.json', import.meta.url), 'utf8'),
) as Teams;

function team(name: string): TeamMember[] {
  const { functions = [], agents = [] } = teams[name] ?? {};
  return agents.map((agent) => ({
    ...agent,
    nodeId: agent.agentId,
    functions: functions.filter((spec) => [...agent.accepts, ...agent.generates].includes(spec.name)),
  }));
}

const home = team('home');

/** Who does it, in order; `planner`: it is left to the planner. */
function routed(request: string, members = home, more: Partial<FirstTierInput> = {}): string {
  const { answer } = firstTier({ request, team: members, ...more }, 0.5);
  if (!answer) return 'planner';
  return answer.steps.map(({ agent }) => agent).join(' ') || 'nobody';
}

const table = (cases: Readonly<Record<string, string>>, members = home) => {
  const got = Object.fromEntries(Object.keys(cases).map((text) => [text, routed(text, members)]));
  assert.deepEqual(got, cases);
};

describe('the first tier', () => {
  it('gives what is clear to the one whose matter it is, by words, synonyms, values and everyday words', () => {
    table({
      'Switch on the lamp in the bedroom, please': 'lights',
      'its dark in here, bedroom light on pls': 'lights',
      'brr, crank the heating up to 23 in the living room': 'climate',
      'The sun is blinding me in the living room, shades down please': 'blinds',
      'the front lawn looks like a jungle, mow it please': 'lawn-mower',
      "there's cut grass everywhere on the front lawn, pick it up please": 'waste-disposer',
      'how many users are on the system': 'system-watcher',
      'how much electricity is the house using': 'house-watcher',
    });
  });

  it('mends a typing error, and takes the request as it came for the prompt', () => {
    const { answer } = firstTier({ request: ' Kitchen lihgt on ', team: home }, 0.5);
    assert.deepEqual(answer?.steps, [{ agent: 'lights', prompt: 'Kitchen lihgt on' }]);
  });

  it('does not read what is told or remembered as a request', () => {
    table({
      'tell Sam the light in his room is still on': 'messenger',
      'remember I lent the mower to Paul': 'memory-keeper',
      'remember that the lamp is broken and switch the hall light off': 'planner',
      'tell Jo how warm it is in the bedroom': 'planner',
    });
  });

  it('asks those who can tell when it is a question, and those who can act when it is an order', () => {
    table({
      'What’s the temperature in the bedroom?': 'house-watcher',
      'set the temperature in the bedroom to 18': 'climate',
      'how do I clean the blinds': 'planner',
      'did you turn off the kitchen light': 'planner',
    });
  });

  it('divides orders of which each is clear, in their order, and names the place again', () => {
    const { answer } = firstTier(
      { request: 'close the bedroom blinds and turn on the lamp in there', team: home },
      0.5,
    );
    assert.deepEqual(answer?.steps, [
      { agent: 'blinds', prompt: 'close the bedroom blinds' },
      { agent: 'lights', prompt: 'turn on the lamp in the bedroom' },
    ]);
    table({ 'cut the front grass, then pick up the clippings': 'lawn-mower waste-disposer' });
  });

  it('leaves to the planner what is denied, conditional, reported, quoted, a choice or in another order', () => {
    for (const request of [
      'don’t mow the front lawn',
      'mow the front lawn if it rains',
      'Tom said I should mow the front lawn',
      'he wrote “mow the front lawn”',
      'mow the front or the back lawn',
      'collect the clippings after you mowed the front lawn',
      'turn the kitchen light on and close them',
    ])
      assert.equal(routed(request), 'planner', request);
  });

  it('is not misled by a word that means another thing', () => {
    for (const request of [
      'suggest a light lunch',
      'my head feels all light',
      'put me down for the car pool',
      'heat the pizza in the kitchen',
      'turn on the TV in the bedroom',
      'shut down the computer',
      'open the bedroom window',
    ])
      assert.ok(!/[a-z]-|lights|climate|blinds/.test(routed(request)), `${request}: ${routed(request)}`);
  });

  it('leaves to the planner what answers a question, changes a plan, comes of an event or leans on earlier talk', () => {
    const clear = 'turn the kitchen light on';
    const previous = { message: '', steps: [] };
    assert.equal(routed(clear, home, { pending: { request: 'x', question: 'y?' } }), 'planner');
    assert.equal(routed(clear, home, { previous }), 'planner');
    assert.equal(routed(clear, home, { event: [] }), 'planner');
    const history = [{ role: 'user' as const, text: 'turn the hall light on' }];
    assert.equal(routed('the kitchen light too', home, { history }), 'planner');
    assert.equal(routed(clear, home, { history }), 'lights');
    assert.equal(routed('turn it off'), 'planner');
  });

  it('knows kinds of things: animals and plants, furniture; and fills an agent’s parameters only where it is sure', () => {
    table(
      {
        'put a sea cucumber in the water': 'creature-creator',
        'plant pine trees in the mountains': 'vegetation-creator',
        'let the human buy fish from the fisherman': 'relationship-creator',
        'put a cow and some grass on the prairie': 'planner',
      },
      team('sim-life'),
    );
    const steps = (request: string) => firstTier({ request, team: team('household') }, 0.5).answer?.steps;
    assert.deepEqual(steps('move the chairs and the sun lounger to the back')?.[0]?.parameters, {
      'furniture-kind': ['chairs', 'sun lounger'],
    });
    assert.deepEqual(steps('clean the deep end of the pool')?.[0]?.parameters, { 'pool-side': ['deep'] });
    assert.equal(steps('move the rickety chairs to the back'), undefined);
  });

  it('goes by what numbers are counted in where rooms say nothing', () => {
    table({
      'kitchen down to 19 degrees until supper': 'climate',
      'hall lamp out, and 19 degrees in the bedroom': 'lights climate',
      'Off to work. Living room at 18, kitchen light off': 'planner',
    });
  });

  it('passes over no part that somebody else is meant by', () => {
    table({
      'close the living room blinds and kitchen light off': 'planner',
      'It’s too dark in the hall, and is the front door shut': 'planner',
      'shut the bedroom blinds, by the way kitchen lamp on full': 'blinds lights',
    });
    table({ 'let the wolf hunt the deer and some kelp for the coast': 'planner' }, team('sim-life'));
  });

  it('lets nobody’s matters stand that only say why, where or what something is called', () => {
    table({ 'whew, nobody is coming today, heat the bedroom to 16': 'climate' });
    table(
      {
        'Make a robot named Bo, aged 3, in the mountains': 'creature-creator',
        'add a deer that lives on the prairie': 'creature-creator',
        'add a deer that lives on clover': 'planner',
        'cover teh prairie with clover': 'vegetation-creator',
      },
      team('sim-life'),
    );
  });

  it('knows what people ask to have remembered, and ask for what they said', () => {
    table({
      'don’t forget that the spare key is with Jo': 'memory-keeper',
      'where did I say the ladder was?': 'memory-keeper',
      'you can forget what I told you about the roof': 'memory-keeper',
      'don’t forget to mow the front lawn': 'planner',
    });
  });

  it('sees to what was told just before, and keeps it in mind', () => {
    table({
      'the bins are collected on Fridays now, keep that in mind for me please': 'memory-keeper',
      'the bins may be collected on Fridays, keep that in mind': 'planner',
      'there is cut grass on the front lawn, deal with it please': 'waste-disposer',
      'I hate the news, fix that': 'planner',
    });
  });

  it('passes over nothing that is to be done meanwhile, or that a thing needs besides', () => {
    table({
      'turn off the kitchen light while you close the blinds in the bedroom': 'planner',
      'close the bedroom blinds while you are at it': 'blinds',
      'The lawn at the front needs a trim and get rid of the clippings in the back': 'planner',
      'The front lawn needs mowing and turn off the hall light': 'lawn-mower lights',
    });
  });

  it('greets by itself, and declines everyday matters of nobody, but not where somebody is there for anything', () => {
    assert.equal(routed('hello there'), 'nobody');
    const pizza = 'order a pizza with mushrooms';
    assert.equal(firstTier({ request: pizza, team: home }, 0.5).answer?.declined, true);
    const [first] = home;
    assert.ok(first);
    const withHelper = [...home, { ...first, agentId: 'helper', fallback: true }];
    for (const request of [pizza, 'hello there']) assert.equal(routed(request, withHelper), 'planner');
  });

  it('is less sure of the same words the more complex the sentence is (P19)', () => {
    const sure = (request: string) => firstTier({ request, team: home }, 0).confidence;
    const plain = 'turn on the light in the hall';
    const winding =
      'turn on the light in the hall, the light in the hall, so that we can see the light in the hall in the evening, and in the night, and in the hall';
    assert.ok(sure(plain) > sure(winding), `${sure(plain)} ${sure(winding)}`);
    assert.equal(sure(plain), 1);
  });

  it('answers less, the higher the threshold', () => {
    const requests = [
      'hall light on',
      'the bedroom a bit cooler',
      'heat the bedroom to 21',
      'how bright is it in the hall',
    ];
    const count = (threshold: number) =>
      requests.filter((request) => firstTier({ request, team: home }, threshold).answer).length;
    assert.ok(count(0) >= count(0.5) && count(0.5) >= count(1));
    assert.equal(firstTier({ request: 'hall light on', team: home }, 1.01).answer, undefined);
  });
});

describe('complexity', () => {
  const scoreOf = (text: string, verbs: number) => complexityOf(readSentence(text, english).tokens, verbs);

  it('is less of a simple sentence than of a composite one (P19)', () => {
    const simple = scoreOf('switch on the lamp in the bedroom', 1);
    const composite = scoreOf(
      'mow the front lawn and take the waste to the site, then move the furniture and the table to the back',
      3,
    );
    assert.ok(simple.score < 0.5 && composite.score > 1, `${simple.score} ${composite.score}`);
    assert.ok(simple.typeTokenRatio > composite.typeTokenRatio);
    assert.ok(simple.hapaxShare > composite.hapaxShare);
    assert.deepEqual(scoreOf('', 0).score, 0);
  });
});
