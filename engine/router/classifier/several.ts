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

/** The parts, or why they are no plan. */
export function partsOf(groups: readonly Group[], readings: readonly Reading[], profiles: Profiles): Part[] | string {
  if (readings.some((reading) => !isMoving(reading) && !reading.clause.isDenied))
    return 'composite, and something is told';
  if (new Set(groups.map(({ agentId }) => agentId)).size < groups.length) return 'one agent twice';
  const parts: Part[] = [];
  for (const [at, group] of groups.entries()) {
    // Within its own part a word may lean on what was said there.
    const tokens = at === 0 ? [] : (group.readings[0]?.clause.tokens ?? []);
    if (tokens.some(isLeaning)) return 'one part leans on another';
    const said = group.readings.map(({ clause }) => clause.text).join(', ');
    const text = saysThere(tokens) ? withPlace(said, groups.slice(0, at), group.agentId, profiles) : said;
    if (text === undefined) return 'one part leans on another';
    parts.push({ ...group, text });
  }
  return parts;
}
