/**
 * Measures the `rules` model. `npm run bench:rules` takes the home commands of the shared data (or the project's own, where
 * they are absent); `--functions FILE`, `--cases FILE`, `--json FILE` name others; `--sets` runs the sets of `test/sets`,
 * of which the sealed ones give figures only; `--open` shows what was not right of the open ones,
 * `--memory` adds an agent with a memory.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { sharedFiles } from '../test/shared-data.ts';
import { functionsOf, measure } from './rules.cases.ts';
import { memoryFunctions } from '../engine/memory/memory-functions.ts';
import type { BenchCase } from './rules.cases.ts';
import { readJson, root, runSet, setFiles, trapFigures } from './rules.sets.ts';
import type { FunctionSpec } from '../engine/language/function-spec.ts';

const { values: options } = parseArgs({
  options: {
    functions: { type: 'string' },
    cases: { type: 'string' },
    json: { type: 'string' },
    sets: { type: 'boolean' },
    memory: { type: 'boolean' },
    open: { type: 'boolean' },
  },
});

const percent = (part: number, total: number): string => `${((100 * part) / Math.max(1, total)).toFixed(1)} %`;

function benchCases(): void {
  const own = 'bench/rules-own.cases.json';
  const shared = options.cases === undefined ? sharedFiles('', 'home-commands-en.json') : {};
  const [[name, text] = [options.cases ?? own, undefined]] = Object.entries(shared);
  const functionsFile = path.resolve(options.functions ?? path.join(root, 'bench/rules-home.functions.json'));
  const cases = (text === undefined ? readJson(path.resolve(root, name)) : JSON.parse(text)) as BenchCase[];
  const functions = readJson(functionsFile) as FunctionSpec[];
  const result = measure(cases, functions);
  const { perSecond, ...written } = result;
  if (options.json) writeFileSync(path.resolve(options.json), `${JSON.stringify(written, null, 2)}\n`);
  const { total, right, asked, wrong } = result;
  console.log(`${path.basename(name)}: ${total} cases, ${functionsOf(functions)} functions`);
  console.log(
    `right ${right} (${percent(right, total)})  asked ${asked} (${percent(asked, total)})  wrong ${wrong} (${percent(wrong, total)})`,
  );
  console.log(`${Math.round(perSecond)} sentences a second`);
  if (options.open)
    for (const one of result.cases.filter(({ verdict }) => verdict !== 'right'))
      console.log(`${one.verdict}: ${one.text} -> ${JSON.stringify(one.got)} (${one.reply})`);
}

function benchSets(): void {
  const results = setFiles().map((file) => runSet(file, options.memory ? memoryFunctions : []));
  for (const result of results) {
    const { file } = result;
    const { total, right, asked, wrong, acted } = result;
    console.log(
      `${file.padEnd(46)} ${total} cases: right ${right} (${percent(right, total)}), asked ${asked}, wrong ${wrong}; acted on what must not act: ${acted}`,
    );
    if (!options.open || file.includes('.sealed.')) continue;
    for (const one of result.cases.filter(({ verdict }) => verdict !== 'right'))
      console.log(`   ${one.verdict}: ${one.text} -> ${JSON.stringify(one.got)} (${one.said})`);
  }
  for (const half of ['open', 'sealed'] as const) {
    const { total, wrong, asked, lookAlikes, understood } = trapFigures(results, half);
    console.log(
      `traps, ${half}: ${total} cases: wrong ${wrong} (${percent(wrong, total)}), asked ${asked}; of ${lookAlikes} look-alikes right ${understood} (${percent(understood, lookAlikes)})`,
    );
  }
}

if (options.sets) benchSets();
else benchCases();
