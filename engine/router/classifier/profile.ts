/** What each agent of a team is recognised by: words of its name, topics, description, functions and values, with weights. */
import type { FunctionSpec, ParameterSpec } from '../../language/function-spec.ts';
import { unitNamed } from '../../model/rules/lists.ts';
import type { TeamMember } from '../team.ts';
import { keyOf, purposesOf } from './everyday.ts';
import { isLoose, lists, nameWords, profileWords, put } from './profile-words.ts';
import type { ProfileWords, Weights } from './profile-words.ts';

export interface Profile {
  readonly agentId: string;
  readonly member: TeamMember;
  /** Word or phrase, as its key, to its weight. */
  readonly words: ReadonlyMap<string, number>;
  /** The same for what it does: verbs of its functions and its description. */
  readonly verbs: ReadonlyMap<string, number>;
  /** Values that its functions take. */
  readonly values: ReadonlyMap<string, number>;
  /** `sort:name` of everyday meanings, and `unit:name` of what its numbers are counted in. */
  readonly meanings: ReadonlyMap<string, number>;
  /** It can give commands. */
  readonly acts: boolean;
  /** It answers questions. */
  readonly tells: boolean;
  /** Its functions take names or texts of any kind, so that every word may be one. */
  readonly isOpen: boolean;
  /** Takes a number, within these limits. */
  readonly numbers: readonly { readonly least: number; readonly most: number }[];
}

export interface Profiles {
  readonly agents: readonly Profile[];
  /** Somebody of the team answers questions. */
  readonly canTell: boolean;
  /**
   * How much a word says about whose matter it is, 0 to 1: what several are described with decides little. Of an order only
   * those count who can do something, of a question those who can tell.
   */
  readonly rarity: (key: string, isQuestion: boolean) => number;
}

const isReading = ({ risk }: FunctionSpec): boolean => risk === 'read';

const isFreeText = ({ type, allowedValues }: ParameterSpec): boolean => type === 'string' && !allowedValues?.length;

export function profileOf(member: TeamMember, prefix = ''): Profile {
  const tools = member.tools ?? [];
  const own = member.functions.filter(({ name }) => member.generates.includes(name));
  const found = profileWords(member, [...own, ...tools], prefix);
  const meanings = meaningsFor(
    found,
    new Set([...own, ...tools].map((spec) => keyOf(nameWords(spec, prefix)[0] ?? ''))),
  );
  for (const { unit } of own.flatMap(({ parameters }) => parameters)) {
    const name = unit && unitNamed(unit, lists);
    if (name) put(meanings, `unit:${name}`, 1.6);
  }
  const takesNames = own.some(({ parameters }) => parameters.filter(isFreeText).length > 1);
  return {
    agentId: member.agentId,
    member,
    ...found,
    meanings,
    acts: own.length > 0 || tools.some((tool) => !isReading(tool)),
    tells: !own.length || tools.some(isReading),
    isOpen: takesNames || meanings.has('action:remembering'),
    numbers: own.flatMap(({ parameters }) => parameters.filter(isNumber).map(rangeOf)),
  };
}

const isNumber = ({ type }: ParameterSpec): boolean => type === 'number' || type === 'integer';

const rangeOf = ({ minimum = -Infinity, maximum = Infinity }: ParameterSpec) => ({ least: minimum, most: maximum });

/** @param named Verbs that functions are named with: one of many uses, such as "take", says what it does only there. */
function meaningsFor({ words, verbs }: ProfileWords, named: ReadonlySet<string>): Weights {
  const meanings: Weights = new Map();
  for (const [key, weight] of [...words, ...verbs])
    for (const { sort, name } of purposesOf(key)) {
      const isAction = sort === 'action';
      if (isAction && (!verbs.has(key) || (isLoose(key) && !named.has(key)))) continue;
      put(meanings, `${sort}:${name}`, isAction && isLoose(key) ? 1.4 : weight * 0.85);
    }
  return meanings;
}

export function profilesOf(team: readonly TeamMember[]): Profiles {
  const prefix = prefixOf(team);
  const agents = team.map((member) => profileOf(member, prefix));
  const tellers = agents.some(({ tells }) => tells) ? agents.filter(({ tells }) => tells) : agents;
  const doers = agents.filter(({ acts }) => acts);
  const known = new Map<string, number>();
  const rarity = (key: string, isQuestion: boolean): number => {
    const name = `${isQuestion} ${key}`;
    let share = known.get(name);
    if (share === undefined) {
      const holders = (isQuestion ? tellers : doers).filter((one) => holds(one, key)).length;
      known.set(name, (share = holders > 1 ? 1 / holders ** 0.8 : 1));
    }
    return share;
  };
  return { agents, canTell: agents.some(({ tells }) => tells), rarity };
}

/** The word that the names of all functions begin with, such as a maker's; a verb of many uses is none. */
function prefixOf(team: readonly TeamMember[]): string {
  const specs = team.flatMap(({ functions, tools = [] }) => [...functions, ...tools]);
  const names = [...new Set(specs.map(({ name }) => name))].map((name) => nameWords({ name }, '')[0] ?? '');
  const [first = ''] = names;
  return names.length > 2 && !isLoose(first) && names.every((name) => name === first) ? first : '';
}

const holds = ({ words, verbs, values, meanings }: Profile, key: string): boolean =>
  words.has(key) || verbs.has(key) || values.has(key) || meanings.has(key);
