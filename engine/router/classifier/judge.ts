/** From clauses and what speaks for whom to a decision: one agent, several in order, nobody, or the planner's affair. */
import type { PlanAnswer } from '../../model/model.ts';
import type { Sentence, Token } from '../../model/rules/tokens.ts';
import { agentParameters } from './agent-parameters.ts';
import type { Complexity } from './complexity.ts';
import { groupsOf, least } from './groups.ts';
import { isMoving } from './moving.ts';
import type { Profiles } from './profile.ts';
import type { Reading } from './reading.ts';
import { partsOf } from './several.ts';
import { declined, greeted } from './talk.ts';
import { keptOf, withoutTail } from './tails.ts';
import { lastTelling, tellingOf } from './telling.ts';
import { verdictOf } from './verdict.ts';
import type { Verdict } from './verdict.ts';
import { questionVeto, vetoOf, withoutDenied } from './vetoes.ts';

export interface Judged {
  readonly answer?: PlanAnswer;
  readonly confidence: number;
  readonly doubt?: string;
}

export interface Case {
  readonly request: Sentence;
  readonly readings: readonly Reading[];
  readonly profiles: Profiles;
  readonly complexity: Complexity;
}

const doubtful = (doubt: string): Judged => ({ confidence: 0, doubt });

export function judge(all: Case): Judged {
  const talk = greeted(all.request, all.readings, all.profiles);
  if (talk) return talk;
  const kept = keptOf(all.readings, all.profiles);
  if (kept) return single(all, kept);
  const one = { ...all, readings: withoutTail(withoutDenied(all.readings)) };
  const { readings, profiles } = one;
  const telling = tellingOf(readings, profiles);
  if (telling) return telling.doubt ? doubtful(telling.doubt) : single(one, telling);
  const none = declined(all.readings, profiles);
  if (none) return none;
  const last = lastTelling(readings, profiles);
  return last ? withMessage(one, last) : judgeOrders(one);
}

/** The other parts first, then the message. */
function withMessage(one: Case, { at, telling }: NonNullable<ReturnType<typeof lastTelling>>): Judged {
  if (telling.doubt) return doubtful(telling.doubt);
  const before = judgeOrders({ ...one, readings: one.readings.slice(0, at) });
  if (!before.answer?.steps.length || before.answer.steps.some(({ agent }) => agent === telling.agentId))
    return doubtful('composite');
  const said = (readings: readonly Reading[]) => readings.map(({ clause }) => clause.text).join(', ');
  const [first, ...more] = before.answer.steps;
  const steps = first && !more.length ? [{ ...first, prompt: said(one.readings.slice(0, at)) }] : before.answer.steps;
  const step = stepOf(telling.agentId, said(one.readings.slice(at)), one.readings.slice(at), one.profiles);
  if (!step) return doubtful('values for an agent are not sure');
  return {
    confidence: Math.min(before.confidence, telling.confidence),
    answer: { message: '', steps: [...steps, step] },
  };
}

function judgeOrders(one: Case): Judged {
  const { readings, profiles, complexity } = one;
  const veto = vetoOf(readings) ?? questionVeto(readings, profiles);
  if (veto) return doubtful(veto);
  const moving = readings.filter((reading) => isMoving(reading, profiles));
  if (!moving.length) return complaint(one) ?? doubtful('something is only told');
  const groups = groupsOf(moving, profiles);
  if (groups.some(({ isUnsure }) => isUnsure)) return doubtful('a part is perhaps for somebody else');
  if (groups.some(({ agentId, readings: own }) => asksDoer(agentId, own, profiles)))
    return doubtful('nobody tells that');
  if (groups.length > 1) return several(one, partsOf(groups, readings, profiles));
  const verdict = verdictOf(readings, profiles);
  if (!verdict) return doubtful('nobody is meant');
  const [group] = groups;
  if (group && group.confidence >= least && group.agentId !== verdict.agentId)
    return doubtful('what is told and what is asked for are two matters');
  if (complainsBesides(readings, verdict, profiles)) return doubtful('something is wrong besides');
  return single(one, { ...verdict, confidence: verdict.confidence * Math.min(1, 1.5 - complexity.score / 2) });
}

/** "…, and it's too dark in the hall"; before an order only where that is somebody else's matter. */
function complainsBesides(readings: readonly Reading[], { agentId: best }: Verdict, profiles: Profiles): boolean {
  const first = readings.findIndex((reading) => isMoving(reading, profiles));
  return readings.some(
    ({ clause, evidence }, place) =>
      clause.mood === 'statement' &&
      clause.tokens.some(isExcess) &&
      evidence.byAgent.some(
        ({ agentId, things, values }) => things >= 0.5 && values > 0 && (place > first || isForOther(agentId)),
      ),
  );

  function isForOther(agentId: string): boolean {
    return agentId !== best && profiles.agents.some((one) => one.agentId === agentId && one.acts);
  }
}

/** "too dark", but not "the chairs, too". */
const isExcess = ({ text }: Token, at: number, { length }: readonly Token[]): boolean =>
  text === 'too' && at < length - 1;

/** How things are is asked, and the best one only does things. */
const asksDoer = (agentId: string, readings: readonly Reading[], { agents, canTell }: Profiles): boolean =>
  canTell &&
  agents.some((one) => one.agentId === agentId && !one.tells) &&
  readings.some(({ clause }) => clause.mood === 'question');

/** "It's too dark in the hall" asks for light. */
function complaint(one: Case): Judged | undefined {
  const tokens = one.readings.flatMap(({ clause }) => clause.tokens);
  if (one.readings.length > 1 || tokens[0]?.text !== 'it' || !tokens.some(({ text }) => text === 'too'))
    return undefined;
  // Too much light may be the sun's.
  if (tokens.some(({ text }) => text === 'bright' || text === 'light')) return undefined;
  const verdict = verdictOf(one.readings, one.profiles);
  const isPlaced = one.readings.some(({ evidence }) =>
    evidence.byAgent.some(({ agentId, values }) => agentId === verdict?.agentId && values > 0),
  );
  if (!isPlaced) return undefined;
  return verdict && single(one, { ...verdict, confidence: verdict.confidence * 0.9 });
}

function single({ request, readings, profiles }: Case, { agentId, confidence }: Verdict): Judged {
  const step = stepOf(agentId, request.source.trim(), readings, profiles);
  return step ? { confidence, answer: { message: '', steps: [step] } } : doubtful('values for an agent are not sure');
}

function several({ profiles }: Case, parts: ReturnType<typeof partsOf>): Judged {
  if (typeof parts === 'string') return doubtful(parts);
  const steps = parts.map(({ agentId, text, readings }) => stepOf(agentId, text, readings, profiles));
  if (!steps.every((step) => step !== undefined)) return doubtful('values for an agent are not sure');
  return { confidence: Math.min(...parts.map(({ confidence }) => confidence)), answer: { message: '', steps } };
}

function stepOf(agentId: string, prompt: string, readings: readonly Reading[], { agents }: Profiles) {
  const profile = agents.find((one) => one.agentId === agentId);
  const parameters = profile && agentParameters(profile, readings);
  return parameters && { agent: agentId, prompt, ...(Object.keys(parameters).length ? { parameters } : {}) };
}
