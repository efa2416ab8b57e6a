/** What people read: never the machinery behind it. */
import assert from 'node:assert/strict';

/** Words of ours, code, names of functions and of agents, ids, and values as devices spell them. */
const machinery = [
  /\b(?:mutations?|blackboards?|backbone|asks|ledger|tainted|run ids?|schemas?|JSON|undefined|null|NaN)\b/i,
  /FOLKMOOT|[{}<>]|\[object/,
  /\b(?:Set|Mow|Produce|Collect|Take|Tell)[A-Z]\w*/,
  /\b(?:lawn-mower|waste-disposer)\b/,
  /\b\w+_\w+\b/,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/i,
  /\b[0-9a-f]{16,}\b/i,
];

/**
 * What in a text is not for people; empty when nothing is.
 * @param said What the person said: words that are only repeated are theirs.
 */
export function machineryIn(text: string, said = ''): string[] {
  return machinery.flatMap((pattern) => pattern.exec(text)?.[0] ?? []).filter((found) => !said.includes(found));
}

/** Fails when a text holds anything that is not for people. */
export function assertPlain(text: string, said = ''): void {
  assert.deepEqual(machineryIn(text, said), [], `"${text}"`);
}
