/** Mocha reporter: says nothing of what passes, names what fails or is skipped, and leaves the counts in a file. */
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

export default class QuietReporter extends Mocha.reporters.Base {
  constructor(runner, options) {
    super(runner, options);
    const skipped = [];
    const slow = [];
    runner.on('pending', (test) => skipped.push(test.fullTitle()));
    runner.on('pass', (test) => {
      if (test.duration > 5_000) slow.push(`${(test.duration / 1000).toFixed(1)} s  ${test.fullTitle()}`);
    });
    runner.once('end', () => {
      for (const title of skipped) console.log(`skipped: ${title}`);
      for (const line of slow) console.log(`slow: ${line}`);
      if (this.failures.length) Mocha.reporters.Base.list(this.failures);
      const { passes, failures, pending } = this.stats;
      const file = process.env.FOLKMOOT_REPORT;
      if (file) writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped: pending }));
    });
  }
}
