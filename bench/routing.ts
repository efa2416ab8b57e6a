/**
 * Measures the first tier of routing on the sentences of `test/sets/routing`: how many are answered without a model, and how
 * many of these differ from what a planner is right to say. Of sealed ones it gives figures only; `--open` shows what was
 * left to the planner or differs of the open ones, `--threshold N` is another one than the router's own.
 */
import { parseArgs } from 'node:util';
import type { FunctionSpec } from '../engine/language/function-spec.ts';
import { sharedFiles } from '../test/shared-data.ts';
import { routeCommands, routingFiles, runRouting } from './routing.cases.ts';
import type { RoutingResult } from './routing.cases.ts';
import type { BenchCase } from './rules.cases.ts';
import { readJson } from './rules.sets.ts';

const { values: options } = parseArgs({ options: { open: { type: 'boolean' }, threshold: { type: 'string' } } });

const percent = (part: number, total: number): string => `${((100 * part) / Math.max(1, total)).toFixed(1)} %`;

const threshold = Number(options.threshold ?? 0.55);

function show({ file, total, answered, right, differing }: Omit<RoutingResult, 'cases' | 'hand' | 'half'>): void {
  console.log(
    `${file.padEnd(38)} ${total} sentences: without a model ${answered} (${percent(answered, total)}), right ${right}, differing ${differing}`,
  );
}

const steps = (list: RoutingResult['cases'][number]['steps'] | undefined): string =>
  list?.map(({ agent, parameters = {} }) => `${agent}${JSON.stringify(parameters)}`).join(' ') || 'nobody';

const results = routingFiles().map((file) => runRouting(file, threshold));
for (const result of results) {
  show(result);
  if (!options.open || result.half === 'sealed') continue;
  for (const { text, steps: wanted, got, isRight, confidence, doubt } of result.cases) {
    if (isRight) continue;
    console.log(
      `   ${got ? 'differs' : 'planner'} ${confidence.toFixed(2)}: ${text} -> ${steps(wanted)}${got ? `, not ${steps(got)}` : ` (${doubt ?? ''})`}`,
    );
  }
}
const sum = (key: 'total' | 'answered' | 'right' | 'differing') => results.reduce((all, one) => all + one[key], 0);
show({ file: 'all', total: sum('total'), answered: sum('answered'), right: sum('right'), differing: sum('differing') });

const [shared] = Object.values(sharedFiles('', 'home-commands-en.json'));
const commands = (shared === undefined ? readJson('bench/rules-own.cases.json') : JSON.parse(shared)) as BenchCase[];
const home = routeCommands(commands, readJson('bench/rules-home.functions.json') as FunctionSpec[], threshold);
console.log(
  `${String(home.total)} home commands: ${home.answered} model calls saved (${percent(home.answered, home.total)}), as a planner would ${home.right} (${percent(home.right, home.answered)} of these)`,
);
if (options.open)
  for (const { text, expected, got } of home.cases)
    if (got?.join() !== expected)
      console.log(
        `   ${got ? 'differs' : 'planner'}: ${text} -> ${expected}${got ? `, not ${got.join(' ') || 'nobody'}` : ''}`,
      );
