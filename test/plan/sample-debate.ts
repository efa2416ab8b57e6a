/** Debaters by function, for specs of debates. */
import { MemorySaver } from '@langchain/langgraph';
import { fakeClock } from '../../engine/clock.ts';
import { createDebates, type DebatesOptions } from '../../engine/judge/debate.ts';
import type { DebateAsk, DebateRules } from '../../engine/judge/debate-ports.ts';
import { createModel } from '../../engine/model/catalogue.ts';
import type { AskAnswer, Mutation, RunEvent, Statement } from '../../engine/moot.ts';
import { member, mutation } from './sample-team.ts';

export const comfort = member('comfort', { generates: ['SetTemperature'] });
export const costs = member('costs', { generates: ['SetLight'] });
export const garden = member('garden', { generates: ['MowLawn'] });

export const debateRules = (change: Partial<DebateRules> = {}): DebateRules => ({
  question: 'Heat or save?',
  criteria: '',
  rounds: 2,
  by: 'weighted',
  sides: {},
  ...change,
});

/** A statement as an agent answers it. */
export function states(claim: string, confidence: number, proposal: readonly Mutation[] = []): AskAnswer {
  const payload = { claim, confidence, proposal, reasons: [`${claim} is right.`] };
  return { status: 'answered', payload, mutations: [] };
}

export const warmer = ({ run, step, agentId }: DebateAsk): Mutation =>
  mutation(run, { id: step, agent: agentId } as never, 'SetTemperature', { room: 'bedroom', celsius: 21 });

/** Comfort wants to heat with 0.9, costs to save with 0.6, and nobody changes its mind. */
export const stubborn = async (ask: DebateAsk): Promise<AskAnswer> =>
  ask.agentId === 'comfort' ? states('Heat', 0.9, [warmer(ask)]) : states('Save', 0.6);

export const failing = (status: AskAnswer['status'], payload: unknown = null): AskAnswer => ({
  status,
  payload,
  mutations: [],
});

/** Debates over LangGraph's own saver, with all that they ask and tell written down. */
export function sampleDebates(change: Partial<DebatesOptions> = {}) {
  const clock = fakeClock();
  const saver = new MemorySaver();
  const events: RunEvent[] = [];
  const asked: DebateAsk[] = [];
  const answer = change.ask ?? stubborn;
  const debates = createDebates({
    clock,
    checkpointer: async () => saver,
    team: async () => [comfort, costs],
    rules: debateRules(),
    model: () => createModel({ provider: 'rules' }),
    onEvent: (event) => events.push(event),
    ...change,
    ask: (ask) => {
      asked.push(ask);
      return answer(ask);
    },
  });
  return { debates, clock, saver, events, asked };
}

export const saidBy = (events: readonly RunEvent[]): (Statement | undefined)[] =>
  events.flatMap(({ kind, data }) =>
    kind === 'step' && (data as { state: string }).state === 'answered'
      ? [(data as { statement?: Statement }).statement]
      : [],
  );
