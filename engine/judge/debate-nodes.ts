/** The work of each node of the debate's graph. They take the state and the run's ports and give what changes. */
import { asError, isFolkmootError } from '../errors.ts';
import { askId } from '../ids.ts';
import { limits } from '../limits.ts';
import type { SaidStatement } from '../model/model.ts';
import type { AskAnswer, Mutation, Statement } from '../moot.ts';
import { boardView } from '../plan/board-view.ts';
import { outside } from '../plan/outside.ts';
import type { RunRequest } from '../plan/run-request.ts';
import type { DebatePorts, DebateRules } from './debate-ports.ts';
import type { Debater, DebateState, Missing } from './debate-state.ts';
import { evaluateDebate } from './evaluate.ts';
import { heard, said } from './statement.ts';
import { verdictByModel, verdictByRule } from './verdict.ts';
import type { LastRound } from './verdict.ts';
import { isConsensus, tally } from './vote.ts';
import { decidedText, restOfVerdict, texts, undecidedText } from './words.ts';

type Change = Partial<DebateState>;

/** What a `Send` carries: all that a debater needs, saved with it, so that it is asked the same after a crash. */
export interface TurnInput {
  readonly debater: Debater;
  readonly round: number;
  readonly index: number;
  readonly count: number;
  readonly request: RunRequest;
  readonly window: readonly SaidStatement[];
}

/** What is to be decided: the judge's question, and below it what the request says. */
export const topicOf = ({ question }: DebateRules, { text }: RunRequest): string =>
  [question.trim(), text.trim()]
    .filter((part) => part !== '')
    .join('\n')
    .slice(0, limits.requestChars);

/** Who takes part: whom the judge reaches now. */
export async function opening({ request }: DebateState, ports: DebatePorts): Promise<Change> {
  if (request.text.length > limits.requestChars) return { ending: limitEnding(texts.tooLong) };
  const team = await outside(() => ports.team());
  if (team.length > limits.debaters) return { ending: limitEnding(texts.tooMany(team.length)) };
  if (team.length < 2) {
    const message = `The judge reaches ${team.length ? 'one agent' : 'no agents'}.`;
    return {
      ending: { outcome: 'failed', payload: texts.tooFew, error: { code: 'FOLKMOOT_NO_AGENTS', message } },
    };
  }
  const debaters = team.map(({ agentId, name }) => {
    const side = sideOf(ports.rules, agentId);
    return { agentId, name, ...(side ? { side } : {}) };
  });
  return { debaters, round: 1 };
}

const sideOf = ({ sides }: DebateRules, agentId: string) =>
  Object.hasOwn(sides, agentId) ? sides[agentId] : undefined;

const limitEnding = (payload: string) => ({
  outcome: 'limit' as const,
  payload,
  error: { code: 'FOLKMOOT_LIMIT', message: payload },
});

/** Who is asked in this round: all but those who were silent before. Each hears what was said in the rounds before. */
export function turns({ debaters, missing, round, request, statements }: DebateState): TurnInput[] {
  const asked = debaters.filter(({ agentId }) => !missing.some((one) => one.agent === agentId && one.isSilent));
  const window = inOrder(
    statements.filter((one) => one.round < round),
    debaters,
  )
    .slice(-limits.debateWindow)
    .map(said);
  return asked.map((debater, index) => ({ debater, round, index, count: asked.length, request, window }));
}

/** By rounds, then in the debaters' order: statements come as fast as their models are. */
function inOrder(statements: readonly Statement[], debaters: readonly Debater[]): Statement[] {
  const place = (agent: string) => debaters.findIndex(({ agentId }) => agentId === agent);
  return [...statements].sort((one, other) => one.round - other.round || place(one.agent) - place(other.agent));
}

/**
 * Asks one debater. It never throws for what the agent does, so that nobody stops the debate; only when the run itself was
 * stopped, so that nothing is saved and the debater is asked again when the run goes on.
 */
export async function speak(input: TurnInput, run: string, ports: DebatePorts): Promise<Change> {
  const { debater, round, request, window } = input;
  const { agentId } = debater;
  const step = `r${round}-${agentId}`;
  const of = { step, agent: agentId };
  ports.signal.throwIfAborted();
  const before = await outside(() => ports.team());
  const member = before.find((one) => one.agentId === agentId);
  const topic = topicOf(ports.rules, request);
  ports.emit('step', { state: 'running', prompt: topic }, of);
  const answer = await outside(() =>
    ports.ask({
      run,
      id: askId(run, step),
      step,
      agentId,
      ...(member ? { nodeId: member.nodeId } : {}),
      request,
      payload: { topic, ...(debater.side ? { side: debater.side } : {}), round, window },
      index: input.index,
      count: input.count,
      mutations: boardView(request.mutations ?? [], member?.accepts ?? []),
      signal: ports.signal,
    }),
  ).catch(failed);
  ports.signal.throwIfAborted();
  const team = await outside(() => ports.team());
  const stillOn = team.some((one) => one.agentId === agentId);
  const result = heard({ run, step, round, debater, answer, team: stillOn ? team : before });
  const { usage } = answer;
  if ('claim' in result) {
    ports.emit('step', { state: 'answered', text: result.claim, statement: result }, of);
    return { statements: [result], ...(usage ? { usage } : {}) };
  }
  ports.emit('step', { state: answer.status === 'answered' ? 'refused' : answer.status, text: result.reason }, of);
  return { missing: [result], ...(usage ? { usage } : {}) };
}

function failed(thrown: unknown): AskAnswer {
  const code = isFolkmootError(thrown) ? thrown.code : 'FOLKMOOT_MODEL_FAILED';
  return { status: 'failed', payload: null, mutations: [], error: { code, message: asError(thrown).message } };
}

/** After each round: is it over? */
export function weigh(state: DebateState, ports: DebatePorts): Change {
  const { statements, missing, isConsensus: agreed } = lastRound(state);
  if (statements.length === 0) return { ending: nobodySpoke(missing) };
  if (agreed) return { ended: 'consensus' };
  return state.round < ports.rules.rounds ? { round: state.round + 1 } : { ended: 'last round' };
}

function nobodySpoke(missing: readonly Missing[]) {
  const outcome = missing.every(({ isSilent }) => isSilent) ? ('timeout' as const) : ('failed' as const);
  const why = missing.map(({ agent, reason }) => `${agent}: ${reason}`).join('; ');
  const code = outcome === 'timeout' ? 'FOLKMOOT_DEADLINE' : 'FOLKMOOT_RUN_FAILED';
  return { outcome, payload: texts.nobodySpoke, error: { code, message: `No debater made a statement (${why}).` } };
}

/** Who was silent before is missing in each round that follows. */
function lastRound({ debaters, round, statements, missing }: DebateState): LastRound {
  const spoke = inOrder(
    statements.filter((one) => one.round === round),
    debaters,
  );
  const gone = debaters.flatMap(({ agentId }) => {
    const found = missing.filter((one) => one.agent === agentId && (one.round === round || one.isSilent)).at(-1);
    return found ? [found] : [];
  });
  return { round, debaters, statements: spoke, missing: gone, isConsensus: isConsensus(spoke) };
}

/** The verdict, by rule or by a model. All of one mind need no judge. */
export async function decide(state: DebateState, ports: DebatePorts): Promise<Change> {
  const last = lastRound(state);
  const { by } = ports.rules;
  if (by !== 'model' || last.isConsensus)
    return endedBy(state, verdictByRule(last, by === 'model' ? 'majority' : by), last);
  const counted = tally(last.statements, 'majority');
  const made = await outside(() =>
    evaluateDebate({
      model: ports.model(),
      topic: topicOf(ports.rules, state.request),
      criteria: ports.rules.criteria,
      debaters: state.debaters,
      statements: inOrder(state.statements, state.debaters),
      options: counted.options.map(({ label }) => label),
      round: state.round,
      event: state.request.event,
      signal: ports.signal,
      clock: ports.clock,
    }),
  );
  const { usage } = made;
  if (made.ok) return { usage, ...endedBy(state, verdictByModel(last, counted, made.value), last) };
  const message = `The judge’s model gave no verdict: ${made.words || made.finding}`;
  const error = { code: 'FOLKMOOT_MODEL_UNREADABLE', message };
  return { usage, ending: { outcome: 'failed', payload: texts.noJudgement, error } };
}

function endedBy({ debaters }: DebateState, verdict: DebateState['verdict'] & object, last: LastRound): Change {
  if (verdict.decision) {
    const rest = restOfVerdict(verdict, debaters);
    const told = rest ? { ...verdict, rest } : verdict;
    return { verdict: told, ending: { outcome: 'done', payload: decidedText(verdict, debaters) } };
  }
  const reason = verdict.by === 'model' ? texts.openQuestion : texts.tie;
  const payload = undecidedText(last.statements, last.missing, debaters);
  return { verdict, ending: { outcome: 'undecided', reason, payload } };
}

/** What the debate decided to do. */
export const decidedMutations = ({ verdict }: DebateState): readonly Mutation[] => verdict?.mutations ?? [];
