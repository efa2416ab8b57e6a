/** What can't be used of a folder of agents, in the log and as a status. */
import type { NodeKit } from '../shared/define-node.ts';
import type { Fields } from '../shared/fields.ts';

/** Each problem once, as long as it lasts; the status only when something has changed, for a run's is shown there too. */
export function tellOnce<F extends Fields>(kit: NodeKit<F>): (problems: readonly string[]) => void {
  let told: readonly string[] = [];
  return (problems) => {
    const before = told;
    told = problems;
    if (problems.join('\n') === before.join('\n')) return;
    for (const problem of problems) if (!before.includes(problem)) kit.warn(problem);
    kit.status(problems.length > 0 ? 'agents' : 'idle');
  };
}
