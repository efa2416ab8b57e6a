/** Understood clauses into steps: which agent, with which words, waiting for what. */
import type { PlainParameters } from '../../moot.ts';
import type { PendingQuestion, PlanAnswer, TaskAgent, TaskData } from '../model.ts';
import { compiled } from './compiled.ts';
import { interpret } from './interpret.ts';
import type { Interpretation } from './interpret.ts';
import type { CallReading } from './reading.ts';
import {
  canonicalPrompt,
  canonicalPrompts,
  plainWordsOf,
  questionOf,
  refusalOf,
  tieQuestion,
  wordsOfClause,
} from './said.ts';
import { listed, quoted } from '../../language/words.ts';

type Step = PlanAnswer['steps'][number];

export interface Steps {
  readonly steps: readonly Step[];
  readonly questions: readonly PendingQuestion[];
}

/** One step for each clause, in order; what can't become a step becomes a question. */
export function stepsFor(requests: Interpretation['requests'], data: TaskData): Steps {
  const steps: Step[] = [];
  const questions: PendingQuestion[] = [];
  const made: { readonly reading: CallReading }[] = [];
  for (const request of requests) {
    const open = questionInstead(request);
    if (open || request.kind === 'tie') {
      // Two clauses that exclude each other are asked about once.
      if (open && !questions.some(({ question }) => question === open.question)) questions.push(open);
      continue;
    }
    const words = plainWordsOf(request);
    const agent = agentFor(request, data.agents);
    if (typeof agent === 'string') {
      questions.push({ request: words, question: agent });
      continue;
    }
    const prompts = promptsFor(request, agent, data);
    if (!prompts) {
      questions.push({
        request: words,
        question: `I am not sure what you mean by “${quoted(words)}”. Could you say it in other words?`,
      });
      continue;
    }
    const after = waitsFor(request, agent, made, data);
    for (const { prompt, calls } of prompts) {
      steps.push({ agent: agent.agentId, prompt, ...parametersOf(agent, calls), ...(after.length ? { after } : {}) });
      made.push({ reading: { ...request, calls } });
    }
  }
  return { steps, questions };
}

/** What the person is asked before anybody is asked to do something. */
function questionInstead(request: Interpretation['requests'][number]): PendingQuestion | undefined {
  const words = plainWordsOf(request);
  if (request.kind === 'tie') {
    const functions = request.matches.map(({ fn }) => fn.spec);
    return { request: words, question: tieQuestion(functions, words) };
  }
  if (request.outside.length) {
    const open = request.isCarried ? canonicalPrompt(request, request.calls[0] ?? {}) : words;
    return { request: open, question: `${refusalOf(request)} What shall it be?` };
  }
  if (request.conflicts.length) return { request: openWords(request), question: questionOf(request, words) };
  // Nothing of an earlier step may take the place of a name that isn't known, so that it is no step.
  if (request.stranger === undefined) return undefined;
  return { request: canonicalPrompt(request, request.calls[0] ?? {}), question: questionOf(request, words) };
}

/** What is open of a clause that another one excludes; else its words. */
function openWords(request: CallReading): string {
  const [call = {}] = request.calls;
  if (!request.doubt || request.calls.length > 1) return plainWordsOf(request);
  const kept = Object.entries(call).filter(([name]) => !request.conflicts.includes(name));
  const open = canonicalPrompt(request, Object.fromEntries(kept));
  // With the number it stays open whether that is a time.
  return request.doubt.kind === 'time' ? `${open} at ${request.doubt.words.join(' ')}` : open;
}

/** The one agent that may generate the function; of several the one whose topics are spoken of; else a question. */
function agentFor({ fn, clause }: CallReading, agents: readonly TaskAgent[]): TaskAgent | string {
  const able = agents.filter((agent) => agent.generates.includes(fn.spec.name));
  const [only] = able;
  if (only && able.length === 1) return only;
  const spoken = able.map((agent) => {
    const words = agent.topics
      .flatMap((topic) => topic.toLowerCase().split(/\W+/))
      .concat(agent.name.toLowerCase().split(/\W+/));
    return {
      agent,
      count: new Set(
        words.filter((word) => word && clause.tokens.some(({ text, stem }) => text === word || stem === word)),
      ).size,
    };
  });
  const most = Math.max(0, ...spoken.map(({ count }) => count));
  const best = spoken.filter(({ count }) => count === most && count > 0);
  if (best.length === 1 && best[0]) return best[0].agent;
  return `Who should do “${quoted(wordsOfClause({ kind: 'aside', clause }))}”: ${listed(able.map(({ name }) => name))}?`;
}

interface Prompt {
  readonly prompt: string;
  readonly calls: readonly PlainParameters[];
}

/** Words that this agent alone reads as the same calls: the person's own, or the function's with the values. */
function promptsFor(reading: CallReading, agent: TaskAgent, data: TaskData): Prompt[] | undefined {
  const functions = compiled(data.functions.filter((spec) => agent.generates.includes(spec.name)));
  const own = {
    prompt: plainWordsOf(reading),
    calls: reading.calls,
  };
  if (saysTheSame(own, reading, functions)) return [own];
  const each = reading.calls.flatMap((call) => {
    const ways = canonicalPrompts(reading, call).map((prompt) => ({ prompt, calls: [call] }));
    return ways.find((one) => saysTheSame(one, reading, functions)) ?? [];
  });
  return each.length === reading.calls.length ? each : undefined;
}

function saysTheSame({ prompt, calls }: Prompt, reading: CallReading, functions: ReturnType<typeof compiled>): boolean {
  const { requests, isWithdrawn } = interpret(prompt, functions);
  const [only] = requests;
  if (isWithdrawn || requests.length !== 1 || only?.kind !== 'call') return false;
  return only.fn.spec.name === reading.fn.spec.name && !only.conflicts.length && sameCalls(only.calls, calls);
}

const sameCalls = (a: readonly PlainParameters[], b: readonly PlainParameters[]): boolean =>
  JSON.stringify(a.map(sorted)) === JSON.stringify(b.map(sorted));

const sorted = (parameters: PlainParameters) => Object.entries(parameters).sort(([a], [b]) => a.localeCompare(b));

/** Values of the parameters that the agent declares, as texts. */
function parametersOf(agent: TaskAgent, calls: readonly PlainParameters[]): Pick<Step, 'parameters'> {
  const entries = agent.parameters.map((name) => {
    const values = calls.flatMap((call) => (call[name] === undefined ? [] : [String(call[name])]));
    return [name, [...new Set(values)]] as const;
  });
  const given = entries.filter(([, values]) => values.length > 0);
  return given.length ? { parameters: Object.fromEntries(given) } : {};
}

/** Earlier steps that bring a value which this clause lacks and whose agent gets to see it. */
function waitsFor(
  { missing }: CallReading,
  agent: TaskAgent,
  made: readonly { readonly reading: CallReading }[],
  data: TaskData,
): number[] {
  const brings = ({ reading }: { readonly reading: CallReading }) => {
    const { name, consequences = [] } = reading.fn.spec;
    const own = { function: name, parameters: Object.keys(reading.calls[0] ?? {}) };
    const all = [
      own,
      ...consequences.map((one) => ({ function: one.function, parameters: Object.keys(one.parameters) })),
    ];
    return all.some(
      (one) => agent.accepts.includes(one.function) && one.parameters.some((parameter) => missing.includes(parameter)),
    );
  };
  const known = data.board.some((entry) => missing.some((name) => name in entry.parameters));
  if (!missing.length || known) return [];
  return made.flatMap((one, index) => (brings(one) ? [index] : []));
}
