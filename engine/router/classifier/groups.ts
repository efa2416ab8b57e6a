/** Clauses in a row that are one agent's matter. */
import type { Token } from '../../model/rules/tokens.ts';
import type { Evidence } from './evidence.ts';
import { isContent } from './place.ts';
import type { Profiles } from './profile.ts';
import type { Reading } from './reading.ts';
import { verdictOf } from './verdict.ts';
import type { Verdict } from './verdict.ts';

export interface Group extends Verdict {
  readonly readings: readonly Reading[];
  /** An order in it is perhaps somebody else's. */
  readonly isUnsure: boolean;
}

/** Less than this says nothing of whose matter a clause is. */
export const least = 0.25;

/** And less than this, not that it is the same one's as the clause before. */
const surely = 0.4;

export function groupsOf(readings: readonly Reading[], profiles: Profiles): Group[] {
  const groups: Group[] = [];
  for (const reading of readings) {
    const last = groups.at(-1);
    const verdict = verdictOf([reading], profiles);
    const isSure = verdict !== undefined && verdict.confidence >= least;
    const own = isSure ? verdict.agentId : '';
    if (!last || (own && last.agentId && own !== last.agentId))
      groups.push({ agentId: own, confidence: verdict?.confidence ?? 0, readings: [reading], isUnsure: false });
    else {
      const isSurely = verdict !== undefined && verdict.confidence >= surely;
      groups[groups.length - 1] = joined(last, reading, isSurely ? own : '', profiles);
    }
  }
  return groups.filter(({ agentId, isUnsure }) => agentId !== '' || isUnsure);
}

/** @param own Whose matter the clause alone is; empty: nobody knows. */
function joined(last: Group, reading: Reading, own: string, profiles: Profiles): Group {
  const readings = [...last.readings, reading];
  const verdict = verdictOf(readings, profiles);
  const isPart =
    last.agentId === ''
      ? !isApart(last, reading)
      : own === last.agentId || (belongs(reading, last.agentId, profiles) && !isSetTwice(last, reading));
  // Rooms and numbers alone are nobody's, also when there are more of them.
  const isKnown = verdict !== undefined && (last.agentId !== '' || verdict.confidence >= least);
  return {
    agentId: isKnown ? verdict.agentId : '',
    confidence: verdict?.confidence ?? 0,
    readings,
    isUnsure: last.isUnsure || !isPart,
  };
}

const leaning = new Set(['it', 'them', 'that', 'those', 'these', 'one', 'there']);

/** Two orders, and nobody knows whose the first one is. */
const isApart = ({ readings }: Group, { clause }: Reading): boolean =>
  !clause.tokens.some(({ text }) => leaning.has(text)) &&
  readings.some(
    (one) =>
      (one.clause.mood === 'command' && clause.mood === 'command') ||
      (one.clause.mood === 'question' && one.evidence.content.length > 0) ||
      (one.clause.mood !== 'statement' && one.evidence.byAgent.some(({ things }) => things >= 0.5)) ||
      one.clause.tokens.some(({ value }) => value !== undefined) ||
      one.evidence.byAgent.some(({ values }) => values >= 0.8),
  );

const states = new Set(['on', 'off', 'open', 'closed', 'shut']);

/** "blinds shut, and make it 21": it is set already, so the number may be for something else. */
const isSetTwice = ({ readings }: Group, { clause }: Reading): boolean =>
  clause.tokens.some(({ value }) => value !== undefined) &&
  readings.some((one) => one.clause.tokens.some(({ text, value }) => value !== undefined || states.has(text)));

/** What nobody alone is sure of belongs to the one before where it leans on what was said, or says nothing by itself. */
function belongs(reading: Reading, agentId: string, profiles: Profiles): boolean {
  const { clause, evidence } = reading;
  const agent = profiles.agents.find((one) => one.agentId === agentId);
  const own = evidence.byAgent.find((one) => one.agentId === agentId);
  // "time to get up"
  if (clause.mood === 'statement' || clause.opening[0] === 'time') return true;
  if (!agent || !own) return false;
  const core = own.things + own.verb;
  if (isAttribute(reading, agentId, profiles)) return true;
  if (clause.mood === 'question') return core >= 0.5 && (!profiles.canTell || agent.tells);
  if (clause.mood === 'command' && !agent.acts && own.verb < 1) return false;
  const best = Math.max(...evidence.byAgent.map(({ things, verb, values }) => things + verb + values));
  if (best > core + own.values + 0.3) return false;
  // "… and make it 21", but not "… and take it away".
  return clause.mood === 'fragment'
    ? isMore(reading, own)
    : clause.tokens.some(({ text }) => leaning.has(text)) && (own.values > 0 || core >= 0.5);
}

const attributive = new Set(
  'called named aged age living with from in on for near by beside along among under standing growing made'.split(' '),
);

/** "…, called Zog", "…, 1 year old", "…, in the hall": more of what was said, and nothing of anybody else's. */
function isAttribute({ clause: { mood, tokens }, evidence }: Reading, agentId: string, { agents }: Profiles): boolean {
  const isOfAge = tokens.some(({ text }) => text === 'age' || text === 'aged' || text === 'old');
  const isMeasured = tokens.some(({ value }) => value !== undefined);
  if (mood !== 'fragment' || (isMeasured && !isOfAge)) return false;
  if (!isOfAge && !attributive.has(tokens[0]?.text ?? '')) return false;
  return evidence.byAgent.every(
    (one) =>
      one.agentId === agentId ||
      one.things + one.verb < 0.5 ||
      !agents.some((agent) => agent.agentId === one.agentId && agent.acts),
  );
}

/** "…, 21 will do", but not "…, bedroom at 19", for another room may be another matter, nor words that mean nothing here. */
function isMore({ clause: { tokens }, evidence: { content } }: Reading, { explained }: Evidence): boolean {
  const isPlaced = [...explained.keys()].some((at) => isContent(tokens[at] as Token));
  const isOurs = ['my', 'our', 'his', 'her'].includes(tokens[0]?.text ?? '');
  return !isPlaced && (isOurs || content.length === 0 || content.some((at) => explained.has(at)));
}
