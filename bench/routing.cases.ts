/** The sentences of `test/sets/routing`, each with the steps of a careful planner, said to the first tier. */
import { globSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { FunctionSpec } from '../engine/language/function-spec.ts';
import { firstTier } from '../engine/router/classifier/first-tier.ts';
import type { TeamMember } from '../engine/router/team.ts';
import type { AgentDefinition } from '../engine/agent/definition.ts';
import { readJson, root } from './rules.sets.ts';

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
  const { hand, cases } = readJson(file) as { hand: string; cases: RoutingCase[] };
  const routed = cases.map((one) => route(one, teams[one.team] ?? [], threshold));
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

function route(one: RoutingCase, team: readonly TeamMember[], threshold: number): RoutedCase {
  const { answer, confidence, doubt } = firstTier({ request: one.text, team }, threshold);
  const got = answer?.steps.map(plain);
  return {
    ...one,
    confidence,
    ...(got ? { got } : {}),
    ...(doubt ? { doubt } : {}),
    isRight: got !== undefined && isDeepStrictEqual(got, one.steps.map(plain)),
  };
}

/** No values for parameters are the same as none at all. */
const plain = ({ agent, parameters = {} }: RoutingStep): RoutingStep => ({ agent, parameters });
