/** A process for `stream-groups.spec.ts`: works on entries of a stream as one of a group, slowly, and prints each it has done. */
import { systemClock } from '../../engine/clock.ts';
import { createStreams } from '../../engine/valkey/streams.ts';

const [, , url = '', consumer = '', results = ''] = process.argv;
const streams = createStreams({
  server: { url },
  clock: systemClock,
  onProblem: (problem) => process.stderr.write(`${problem.message}\n`),
});
/** An entry takes so long; several are in work at once. */
const workMs = 20;
const group = streams.group({
  key: 'jobs',
  group: 'workers',
  consumer,
  inWork: 5,
  idleMs: 1_000,
  handle: async ({ fields }, { isAgain }) => {
    const job = String(fields['job']);
    await new Promise((resolve) => setTimeout(resolve, workMs));
    await streams.add(results, { job, by: consumer, again: String(isAgain) });
  },
});
await group.ready;
process.stdout.write('ready\n');
