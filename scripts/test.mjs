/**
 * `npm test`: installs and builds what is missing, then runs the suites of `test/suites.mjs`, two at a time.
 * `npm test -- SUITE…` runs some of them. `--ci` adds lint, format and types. `--long` runs suites in full counts.
 */
import os from 'node:os';
import path from 'node:path';
import { suites } from '../test/suites.mjs';
import { ensureInstalledAndBuilt } from './ensure.mjs';
import { inRoot } from './paths.mjs';
import { runCheck, runSuite } from './run-suite.mjs';

const checks = [
  { name: 'lint', args: [inRoot('node_modules/eslint/bin/eslint.js'), '.', '--max-warnings=0'], limitSeconds: 180 },
  { name: 'format', args: [inRoot('node_modules/prettier/bin/prettier.cjs'), '--check', '.'], limitSeconds: 120 },
  { name: 'types', args: [inRoot('node_modules/typescript/bin/tsc'), '--noEmit', '-p', '.'], limitSeconds: 180 },
  {
    name: 'editor types',
    args: [inRoot('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.editor.json'],
    limitSeconds: 120,
  },
];

function readArguments(words) {
  const isLong = words.includes('--long');
  const isCi = words.includes('--ci');
  const names = words.filter((word) => !word.startsWith('--'));
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
  if (unknown.length) {
    throw new Error(
      `No suite is called ${unknown.join(', ')}. There are: ${suites.map((suite) => suite.name).join(', ')}.`,
    );
  }
  const chosen = suites.filter((suite) =>
    names.length ? names.includes(suite.name) : isLong || suite.tier === 'short',
  );
  return { isLong, isCi, chosen };
}

function say(task, result) {
  const { passed, failed, skipped, seconds, output, problem } = result;
  if (failed && output.trim()) console.log(`\n${output.trim()}\n`);
  else if (skipped || output.includes('slow:')) console.log(output.trim());
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
  console.log(`${task.name.padEnd(14)} ${counts.padEnd(36)} ${seconds.toFixed(1)} s${problem ? `  ${problem}` : ''}`);
}

/** Runs tasks in order, up to `width` at once; one that wants to be alone waits for the others and they for it. */
async function runTasks(tasks, width) {
  const results = [];
  const running = new Set();
  for (const task of tasks) {
    while (running.size >= (task.alone ? 1 : width) || [...running].some((other) => other.task.alone)) {
      await Promise.race([...running].map((other) => other.promise));
    }
    const entry = { task };
    entry.promise = task.run().then((result) => {
      running.delete(entry);
      results.push(result);
      say(task, result);
    });
    running.add(entry);
  }
  await Promise.all([...running].map((entry) => entry.promise));
  return results;
}

async function main() {
  const { isLong, isCi, chosen } = readArguments(process.argv.slice(2));
  const started = performance.now();
  const node = await ensureInstalledAndBuilt({ say: console.log });
  const seed = process.env.FOLKMOOT_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
  console.log(`random seed ${seed} (run again with FOLKMOOT_SEED=${seed})`);
  const env = {
    ...process.env,
    FOLKMOOT_SEED: seed,
    PATH: [path.dirname(node), inRoot('node_modules', '.bin'), process.env.PATH].join(path.delimiter),
  };
  const tasks = [
    ...(isCi ? checks.map((check) => ({ name: check.name, run: () => runCheck(check, { node, env }) })) : []),
    ...chosen.map((suite) => ({ ...suite, run: () => runSuite(suite, { node, env, isLong }) })),
  ];
  const results = await runTasks(tasks, Math.min(2, os.availableParallelism()));
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  console.log(`all in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  console.log(`${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`);
  if (total('failed')) process.exitCode = 1;
}

main().catch((error) => {
  console.error(String(error?.message ?? error));
  console.log('0 passed, 1 failed, 0 skipped');
  process.exitCode = 1;
});
