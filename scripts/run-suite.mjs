/** Runs one suite of `test/suites.mjs`, or one command, in a process of its own and gives its counts and time. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inRoot, root } from './paths.mjs';

const nothing = { passed: 0, failed: 0, skipped: 0 };
/** Output kept of a child; a suite that fails a thousand times needs no more to be understood. */
const outputChars = 200_000;

/** Ends the child and what it started: it leads a process group of its own. */
function killGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** @returns {Promise<{ code: number | null, output: string, seconds: number, isLate: boolean }>} */
function runChild({ command, args, env, limitSeconds }) {
  return new Promise((resolve) => {
    const started = performance.now();
    const child = spawn(command, args, { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let isLate = false;
    const keep = (chunk) => (output = (output + chunk).slice(-outputChars));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const end = (code, problem = '') => {
      clearTimeout(limit);
      process.off('exit', onExit);
      killGroup(child);
      resolve({ code, output: output + problem, seconds: (performance.now() - started) / 1000, isLate });
    };
    const onExit = () => killGroup(child);
    const limit = setTimeout(() => {
      isLate = true;
      killGroup(child);
    }, limitSeconds * 1000);
    process.once('exit', onExit);
    child.once('error', (error) => end(1, String(error)));
    child.once('exit', (code) => setTimeout(() => end(code), 50));
  });
}

function mochaCommand(suite, { node, isLong }) {
  const globs = suite.globs.filter((glob) => glob);
  const mocha = inRoot('node_modules', 'mocha', 'bin', 'mocha.js');
  const reporter = ['--reporter', inRoot('scripts', 'reporter.mjs')];
  // In the long tier a peer that cannot be had is skipped by name, and a test repeats twenty times as often.
  const long = ['--no-forbid-pending', '--timeout', '200000'];
  return { command: node, args: [mocha, ...(isLong ? long : []), ...reporter, ...globs] };
}

/**
 * Runs a suite. Its failures count at least one when the process fails in any other way (a crash, the time limit).
 * @param options `node`: path of Node 22; `env`; `isLong`: full counts.
 */
export async function runSuite(suite, options) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'folkmoot-suite-'));
  const report = path.join(folder, 'report.json');
  const env = { ...options.env, FOLKMOOT_REPORT: report, ...(options.isLong ? { FOLKMOOT_LONG: '1' } : {}) };
  const limitSeconds = suite.limitSeconds * (options.isLong ? 20 : 1);
  try {
    const ended = await runChild({ ...mochaCommand(suite, options), env, limitSeconds });
    const counts = await readFile(report, 'utf8').then(JSON.parse, () => undefined);
    const progress = ended.isLate && (await readFile(`${report}.progress`, 'utf8').then(JSON.parse, () => undefined));
    const problem = ended.isLate
      ? `did not end within ${limitSeconds} s${progress?.at ? `, at "${progress.at}"` : ''}`
      : counts
        ? ''
        : `ended with code ${ended.code}`;
    const failed = Math.max(counts?.failed ?? 0, ended.code === 0 && counts ? 0 : 1);
    const failures = (progress?.failed ?? []).map((failure) => `failed: ${failure}\n`).join('');
    return { ...nothing, ...counts, failed, seconds: ended.seconds, output: ended.output + failures, problem };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a check such as lint: it counts as one test. */
export async function runCheck(check, { node, env }) {
  const ended = await runChild({ command: node, args: check.args, env, limitSeconds: check.limitSeconds });
  const isGood = ended.code === 0;
  const problem = ended.isLate ? `did not end within ${check.limitSeconds} s` : isGood ? '' : 'found faults';
  return {
    ...nothing,
    passed: isGood ? 1 : 0,
    failed: isGood ? 0 : 1,
    seconds: ended.seconds,
    output: ended.output,
    problem,
  };
}
