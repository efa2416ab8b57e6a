/** Short orders at the end that say what to do with what was told before: "…, sort it out please", "…, keep that in mind". */
import type { Profiles } from './profile.ts';
import type { Reading } from './reading.ts';
import type { Verdict } from './verdict.ts';

const end = '(?: (?:for me|please|would you|will you|again|then|now))*$';
const seeing = new RegExp(
  `^(?:do something about (?:it|that|this|them)|sort (?:it|that|this|them) out|(?:deal with|see to|take care of|look after|fix|handle) (?:it|that|this|them))${end}`,
);
const keeping = new RegExp(
  `^(?:(?:keep|bear) (?:that|this|it) in mind|(?:note|write|jot) (?:that|this|it) down|(?:remember|memorise|memorize|do not forget) (?:that|this|it)|make a note(?: of (?:that|this|it))?)${end}`,
);

/** The last clause in plain words, when all before it are only told. */
function tailOf(readings: readonly Reading[]): string | undefined {
  const last = readings.at(-1);
  const isTold = readings.length > 1 && readings.slice(0, -1).every(({ clause }) => clause.mood === 'statement');
  return last && isTold ? last.clause.tokens.map(({ text }) => text).join(' ') : undefined;
}

/** "The lawn is up to my knees, sort it out": what was told is what is to be seen to. */
export function withoutTail(readings: readonly Reading[]): readonly Reading[] {
  const [first, ...more] = readings;
  if (!first || more.length !== 1 || !seeing.test(tailOf(readings) ?? '')) return readings;
  const { clause, evidence } = first;
  // "There is cut grass on the lawn": what was told orders nothing.
  const byAgent = evidence.byAgent.map((one) => ({ ...one, verb: 0 }));
  return [{ clause: { ...clause, mood: 'command' }, evidence: { ...evidence, byAgent } }];
}

const uncertain = new Set(['not', 'never', 'if', 'unless', 'might', 'may', 'perhaps', 'maybe', 'or']);

/** "The key is in the blue tin, keep that in mind": for the one who remembers, as it was said. */
export function keptOf(readings: readonly Reading[], { agents }: Profiles): Verdict | undefined {
  const holders = agents.filter(({ meanings }) => meanings.has('action:remembering'));
  const [holder] = holders;
  if (!holder || holders.length > 1 || !keeping.test(tailOf(readings) ?? '')) return undefined;
  if (
    readings.some(
      ({ clause }) => clause.tokens.some(({ text }) => uncertain.has(text)) && clause !== readings.at(-1)?.clause,
    )
  )
    return undefined;
  return { agentId: holder.agentId, confidence: 0.9 };
}
