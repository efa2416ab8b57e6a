/** What can't be used of a folder of agents, in the log and as a status. */
import type { NodeKit } from '../shared/define-node.ts';
import type { Fields } from '../shared/fields.ts';

/** Each problem once, as long as it lasts. */
export function tellOnce({ warn, status }: NodeKit<Fields>): (problems: readonly string[]) => void {
  let told: readonly string[] = [];
  return (problems) => {
    for (const problem of problems) if (!told.includes(problem)) warn(problem);
    if (problems.length > 0) status('agents');
    else if (told.length > 0) status('idle');
    told = problems;
  };
}
