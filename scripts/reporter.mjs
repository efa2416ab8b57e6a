/** Mocha reporter: says nothing of what passes, names what fails or is skipped, and leaves the counts in a file. */
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

export default class QuietReporter extends Mocha.reporters.Base {
  constructor(runner, options) {
    super(runner, options);
    const skipped = [];
    const slow = [];
    const failed = [];
    const file = process.env.FOLKMOOT_REPORT;
    // Who ends a run that takes too long learns from it where it was.
    const note = (at) => file && writeFileSync(`${file}.progress`, JSON.stringify({ at, failed }));
    runner.on('suite', (suite) => note(suite.fullTitle()));
    runner.on('test', (test) => note(test.fullTitle()));
    runner.on('fail', (test, error) => {
      failed.push(`${test.fullTitle()}: ${String(error?.message).slice(0, 500)}`);
      note(test.fullTitle());
    });
    runner.on('pending', (test) => skipped.push(test.fullTitle()));
    runner.on('pass', (test) => {
      if (test.duration > 5_000) slow.push(`${(test.duration / 1000).toFixed(1)} s  ${test.fullTitle()}`);
    });
    runner.once('end', () => {
      for (const title of skipped) console.log(`skipped: ${title}`);
      for (const line of slow) console.log(`slow: ${line}`);
      if (this.failures.length) Mocha.reporters.Base.list(this.failures);
      const { passes, failures, pending } = this.stats;
      if (file) writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped: pending }));
    });
  }
}
