/** What people are told of steps and runs, in plain words. */
import { quoted } from '../language/words.ts';
import { limits } from '../limits.ts';
import type { AskAnswer, Plan, PlanStep } from '../moot.ts';
import { sentences } from './rest.ts';

/** The agent's own words if there are any, else what became of the step. */
export function stepText(step: Pick<PlanStep, 'prompt'>, answer: Pick<AskAnswer, 'status' | 'payload'>): string {
  const words = typeof answer.payload === 'string' ? answer.payload.trim() : '';
  if (words) return words.slice(0, limits.requestChars);
  const about = `“${quoted(step.prompt)}”`;
  switch (answer.status) {
    case 'answered':
      return '';
    case 'refused':
      return `That can't be done: ${about}.`;
    case 'failed':
      return `Something went wrong with ${about}.`;
    case 'timeout':
      return `There was no answer in time to ${about}.`;
    case 'cancelled':
      return `This was stopped: ${about}.`;
  }
}

/** The run's payload: the steps' words and the questions; without any, the plan's message. */
export const runText = (plan: Plan): string =>
  sentences([...plan.steps.map(({ text }) => text), ...(plan.questions ?? [])]) || plan.message || texts.nothing;

export const texts = {
  nothing: 'There was nothing to do.',
  declined: 'I am sorry, I can’t help with that.',
  tooMany: (wanted: number) =>
    `That would be ${wanted} things at once; I do at most ${limits.planSteps}. Please ask for less at once.`,
  tooLong: `That was too long for me: more than ${limits.requestChars} characters. Please say it in fewer words.`,
  nobody: 'There is nobody here yet who could do that.',
  planFailed: 'I could not work out what to do with that. Please say it in other words.',
  modelFailed: 'I could not work on that: the AI model did not answer.',
  modelSilent: 'I could not work on that: the AI model took too long.',
  timeout: 'I did not finish in time.',
  cancelled: 'It was stopped.',
  overlap: 'I am busy with something else. Please ask again in a moment.',
  overtaken: (own: string, theirs: string) => `Not done: ${own}. Meanwhile this was asked for: ${theirs}.`,
  saidNo: 'All right, I did nothing.',
  yesElsewhere:
    'I did nothing: a yes counts only where I asked for it, and from whom I asked. Please ask me again here.',
  /** Of plans and commands that wait for a person. */
  askedOther: 'I asked somebody else for that, so I wait for their answer.',
  answeredLate: 'That waited too long, so I did nothing. Please ask me again.',
  nothingWaits: 'Nothing waits for that answer: it was given already, or it came too late.',
  changedTooOften: 'That was changed too often, so I stopped. Please ask me anew.',
  whatElse: 'What should be different?',
  saidNoMore: 'All right, I do no more of it.',
  startedOver: 'All right, we start over. What shall I do?',
  shallI: 'Shall I?',
  tooDeep: 'That led in a circle, so I stopped.',
  failed: 'Something went wrong, so I stopped.',
  memoryAway: 'I cannot get at what I remember right now, so I stopped. Please ask again in a moment.',
} as const;
