/** Problems of a backbone that belong to no message: the same words once a minute, so that no outage fills a log. */
import { asError } from '../../engine/errors.ts';
import { limits } from '../../engine/limits.ts';
import { processClock } from '../shared/process.ts';

/** @param log Gets the words. */
export function reportOnce(log: (text: string) => void): (problem: unknown) => void {
  const said = new Map<string, number>();
  return (problem) => {
    const { message } = asError(problem);
    const now = processClock.now();
    const last = said.get(message);
    if (last !== undefined && now - last < limits.badReportEveryMs) return;
    said.delete(message);
    said.set(message, now);
    const oldest = said.keys().next().value;
    if (said.size > limits.badKinds && oldest !== undefined) said.delete(oldest);
    log(message);
  };
}
