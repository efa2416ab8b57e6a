import assert from 'node:assert/strict';
import type { FunctionSpec } from '../engine/language/function-spec.ts';
import { sharedFiles } from '../test/shared-data.ts';
import { routeCommands, routeOne, routingFiles, routingTeams, runRouting } from './routing.cases.ts';
import type { RoutedCase, RoutingResult } from './routing.cases.ts';
import type { BenchCase } from './rules.cases.ts';
import { readJson } from './rules.sets.ts';

/** The router's own. */
const threshold = 0.55;
const all = routingFiles().map((file) => runRouting(file, threshold));
/** The 200 sentences that the first tier was built with. */
const results = all.filter(({ hand }) => hand === 'a' || hand === 'b');
/** Those of later hands, of which the sealed half was never read. */
const later = all.filter((one) => !results.includes(one));
const sum = (list: readonly RoutingResult[], key: 'total' | 'answered' | 'differing') =>
  list.reduce((so, one) => so + one[key], 0);
const share = (part: number, total: number) => part / Math.max(1, total);
/** Of open sets only: sealed sentences are never shown. */
const differing = (list: readonly RoutingResult[]) =>
  list.filter(({ half }) => half === 'open').flatMap(({ cases }) => cases.filter((one) => one.got && !one.isRight));
const textOf = ({ text }: RoutedCase) => text;

describe('the first tier on the sentences to be routed', () => {
  it('answers at least 70 % of all without a model', () => {
    assert.equal(sum(results, 'total'), 200);
    assert.ok(share(sum(results, 'answered'), 200) >= 0.7, `${sum(results, 'answered')} of 200`);
  });

  it('differs from what a planner is right to say in at most 1 % of what it answers', () => {
    const wrong = sum(results, 'differing');
    assert.ok(share(wrong, sum(results, 'answered')) <= 0.01, `${wrong}: ${differing(results).map(textOf).join('\n')}`);
  });

  it('does so on sentences of a later hand, too, and answers half of them', () => {
    const [total, answered, wrong] = [sum(later, 'total'), sum(later, 'answered'), sum(later, 'differing')];
    assert.ok(total >= 100);
    assert.ok(share(answered, total) >= 0.5, `${answered} of ${total}`);
    assert.ok(share(wrong, answered) <= 0.01, `${wrong}: ${differing(later).map(textOf).join('\n')}`);
  });

  it('never differs on what is clear, also of the sealed half, and answers four in five of it', () => {
    const clear = results.flatMap(({ cases }) => cases.filter(({ kind }) => kind === 'clear'));
    const answered = clear.filter(({ got }) => got);
    assert.ok(share(answered.length, clear.length) >= 0.8, `${answered.length} of ${clear.length}`);
    assert.equal(answered.filter(({ isRight }) => !isRight).length, 0);
  });

  it('names only agents of the team, each step with words', () => {
    const teams = routingTeams();
    for (const { cases } of results)
      for (const { team, got = [] } of cases)
        for (const { agent } of got) assert.ok(teams[team]?.some(({ agentId }) => agentId === agent));
  });

  it('says never only a part, when two clear requests to different agents are said in one', () => {
    const clear = results
      .filter(({ half }) => half === 'open')
      .flatMap(({ cases }) => cases)
      .filter(({ kind, got, steps }) => kind === 'clear' && got && !/messenger|memory/.test(steps[0]?.agent ?? ''));
    const joints = [' and ', ', then ', '. ', ' - ', ', and please '];
    const wrong: string[] = [];
    let answered = 0;
    for (const [at, a] of clear.entries())
      for (const [next, b] of clear.entries()) {
        if (a.team !== b.team || a.steps[0]?.agent === b.steps[0]?.agent) continue;
        const text = a.text.replace(/[.!?]$/, '') + (joints[(at + next) % joints.length] ?? '') + b.text;
        const { got } = routeOne(text, a.team);
        if (!got) continue;
        answered += 1;
        if (got.join() !== [a, b].map(({ steps }) => steps[0]?.agent).join()) wrong.push(`${text} -> ${got.join(' ')}`);
      }
    assert.ok(answered > 200, String(answered));
    assert.ok(share(wrong.length, answered) <= 0.01, wrong.join('\n'));
  });
});

describe('the first tier on spoken home commands', () => {
  it('saves at least 70 % of the planner’s calls, and chooses as a planner would in at least 97 % of these', () => {
    const [shared] = Object.values(sharedFiles('', 'home-commands-en.json'));
    if (shared === undefined) return;
    const functions = readJson('bench/rules-home.functions.json') as FunctionSpec[];
    const { total, answered, right } = routeCommands(JSON.parse(shared) as BenchCase[], functions, threshold);
    assert.ok(share(answered, total) >= 0.7, `${answered} of ${total}`);
    assert.ok(share(right, answered) >= 0.97, `${right} of ${answered}`);
  });
});
