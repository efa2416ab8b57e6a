/** The sentence sets of `test/sets`, said to a team of one agent for each category: plan, then each step, as at home. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FunctionSpec } from '../engine/language/function-spec.ts';
import type { GenerateAnswer, PendingQuestion, PlanAnswer, TaskAgent } from '../engine/model/model.ts';
import { generateWithRules } from '../engine/model/rules/generate.ts';
import { planWithRules } from '../engine/model/rules/plan.ts';
import { consequencesOf } from '../engine/language/consequences.ts';
import { createLanguage } from '../engine/language/language.ts';
import type { Parameters } from '../engine/moot.ts';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
export const readJson = (file: string): unknown => JSON.parse(readFileSync(path.resolve(root, file), 'utf8'));

export interface Call {
  readonly function: string;
  readonly parameters: Parameters;
}

export interface SetCase {
  readonly text: string;
  readonly expect: 'act' | 'ask' | 'nothing';
  readonly calls: readonly Call[];
}

export type Verdict = 'right' | 'asked' | 'wrong';

export interface Said {
  readonly plan: PlanAnswer;
  readonly answers: readonly GenerateAnswer[];
  readonly calls: readonly Call[];
  /** The question that waits for an answer. */
  readonly pending?: PendingQuestion;
}

/** One agent for each category; each accepts what its category and consequences bring. */
export function teamOf(functions: readonly FunctionSpec[]): TaskAgent[] {
  const brought = functions.flatMap((spec) => spec.consequences ?? []).map((one) => one.function);
  return [...new Set(functions.filter((spec) => spec.effect).map((spec) => spec.category))].map((category) => {
    const own = functions.filter((spec) => spec.category === category && spec.effect);
    return {
      agentId: `${category}-agent`,
      name: `${category} agent`,
      description: own.map((spec) => spec.description).join('. '),
      topics: [category],
      parameters: [],
      accepts: brought,
      generates: own.map((spec) => spec.name),
    };
  });
}

/** An agent that gives no commands and only uses tools; what it does is no call of the house. */
const withTools = (tools: readonly FunctionSpec[]): TaskAgent => {
  const names = tools.map(({ name }) => name);
  const described = {
    agentId: 'tool-agent',
    name: 'tool agent',
    description: 'Uses tools.',
    topics: [],
    parameters: [],
  };
  return { ...described, accepts: [], generates: names, tools: names };
};

/** Plans a sentence and lets each step generate, with the board that the steps before have filled. */
export function say(
  text: string,
  functions: readonly FunctionSpec[],
  pending?: PendingQuestion,
  tools: readonly FunctionSpec[] = [],
): Said {
  const agents = [...teamOf(functions), ...(tools.length ? [withTools(tools)] : [])];
  const language = createLanguage(functions);
  const base = { functions: [...functions, ...tools], agents, board: [] };
  const plan = planWithRules({ ...base, task: 'plan', request: text, ...(pending ? { pending } : {}) });
  const board: Call[] = [];
  const asked: PendingQuestion[] = [...(plan.questions ?? [])];
  const calls: Call[] = [];
  const answers = plan.steps.map((step) => {
    const agent = agents.filter((one) => one.agentId === step.agent);
    const seen = board.filter((entry) => agent.some((one) => one.accepts.includes(entry.function)));
    const answer = generateWithRules({ ...base, task: 'generate', request: step.prompt, agents: agent, board: seen });
    if (agent.some((one) => one.tools)) return { ...answer, calls: [] };
    calls.push(...answer.calls);
    board.push(...answer.calls, ...answer.calls.flatMap((call) => consequencesOf(language, call)).map(named));
    if (answer.question) asked.push({ request: step.prompt, question: answer.question });
    return answer;
  });
  const [first] = asked;
  return { plan, answers, calls, ...(first ? { pending: first } : {}) };
}

const named = (good: { readonly spec: FunctionSpec; readonly parameters: Parameters }): Call => ({
  function: good.spec.name,
  parameters: good.parameters,
});

/** Right: exactly the calls that are expected. Asked: none of those that happened is another one. */
export function verdictOf(got: readonly Call[], expected: readonly Call[]): Verdict {
  const wanted = expected.map(keyOf);
  const keys = got.map(keyOf);
  if (keys.length === wanted.length && keys.every((key, at) => key === wanted[at])) return 'right';
  return keys.every((key) => wanted.includes(key)) && keys.length < wanted.length ? 'asked' : 'wrong';
}

const keyOf = ({ function: name, parameters }: Call): string =>
  JSON.stringify([
    name,
    Object.entries(parameters)
      .map(([key, value]) => [key, typeof value === 'string' ? value.toLowerCase() : value])
      .sort(),
  ]);

export interface SetResult {
  readonly file: string;
  readonly total: number;
  readonly right: number;
  readonly asked: number;
  readonly wrong: number;
  /** Sentences on which something happened although nothing may. */
  readonly acted: number;
  readonly cases: readonly {
    readonly text: string;
    readonly expect: SetCase['expect'];
    readonly got: readonly Call[];
    readonly said: string;
    readonly verdict: Verdict;
  }[];
}

const functionsFor = (file: string): readonly FunctionSpec[] =>
  readJson(
    file.includes('/greenhouse/') ? 'test/sets/greenhouse/functions.json' : 'flows/home.functions.json',
  ) as FunctionSpec[];

export const setFiles = (): string[] =>
  // The others measure something else: whose matter a sentence is, what a device can do, what a model writes.
  globSync('test/sets/{home,greenhouse}/*.json', { cwd: root })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !file.endsWith('functions.json'))
    .sort();

/** Runs one file of sentences or dialogues. @param tools Of one more agent, such as those of a memory. */
export function runSet(file: string, tools: readonly FunctionSpec[] = []): SetResult {
  const functions = functionsFor(file);
  const { cases = [], dialogues = [] } = readJson(file) as { cases?: SetCase[]; dialogues?: { turns: SetCase[] }[] };
  const results = [...cases.map((one) => [one]), ...dialogues.map(({ turns }) => turns)].flatMap((turns) => {
    let pending: PendingQuestion | undefined;
    return turns.map((turn) => {
      const said = say(turn.text, functions, pending, tools);
      pending = said.pending;
      const words = [said.plan.message, ...said.answers.map((answer) => answer.question ?? answer.message)].join(' | ');
      const verdict = verdictOf(said.calls, turn.calls);
      return {
        text: turn.text,
        expect: turn.expect,
        got: said.calls,
        said: words,
        verdict,
        acted: turn.expect === 'nothing' && said.calls.length > 0,
      };
    });
  });
  const count = (verdict: Verdict) => results.filter((one) => one.verdict === verdict).length;
  return {
    file,
    total: results.length,
    right: count('right'),
    asked: count('asked'),
    wrong: count('wrong'),
    acted: results.filter((one) => one.acted).length,
    cases: results,
  };
}

export interface TrapFigures {
  readonly total: number;
  /** Sentences on which acting is right, and those of them on which exactly that happened. */
  readonly lookAlikes: number;
  readonly understood: number;
  readonly asked: number;
  /** Something else happened than is right; on a trap anything at all. */
  readonly wrong: number;
}

/** Sums over the files of traps of one half, `open` or `sealed`. */
export function trapFigures(results: readonly SetResult[], half: 'open' | 'sealed'): TrapFigures {
  const own = results.filter(({ file }) => file.includes('/traps-') && file.includes(`.${half}.`));
  const cases = own.flatMap((one) => one.cases);
  const lookAlikes = cases.filter(({ expect }) => expect === 'act');
  const count = (list: typeof cases, verdict: Verdict) => list.filter((one) => one.verdict === verdict).length;
  return {
    total: cases.length,
    lookAlikes: lookAlikes.length,
    understood: count(lookAlikes, 'right'),
    asked: count(cases, 'asked'),
    wrong: count(cases, 'wrong'),
  };
}
