/** The sentences of `test/sets/routing`, each with the steps of a careful planner, said to the first tier. */
import { globSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { FunctionSpec } from '../engine/language/function-spec.ts';
import { fillPlaceholders } from '../engine/language/placeholders.ts';
import { firstTier } from '../engine/router/classifier/first-tier.ts';
import type { TeamMember } from '../engine/router/team.ts';
import type { AgentDefinition } from '../engine/agent/definition.ts';
import type { BenchCase } from './rules.cases.ts';
import { readJson, root, teamOf } from './rules.sets.ts';

export interface RoutingStep {
  readonly agent: string;
  readonly parameters?: Readonly<Record<string, readonly string[]>>;
}

export interface RoutingCase {
  readonly team: string;
  readonly text: string;
  readonly steps: readonly RoutingStep[];
  readonly kind: 'clear' | 'composite' | 'talk' | 'outside' | 'doubtful';
}

interface RoutingFile {
  readonly hand: string;
  /** `agents`: this hand did not write down parameters. Default: these are compared, too. */
  readonly compares?: 'agents';
  readonly cases: readonly RoutingCase[];
}

export interface RoutedCase extends RoutingCase {
  readonly confidence: number;
  /** Absent: left to the planner. */
  readonly got?: readonly RoutingStep[];
  readonly doubt?: string;
  readonly isRight: boolean;
}

export interface RoutingResult {
  readonly file: string;
  readonly hand: string;
  readonly half: 'open' | 'sealed';
  readonly total: number;
  /** Without any call of a model. */
  readonly answered: number;
  readonly right: number;
  /** Answered, and not as a planner would. */
  readonly differing: number;
  readonly cases: readonly RoutedCase[];
}

type TeamFile = Readonly<Record<string, { functions: FunctionSpec[]; agents: Omit<AgentDefinition, 'functions'>[] }>>;

/** Teams by name; each agent has the specs of what it accepts and generates. */
export function routingTeams(): Readonly<Record<string, readonly TeamMember[]>> {
  const teams = Object.entries(readJson('test/sets/routing/teams.json') as TeamFile);
  return Object.fromEntries(
    teams.map(([name, { functions, agents }]) => [
      name,
      agents.map((agent) => {
        const names = [...agent.accepts, ...agent.generates];
        return { ...agent, nodeId: agent.agentId, functions: functions.filter((spec) => names.includes(spec.name)) };
      }),
    ]),
  );
}

export const routingFiles = (): string[] =>
  globSync('test/sets/routing/hand-*.json', { cwd: root })
    .map((file) => file.split(path.sep).join('/'))
    .sort();

export function runRouting(file: string, threshold: number): RoutingResult {
  const teams = routingTeams();
  const { hand, cases, compares } = readJson(file) as RoutingFile;
  const compared = compares === 'agents' ? agentOnly : plain;
  const routed = cases.map((one) => route(one, teams[one.team] ?? [], { threshold, compared }));
  const answered = routed.filter(({ got }) => got);
  const right = answered.filter(({ isRight }) => isRight).length;
  return {
    file,
    hand,
    half: file.includes('.sealed.') ? 'sealed' : 'open',
    total: cases.length,
    answered: answered.length,
    right,
    differing: answered.length - right,
    cases: routed,
  };
}

interface Terms {
  readonly threshold: number;
  /** What of a step is compared. */
  readonly compared: (step: RoutingStep) => RoutingStep;
}

function route(one: RoutingCase, team: readonly TeamMember[], { threshold, compared }: Terms): RoutedCase {
  const { answer, confidence, doubt } = firstTier({ request: one.text, team }, threshold);
  const got = answer?.steps.map(plain);
  return {
    ...one,
    confidence,
    ...(got ? { got } : {}),
    ...(doubt ? { doubt } : {}),
    isRight: got !== undefined && isDeepStrictEqual(got.map(compared), one.steps.map(compared)),
  };
}

/** No values for parameters are the same as none at all. */
const plain = ({ agent, parameters = {} }: RoutingStep): RoutingStep => ({ agent, parameters });

const agentOnly = ({ agent }: RoutingStep): RoutingStep => ({ agent });

export interface HomeResult {
  readonly total: number;
  readonly answered: number;
  readonly right: number;
  readonly cases: readonly { readonly text: string; readonly expected: string; readonly got?: readonly string[] }[];
}

/**
 * Home commands, each in its own home, said to a team of one agent for each category of functions; a planner would choose
 * the one with the expected function.
 */
export function routeCommands(
  commands: readonly BenchCase[],
  functions: readonly FunctionSpec[],
  threshold: number,
): HomeResult {
  const cases = commands.map((one) => {
    const filled = fillPlaceholders(functions, one);
    const team = commandTeam(filled);
    const has = ({ generates, tools = [] }: TeamMember) =>
      generates.includes(one.intent) || tools.some(({ name }) => name === one.intent);
    const expected = team.find(has)?.agentId ?? '';
    const { answer } = firstTier({ request: one.text, team }, threshold);
    return { text: one.text, expected, ...(answer ? { got: answer.steps.map(({ agent }) => agent) } : {}) };
  });
  const answered = cases.filter(({ got }) => got);
  const right = answered.filter(({ expected, got }) => got?.length === 1 && got[0] === expected);
  return { total: cases.length, answered: answered.length, right: right.length, cases };
}

/** What only reads is a tool, as in the starter home. */
function commandTeam(functions: readonly FunctionSpec[]): TeamMember[] {
  const doers = teamOf(functions).map((agent): TeamMember => ({
    ...agent,
    nodeId: agent.agentId,
    instructions: '',
    tools: [],
    functions: functions.filter(({ name }) => agent.generates.includes(name)),
  }));
  const readers = functions
    .filter(({ risk }) => risk === 'read')
    .map((tool): TeamMember => ({
      ...{ nodeId: tool.name, agentId: `${tool.category}-agent`, name: `${tool.category} agent` },
      ...{ description: tool.description, topics: [tool.category], parameters: [], accepts: [], generates: [] },
      ...{ instructions: '', functions: [], tools: [tool] },
    }));
  return [...doers, ...readers];
}

/** One sentence to one of the teams: the agents, or nothing where it is the planner's. */
export function routeOne(text: string, team: string, threshold = 0.55): { readonly got?: readonly string[] } {
  const { answer } = firstTier({ request: text, team: routingTeams()[team] ?? [] }, threshold);
  return answer ? { got: answer.steps.map(({ agent }) => agent) } : {};
}
