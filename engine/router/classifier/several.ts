/** Several orders in one sentence, each clear by itself and none of them leaning on another one's words. */
import type { Token } from '../../model/rules/tokens.ts';
import type { Group } from './groups.ts';
import { isMoving } from './moving.ts';
import { saysThere, withPlace } from './places.ts';
import type { Profiles } from './profile.ts';
import type { Reading } from './reading.ts';

export interface Part extends Group {
  /** Understandable without the others. */
  readonly text: string;
}

const leaning = new Set('it them they that those these its their he she him afterwards first again done'.split(' '));

/** "how warm is it" leans on nothing. */
const isLeaning = ({ text }: Token, at: number, tokens: readonly Token[]): boolean =>
  leaning.has(text) && !(text === 'it' && ['is', 'was'].includes(tokens[at - 1]?.text ?? ''));

/** Why something is wanted, and nobody of the team is meant by that. */
const isAside = ({ clause, evidence }: Reading): boolean =>
  clause.isDenied === true ||
  (clause.isReason && evidence.byAgent.every(({ things, verb }) => things < 0.5 && verb < 1));

/** "add a cow, the cow eats grass": where things are made and related, those that are related have to be made too. */
function namesNew({ agentId, readings }: Group, earlier: readonly Group[], { agents }: Profiles): boolean {
  if (!earlier.length || !agents.some((one) => one.agentId === agentId && one.isOpen && one.acts)) return false;
  const makers = agents.filter(({ acts, isOpen }) => acts && !isOpen).map((one) => one.agentId);
  const made = new Set(
    earlier.flatMap((group) => group.readings.flatMap(({ clause }) => clause.tokens)).map(({ stem }) => stem),
  );
  return readings.some(({ clause, evidence }) =>
    evidence.byAgent.some(
      (one) =>
        makers.includes(one.agentId) &&
        [...one.explained].some(([at, sort]) => sort === 'thing' && !made.has(clause.tokens[at]?.stem ?? '')),
    ),
  );
}

/** The parts, or why they are no plan. */
export function partsOf(groups: readonly Group[], readings: readonly Reading[], profiles: Profiles): Part[] | string {
  if (readings.some((reading) => !isMoving(reading, profiles) && !isAside(reading)))
    return 'composite, and something is told';
  if (new Set(groups.map(({ agentId }) => agentId)).size < groups.length) return 'one agent twice';
  const parts: Part[] = [];
  for (const [at, group] of groups.entries()) {
    // Within its own part a word may lean on what was said there.
    const tokens = at === 0 ? [] : (group.readings[0]?.clause.tokens ?? []);
    if (tokens.some(isLeaning)) return 'one part leans on another';
    if (namesNew(group, groups.slice(0, at), profiles)) return 'a thing is named that is not there yet';
    const said = group.readings.map(({ clause }) => clause.text).join(', ');
    const text = saysThere(tokens) ? withPlace(said, groups.slice(0, at), group.agentId, profiles) : said;
    if (text === undefined) return 'one part leans on another';
    parts.push({ ...group, text });
  }
  return parts;
}
